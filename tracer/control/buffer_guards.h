/// Catches the program where it touches the buffer of a pending operation, if the user wants that
/// (MQI_RECORD_GUARD): watchpoints of the processor on the first words, four in all, and page
/// protection of the pages that lie wholly in a buffer that MPI writes to.
///
/// Guards are up between the calls of MPI of the first thread. What the program does goes on as if
/// there were none, but for system calls that are given such a page: they fail with EFAULT.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

namespace mqinspect::tracer {

struct GuardedRange {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
    bool written = false;  ///< by MPI: the program must not even read it
};

/// Exactly these are guarded from here on, the first ones before others.
void raise_guards(const GuardedRange* ranges, std::size_t count);
/// MPI may touch everything.
void lower_guards();
/// From a signal handler, for a fault at `address`: true if a guard has caught it. The program may
/// go on: that range is guarded no more.
bool lift_guard(std::uint64_t address);

}  // namespace mqinspect::tracer
