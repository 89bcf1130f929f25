#pragma once

#include "knead/base/progress.hpp"
#include "knead/base/stopwatch.hpp"

#include <string>

namespace knead::cli {

/// Shows how far a long command is and how long it will still take on standard error: a bar on a
/// terminal, a plain line every tenth elsewhere, nothing when quiet. While it lives, the first
/// Ctrl-C asks the command to stop at a safe place; a second one, or none of these within a second,
/// ends the program at once, leaving
/// only whole files.
class ProgressDisplay {
public:
    ProgressDisplay(std::string label, bool quiet);
    ~ProgressDisplay();
    ProgressDisplay(const ProgressDisplay&) = delete;
    ProgressDisplay& operator=(const ProgressDisplay&) = delete;

    /// To be handed to the library; valid as long as the display.
    Progress progress();

private:
    void show(double fraction);

    std::string label_;
    bool quiet_;
    bool terminal_;
    bool open_line_ = false;
    int last_step_ = -1;
    Stopwatch since_start_;
    double last_fraction_ = 0;
    double part_began_ = 0; ///< seconds; a command that goes from 0 to 1 twice has two parts
};

} // namespace knead::cli
