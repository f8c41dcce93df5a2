/// What ch4 keeps in a request (MPIDI_Devreq_t,
/// src/mpid/ch4/include/mpidpre.h, 3.3 to 4.0.2): a union, whose content
/// depends on the way that the message takes.
#pragma once

#include "mqs_dll/communicators.h"
#include "mqs_dll/request_bytes.h"
#include "mqs_dll/requests.h"

namespace mqinspect::dll {

/// Which way a request that was found in the pool takes, from what ch4 sets in
/// each: the locality of the peer, the communicator, and whether the network
/// module matches tags itself. `is_local`: -1 if the build has no shared
/// memory.
RequestWay ch4_way(const Request& request,
                   std::int32_t is_local,
                   NativeMessages native,
                   const CommunicatorTable& communicators);

/// Fills the fields of the device, those of request.way. Precondition: those of
/// every device are filled.
///
/// Of a send by active message ch4 keeps neither tag nor context, the destination (here in
/// request.source) only if it is a rendezvous, and buffer, count and datatype surely only in
/// builds that keep a list of sends for the debugger. libfabric keeps source and tag of a
/// receive to itself, UCX everything.
void decode_ch4(const RequestBytes& bytes, Request& request);

/// MPIDI_Devreq_t.is_local, -1 if there is none.
std::int32_t ch4_is_local(const RequestBytes& bytes);

/// Where the last field that decode_ch4 reads starts in MPIR_Request.dev, if it had
/// 8 bytes.
int ch4_request_extent(const Layout& layout);

}  // namespace mqinspect::dll
