#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace knead::studio {

struct FuzzSettings {
    int messages = 300;           ///< to send; the conversation that reaches it is held to its end
    std::uint64_t seed = 1;       ///< of all conversations
    int pages = 3;                ///< that talk at the same time
    std::filesystem::path scenes; ///< of the demos
    std::filesystem::path meshes; ///< the corpus of the readers
    std::filesystem::path folder; ///< an empty one, for what the studio writes
    std::optional<std::uint64_t> only; ///< the number of the one conversation to hold
};

struct FuzzCounts {
    int messages = 0;
    int conversations = 0;
    int answers = 0;  ///< that are final
    int refusals = 0; ///< of these
    int closed = 0;   ///< conversations that the studio ended
};

/// Lets pages that say valid and spoiled things talk to one studio. Throws std::runtime_error with
/// the conversation's number when a request is not answered once, an answer is not well-formed, a
/// page that only looks on notices anything, or something is written outside the studio's folder.
FuzzCounts fuzz_studio(const FuzzSettings& settings);

} // namespace knead::studio
