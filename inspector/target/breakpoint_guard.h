/// Takes breakpoints out of processes whose tracer has been killed.
///
/// The kernel detaches the processes of a tracer that dies, and leaves their memory as it
/// is: the next one to reach a breakpoint would die of SIGTRAP.
#pragma once

#include <sys/types.h>

#include <cstddef>

#include "base/unique_fd.h"
#include "inspector/target/memory.h"

namespace mqinspect::target {

/// A process in a session of its own, so that no signal of the terminal reaches it, which
/// waits for the end of this one. It ends with it, or with the guard.
class BreakpointGuard {
public:
    BreakpointGuard() = default;
    BreakpointGuard(const BreakpointGuard&) = delete;
    BreakpointGuard& operator=(const BreakpointGuard&) = delete;
    ~BreakpointGuard();

    /// Starts it; without it, or if that fails, nothing is guarded.
    void start();
    /// 0: not started.
    pid_t pid() const { return pid_; }

    /// To be called before the breakpoint is in, and after it is out.
    void add(pid_t pid, Address address, std::byte original);
    void remove(pid_t pid, Address address);

private:
    struct Message {
        pid_t pid = 0;
        bool set = false;
        std::byte original{};
        Address address{};
    };
    void send(const Message& message) const;
    [[noreturn]] static void watch(int fd);

    UniqueFd pipe_;
    pid_t pid_ = 0;
};

}  // namespace mqinspect::target
