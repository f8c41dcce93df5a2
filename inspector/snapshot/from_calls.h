/// What the calls that the ranks are in say of the operations in their queues.
#pragma once

#include "model/job_snapshot.h"

namespace mqinspect::snapshot {

/// Fills in what the debugger DLL could not know of the operations of blocking calls, from
/// the arguments of these calls: not every device of MPICH keeps the envelope in the
/// request.
void complete_operations(model::JobSnapshot& snapshot);

/// Names the MPI function that started each operation, where the calls that the
/// ranks are in leave no doubt: an operation of a blocking call has that call's
/// name; for any other send or receive it is the nonblocking or persistent one.
/// Ranks whose call could not be read are left as they are.
void name_functions(model::JobSnapshot& snapshot);

}  // namespace mqinspect::snapshot
