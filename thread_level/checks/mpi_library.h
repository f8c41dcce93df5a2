/// What the MPI library says of itself and the calling thread.
#pragma once

#include "thread_level/checks/record.h"

namespace mqinspect::thread_level::checks {

// Levels, with the numbers that they have in all libraries.
inline constexpr int kSingle = 0;
inline constexpr int kFunneled = 1;
inline constexpr int kSerialized = 2;
inline constexpr int kMultiple = 3;

/// "MPI_THREAD_SERIALIZED".
const char* name_of_level(int level);

/// -1: not initialized yet, or nobody asked before it was finalized. May be called at any time.
int provided_level();

/// Whether the calling thread is the main one: 1 or 0; -1: not known.
int is_main_thread(Record& record);

/// In MPI_COMM_WORLD; -1: not known.
int own_rank();

/// Asks what is not known yet, and reports it. To be called before an MPI call of this thread.
void learn(Record& record);

/// In the child: nothing is reported.
void forget_library_after_fork();

}  // namespace mqinspect::thread_level::checks
