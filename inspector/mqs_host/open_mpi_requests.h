/// Has an Open MPI process communicated since an earlier look?
#pragma once

#include <cstdint>

#include "base/result.h"
#include "inspector/target/debug_symbols.h"

namespace mqinspect::mqs_host {

/// A number over all request objects of the layer ob1, in use or not. Each receive, and
/// each send that does not go off at once, writes a number of its own into the object it
/// uses (mca_pml_base_request_t::req_sequence), internal ones of collective operations,
/// too; so a process that has left a call that waits gives another number.
/// Fails if the objects cannot be read.
Result<std::uint64_t> request_fingerprint(const target::DebugSymbols& view,
                                          const target::Memory& memory);

}  // namespace mqinspect::mqs_host
