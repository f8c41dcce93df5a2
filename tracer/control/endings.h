/// How the process ends: signals, exit, _exit, MPI_Abort.
#pragma once

#include <cstdint>

#include "tracer/recorder.h"

namespace mqinspect::tracer {

/// From the start of the recording on.
void watch_endings(const Options& options);

/// Where MPI_Init was called: for a main that returns later.
void note_main(const Site& site);

/// Before MPI_Abort.
void record_abort(std::int64_t error_code);

}  // namespace mqinspect::tracer
