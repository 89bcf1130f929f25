#include "interrupt.hpp"

#include "knead/base/file.hpp"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <ctime>
#include <mutex>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace knead::cli {
namespace {

// What an interrupt does. Signals are a matter of the whole program, and so is this.
enum class Response { end, stop_soon, stop };
std::atomic<Response> response{Response::end};
std::stop_source interrupted;

// Not all that takes long asks whether to stop: libraries of others do not, nor do loops that are
// over in less time on meshes of a usual size. The rest of a second is for the memory of a large
// scene, which takes time to be given back.
constexpr timespec half_a_second{0, 500'000'000};

// A terminal that goes away asks the program to end, unless nohup has asked it not to hear of that.
bool hears_hangups() {
    struct sigaction found {};
    return sigaction(SIGHUP, nullptr, &found) == 0 && found.sa_handler != SIG_IGN;
}

sigset_t interrupts() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    if (hears_hangups()) sigaddset(&signals, SIGHUP);
    return signals;
}

[[noreturn]] void end_at_once() {
    constexpr std::string_view words = "knead: interrupted; files that are there are whole\n";
    remove_unfinished_files();
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, words.data(), words.size());
    _exit(130);
}

[[noreturn]] void watch() {
    const sigset_t signals = interrupts();
    for (;;) {
        int signal = 0;
        if (sigwait(&signals, &signal) != 0) continue;
        if (response == Response::end || interrupted.stop_requested()) end_at_once();
        interrupted.request_stop();
        if (response != Response::stop_soon) continue;
        sigtimedwait(&signals, nullptr, &half_a_second);
        if (response == Response::stop_soon) end_at_once();
    }
}

} // namespace

void watch_for_interrupts() {
    const sigset_t signals = interrupts();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread(watch).detach();
}

Interruptible::Interruptible(Patience patience) {
    response = patience == Patience::endless ? Response::stop : Response::stop_soon;
}

Interruptible::~Interruptible() {
    response = Response::end;
}

std::stop_token Interruptible::stop() const {
    return interrupted.get_token();
}

void Interruptible::wait() const {
    std::mutex lock;
    std::condition_variable_any changed;
    std::unique_lock guard(lock);
    changed.wait(guard, stop(), [] { return false; });
}

} // namespace knead::cli
