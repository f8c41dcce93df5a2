/// To which communicator of the user an operation belongs.
#pragma once

#include "mqs_dll/operations.h"

namespace mqinspect::dll {

struct Snapshot;
struct Request;

/// Where an operation belongs.
struct Placement {
    bool found = false;
    Operation operation;  ///< communicator, peer, process, tag, collective
};

/// Attributes a request to the communicator that the user knows: internal traffic
/// of a collective operation to the one that it runs on, with the peer's rank in
/// it. `receives`: the request is a receive or an unexpected message.
Placement place(const Snapshot& snapshot, const Request& request, bool receives);

}  // namespace mqinspect::dll
