/// The request objects of Open MPI's layer ob1, in use or not.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "inspector/mqs_host/mqs_host.h"
#include "inspector/target/debug_symbols.h"

namespace mqinspect::mqs_host {

/// A message of a collective operation that has started and not finished; the debugger DLL
/// leaves these out.
struct InternalRequest {
    bool send = false;
    std::uint64_t address = 0;
    std::uint64_t communicator = 0;  ///< address of the ompi_communicator_t
    std::int32_t peer = -1;          ///< in it
    std::int32_t tag = 0;            ///< negative
    bool matched = false;            ///< a receive that has met its message
};

struct RequestSurvey {
    /// A number over all objects. Each receive, and each send that does not go off at once,
    /// writes a number of its own into the object it uses
    /// (mca_pml_base_request_t::req_sequence), internal ones, too; so a process that has left
    /// a call that waits gives another number.
    std::uint64_t fingerprint = 0;
    std::vector<InternalRequest> internal;
    /// False: what `internal` holds cannot be told from these types.
    bool internal_known = false;
};

/// Fails if the objects cannot be read.
Result<RequestSurvey> survey_requests(const target::DebugSymbols& view,
                                      const target::Memory& memory);

/// The same as if the debugger DLL had listed it, with its tag's absolute value.
HostedOperation hosted_message(const InternalRequest& request);

}  // namespace mqinspect::mqs_host
