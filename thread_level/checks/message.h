/// What people read: one line on standard error for each thing that is wrong.
#pragma once

#include "thread_level/checks/record.h"

namespace mqinspect::thread_level::checks {

/// A problem of the checks themselves.
void say(const char* what);
void say(const char* what, const char* name, int error);

/// The call needs `needed`, but MPI provides `provided`.
void say_level(const Party& party, int is_main, int needed, int provided);

/// The two may run, or ran, at the same time, but MPI provides `provided`.
void say_pair(const Party& one, const Party& other, bool overlapped, int provided);

/// Two collective operations on one communicator, in no order.
void say_collectives(const Party& one, const Party& other);

}  // namespace mqinspect::thread_level::checks
