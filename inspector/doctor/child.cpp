#include "inspector/doctor/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "base/unique_fd.h"

namespace mqinspect::doctor {

namespace {

/// A library that takes longer than this to load is not waited for.
constexpr int kPatienceMs = 10'000;

[[noreturn]] void live(const std::function<void()>& task, int ready, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    // What a library prints when it is loaded is not our report.
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    task();
    const char mark = '.';
    if (write(ready, &mark, 1) != 1) _exit(1);
    while (true)
        pause();
}

}  // namespace

Child::Child(const std::function<void()>& task) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    const UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0) live(task, writing.get(), parent);
    if (pid_ < 0) return;
    writing = UniqueFd();
    pollfd source{reading.get(), POLLIN, 0};
    char mark = 0;
    const bool ready = poll(&source, 1, kPatienceMs) == 1 && read(reading.get(), &mark, 1) == 1;
    if (ready) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
}

Child::~Child() {
    if (pid_ < 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

}  // namespace mqinspect::doctor
