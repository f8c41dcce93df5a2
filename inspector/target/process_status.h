/// What /proc/PID says about a process, and why it cannot be inspected.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/result.h"

namespace mqinspect::target {

/// Reads a file of /proc in full. TargetExited: it is not there, or its process
/// ended; PermissionDenied; System.
Result<std::string> read_proc_file(const std::string& path);

/// From /proc/PID/status.
struct ProcessStatus {
    std::string name;
    char state = '?';   ///< as in proc(5): R, S, D, T, t, Z, X
    pid_t process = 0;  ///< of which this is a thread
    pid_t parent = 0;
    pid_t tracer = 0;  ///< the thread that traces it; 0: not traced
    uid_t uid = 0;     ///< effective
    bool kernel_thread = false;
    /// Bit N - 1 stands for signal N.
    std::uint64_t ignored_signals = 0;
    std::uint64_t caught_signals = 0;

    bool ended() const { return state == 'Z' || state == 'X'; }
};

/// Takes the id of a process or of one of its threads.
Result<ProcessStatus> read_process_status(pid_t pid);

/// "no process 4711", "process 4711 (a.out) has ended ...", for TargetExited.
Error exited_error(pid_t pid);

/// Why the kernel denied access to a process: it ended, is traced by another
/// process, is a kernel thread, belongs to somebody else (PermissionDenied with
/// the owner's name), or the security settings of this machine forbid it.
Error denied_error(pid_t pid);

}  // namespace mqinspect::target
