#include "inspector/launch/signals.h"

#include <algorithm>
#include <array>
#include <ctime>

namespace mqinspect::launch {

namespace {

/// Stop and continue are left as they are: job control stops us with the job.
constexpr std::array<int, 9> kTaken{
    SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE};

}  // namespace

Signals::Signals() {
    sigemptyset(&taken_);
    for (const int signal : kTaken)
        sigaddset(&taken_, signal);
    sigprocmask(SIG_BLOCK, &taken_, &before_);
    // Whoever ignores SIGCHLD never hears of the end of a child.
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &plain, &child_before_);
}

Signals::~Signals() {
    sigaction(SIGCHLD, &child_before_, nullptr);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
}

int Signals::wait(std::chrono::nanoseconds limit) {
    const auto left = std::max(limit, std::chrono::nanoseconds(0)).count();
    const timespec time{left / 1'000'000'000, left % 1'000'000'000};
    siginfo_t info{};
    const int signal = sigtimedwait(&taken_, &info, &time);
    if (signal <= 0 || signal == SIGCHLD || signal == SIGPIPE) return 0;
    return info.si_code <= 0 ? signal : 0;
}

}  // namespace mqinspect::launch
