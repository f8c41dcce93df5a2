/// Which kinds of collective operation are under way, by their messages.
///
/// Blocking collective operations send with tags that name them (mpir_tags.h), in a context
/// of their own. That tells of a part of the operation, which need not be the one that the
/// user called: MPICH ends a barrier within a node with a broadcast. Nonblocking operations
/// have numbers for tags, which name none. MPICH counts no calls.
#pragma once

#include <cstdint>

#include "mqs_dll/snapshot.h"

namespace mqinspect::dll {

/// True if messages of a class, of enum mqs_comm_class, are under way on a communicator of
/// the snapshot. False says nothing: the process may be between two messages.
bool has_active_class(const Snapshot& snapshot, std::size_t communicator, int comm_class);

}  // namespace mqinspect::dll
