/// Packets that have arrived and that the process has not looked at yet.
///
/// Follows the nemesis channel of MPICH ch3 (mpid_nem_datatypes.h, mpid_nem_queue.h):
/// a receive queue in shared memory and a fast box for each process of the host.
#pragma once

#include <cstdint>

#include "mqs_dll/layout.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

/// A lower bound: packets in the receive queue count once. What is on its way
/// through a network is not seen. NoInformation: the channel is not nemesis, or
/// its layout is not known.
Status count_incoming(const Target& target,
                      const Layout& layout,
                      const Symbols& symbols,
                      std::uint64_t& count);

}  // namespace mqinspect::dll
