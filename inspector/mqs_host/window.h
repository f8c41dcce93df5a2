/// From what a DLL says of a window to the model's Window.
#pragma once

#include <vector>

#include "inspector/mqs_host/mqs_host.h"
#include "model/ids.h"
#include "model/window.h"

namespace mqinspect::mqs_host {

/// A number that cannot be true becomes unknown; a peer that is no member of the
/// window's group becomes kUnknownRank. `members`: the group, by rank.
model::Window convert(const HostedWindow& hosted,
                      model::WorldRank rank,
                      model::CommunicatorId communicator,
                      const std::vector<model::WorldRank>& members);

}  // namespace mqinspect::mqs_host
