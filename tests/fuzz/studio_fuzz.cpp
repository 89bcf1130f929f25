// Pages that say valid and spoiled things to one studio: studio_fuzz [MESSAGES [SEED [NUMBER]]],
// where NUMBER is that of one conversation, to hold it alone.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "own_folder.hpp"
#include "studio/fuzz_run.hpp"

int main(int argument_count, char** arguments) {
    const knead::OwnFolder folder;
    knead::studio::FuzzSettings settings;
    settings.messages = argument_count > 1 ? std::atoi(arguments[1]) : 20'000;
    if (argument_count > 2) settings.seed = std::strtoull(arguments[2], nullptr, 10);
    if (argument_count > 3) settings.only = std::strtoull(arguments[3], nullptr, 10);
    settings.scenes = KNEAD_SCENES;
    settings.meshes = KNEAD_MESH_CORPUS;
    settings.folder = folder.path();
    try {
        const knead::studio::FuzzCounts counts = knead::studio::fuzz_studio(settings);
        std::printf("%d messages in %d conversations: %d answers, %d of them refusals; %d ended by "
                    "one side\n",
                    counts.messages, counts.conversations, counts.answers, counts.refusals,
                    counts.closed);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
