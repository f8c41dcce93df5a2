/// What ch3 keeps in a request (MPIDI_Request, src/mpid/ch3/include/mpidpre.h).
#pragma once

#include "mqs_dll/request_bytes.h"
#include "mqs_dll/requests.h"

namespace mqinspect::dll {

/// Fills the fields of the device. Precondition: those of every device are filled.
void decode_ch3(const RequestBytes& bytes, Request& request);

/// Where the last field that decode_ch3 reads starts in MPIR_Request.dev.
int ch3_request_extent(const Layout& layout);

}  // namespace mqinspect::dll
