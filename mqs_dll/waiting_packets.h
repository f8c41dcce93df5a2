/// Blocking sends that wait for room in the transport.
///
/// MPI_Send and MPI_Rsend of a short message need no request; when the transport has
/// no room, ch3 makes one that has neither communicator nor envelope (mpid_send.c,
/// "not necessary for blocking functions") and keeps the packet in it. What the user
/// sent is read from that packet, the destination from the connection.
#pragma once

#include "mqs_dll/communicators.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/requests.h"
#include "mqs_dll/status.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

/// Fills rank, tag, context, message_bytes and type of a request without communicator
/// from the packet that it holds, and sets from_packet; leaves it alone if it holds
/// no message of the user. OutOfMemory is the only failure.
Status read_waiting_packet(const Target& target,
                           const Layout& layout,
                           const CommunicatorTable& communicators,
                           Request& request);

}  // namespace mqinspect::dll
