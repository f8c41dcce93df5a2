/// Operations and communicators in the words of the interface.
#pragma once

#include "include/mqs_extensions.h"
#include "mqs_dll/operations.h"
#include "mqs_dll/snapshot.h"

namespace mqinspect::dll {

/// All fields are set, the last line of extra_text is empty. `queue`: the class
/// that the operation is from. A cancelled receive is complete, has no actual
/// envelope (-1), and a line "cancelled".
void describe(const Snapshot& snapshot,
              const Operation& operation,
              int queue,
              mqs_pending_operation& result);

/// struct_size is left alone.
void describe(const Snapshot& snapshot,
              const Operation& operation,
              int queue,
              mqs_operation_details& result);

void describe(const Communicator& communicator, mqs_communicator& result);
/// struct_size is left alone.
void describe(const Communicator& communicator, mqs_comm_details& result);

}  // namespace mqinspect::dll
