/// What a debugger DLL may ask of the kernel: seccomp(2) in the process that runs it.
#pragma once

#include <string>

#include "base/result.h"

namespace mqinspect::mqs_host {

/// What becomes of a system call that the sandbox does not allow.
enum class Forbidden {
    Fails,  ///< with EPERM
    Traps,  ///< SIGSYS, for a handler that says which call it was
};

struct SandboxOptions {
    Forbidden forbidden = Forbidden::Fails;
    /// Calls that wait: poll, select, nanosleep, pause.
    bool may_block = true;
};

/// From here on this process, all its threads, can read: files, the memory of other
/// processes that it may trace, what it has open. It can also write to descriptors that
/// are open for that already, and get memory. It cannot change or signal another process, open a
/// file for writing, create a socket, a thread or a process, run a program, or take back that it
/// dies with its parent. There is no way out. Fails with System where the kernel has no seccomp
/// filters.
Result<Done> enter_sandbox(const SandboxOptions& options = {});

/// "connect" for 42; the number where the kernel has more than libseccomp knows.
std::string system_call_name(int number);

}  // namespace mqinspect::mqs_host
