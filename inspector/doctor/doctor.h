/// What of mqinspect works on this machine, and what to do about what does not.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace mqinspect::doctor {

enum class State {
    Works,
    Limited,  ///< works in part, or slower
    Fails,
};

/// The outcome of one check, for a person to read.
struct Check {
    State state = State::Works;
    std::string subject;  ///< "message queues of /usr/lib/libmpi.so"
    std::string finding;  ///< one sentence, without a full stop
    std::string advice;   ///< what to do; empty if nothing needs to be done
};

/// What the checks are about: a rank of a running job, else a program, else what
/// `mpiexec` in PATH belongs to.
struct Subject {
    pid_t pid = 0;
    std::string program;
    std::string dll;                 ///< as Observer's: the user's choice, empty: search
    std::vector<std::string> types;  ///< likewise
};

/// Carries all checks out, which takes a moment: processes of our own are started,
/// stopped and read, and one of them loads the MPI library. Nobody else's process is
/// touched but that of `subject.pid`, which is only read.
std::vector<Check> examine(const Subject& subject);

}  // namespace mqinspect::doctor
