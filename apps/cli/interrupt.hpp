#pragma once

#include <stop_token>

namespace knead::cli {

/// Hands Ctrl-C, SIGTERM and SIGHUP to a thread of their own, which ends the program with exit code
/// 130 unless there is an `Interruptible`. To be called before there are other threads: METIS puts
/// a handler of its own in the place of any other while it works, so no thread may be left to which
/// one could be delivered.
void watch_for_interrupts();

/// While it lives, the first interrupt is a request to stop at a safe place. A second one ends the
/// program at once, leaving only whole files. One at a time.
class Interruptible {
public:
    enum class Patience {
        half_a_second, ///< and then ends the program as a second interrupt would
        endless,
    };
    explicit Interruptible(Patience patience = Patience::half_a_second);
    ~Interruptible();
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

    std::stop_token stop() const;
    /// Until there is an interrupt.
    void wait() const;
};

} // namespace knead::cli
