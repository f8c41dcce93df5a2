/// Nonblocking collective operations that are under way.
///
/// MPICH has two engines: schedules (mpidu_sched.c, all_schedules) and generic
/// transport schedules (gentran, MPII_coll_queue); both list what is incomplete in
/// the order of starting. What is complete and not yet waited for is only in the
/// request pool.
#pragma once

#include <cstdint>

#include "mqs_dll/communicators.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/operations.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

struct Snapshot;

/// Fills queue mqs_pending_collectives. `pools`: how reading the request pool went.
void read_collectives(const Target& target,
                      const Layout& layout,
                      const Symbols& symbols,
                      Status pools,
                      Snapshot& snapshot);

/// The number of the next operation on the communicator, -1 if unknown. Numbers
/// are the tags that MPIR_Sched_next_tag hands out, from 0; an operation that takes
/// several has the first. Members agree because they start the operations in one
/// order. After 2^28 operations or so the tags start again, and so do numbers.
std::int64_t collectives_started(const Communicator& communicator);

/// Whether MPICH's own messages of a collective operation on the communicator may have the
/// tag, which the user's may have just as well.
bool is_collective_tag(const Communicator& communicator, std::int32_t tag);

}  // namespace mqinspect::dll
