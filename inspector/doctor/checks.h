/// The checks, by what they are about.
#pragma once

#include <string>
#include <vector>

#include "inspector/doctor/doctor.h"

namespace mqinspect::doctor {

/// Whether the kernel lets us stop and read a process that we have started, and those
/// of a job that was started beside us.
Check check_stopping();
Check check_rights();

/// Whether we may run before ranks that poll.
Check check_priority();

/// Whether the processor's watchpoints catch anything; the recorder uses them.
Check check_watchpoints();

/// Whether what was read of files is kept between runs.
Check check_cache();

/// Whether a crash leaves a core file where one would look for it.
Check check_core_files();

/// The debugger DLL that would be loaded for MPICH, alone.
Check check_dll(const Subject& subject);

/// The MPI library: version, debug information, and whether its queues can be read.
/// With a program or a rank also whether that has source lines.
std::vector<Check> check_mpi(const Subject& subject);

}  // namespace mqinspect::doctor
