#pragma once

#include "knead/base/progress.hpp"
#include "knead/base/stopwatch.hpp"

#include <string>

#include "interrupt.hpp"

namespace knead::cli {

/// Writes to standard error. A terminal that has gone away takes nothing, and that is no error.
void tell(const std::string& text);

/// Shows how far a long command is and how long it will still take on standard error: a bar on a
/// terminal, a plain line every tenth elsewhere, nothing when quiet. While it lives, Ctrl-C asks
/// the command to stop at a safe place, and ends the program half a second later if it has not.
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

    Interruptible interruptible_;
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
