#include <knead/scene/read/scene_file.hpp>
#include <knead/scene/run/run.hpp>
#include <cstdio>

int main(int, char** arguments) {
    knead::RunSettings settings;
    settings.out = arguments[2];
    settings.frames = knead::FrameSequence{1, 2, 1};
    const knead::RunSummary done = knead::run_scene(knead::load_scene(knead::read_scene(arguments[1])), settings);
    std::printf("%d frames\n", done.frames_done);
}
