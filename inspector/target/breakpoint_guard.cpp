#include "inspector/target/breakpoint_guard.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace mqinspect::target {

namespace {

constexpr std::byte kBreakpoint{0xCC};  // int3

void restore(pid_t pid, Address address, std::byte original) {
    const UniqueFd memory{open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDWR | O_CLOEXEC)};
    const auto offset = static_cast<off_t>(to_integer(address));
    // A process that has another program by now has no breakpoint there.
    std::byte now{};
    if (!memory || pread(memory.get(), &now, 1, offset) != 1 || now != kBreakpoint) return;
    static_cast<void>(pwrite(memory.get(), &original, 1, offset));
}

}  // namespace

void BreakpointGuard::watch(int fd) {
    setsid();
    // Whoever reads what our parent wrote must see its end when that ends.
    dup2(fd, STDIN_FILENO);
    close_range(STDIN_FILENO + 1, ~0U, 0);
    std::map<std::pair<pid_t, Address>, std::byte> breakpoints;
    for (Message message;;) {
        const ssize_t length = read(STDIN_FILENO, &message, sizeof message);
        if (length < 0 && errno == EINTR) continue;
        if (length != static_cast<ssize_t>(sizeof message)) break;
        if (message.set) {
            breakpoints[{message.pid, message.address}] = message.original;
        } else {
            breakpoints.erase({message.pid, message.address});
        }
    }
    for (const auto& [place, original] : breakpoints)
        restore(place.first, place.second, original);
    _exit(0);
}

void BreakpointGuard::start() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    const UniqueFd read_end(ends[0]);
    UniqueFd write_end(ends[1]);
    const pid_t pid = fork();
    if (pid == 0) {
        write_end.reset();
        watch(read_end.get());
    }
    if (pid < 0) return;
    pid_ = pid;
    pipe_ = std::move(write_end);
}

BreakpointGuard::~BreakpointGuard() {
    pipe_.reset();
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
}

void BreakpointGuard::send(const Message& message) const {
    if (!pipe_) return;
    // Should the guard have been killed, the breakpoint is only not guarded.
    sigset_t broken;
    sigset_t before;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigprocmask(SIG_BLOCK, &broken, &before);
    if (write(pipe_.get(), &message, sizeof message) < 0 && errno == EPIPE) {
        const timespec now{};
        sigtimedwait(&broken, nullptr, &now);
    }
    sigprocmask(SIG_SETMASK, &before, nullptr);
}

void BreakpointGuard::add(pid_t pid, Address address, std::byte original) {
    send({.pid = pid, .set = true, .original = original, .address = address});
}

void BreakpointGuard::remove(pid_t pid, Address address) {
    send({.pid = pid, .address = address});
}

}  // namespace mqinspect::target
