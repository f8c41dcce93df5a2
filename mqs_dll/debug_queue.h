/// The lists of operations that MPICH keeps for debuggers (--enable-debuginfo, dbginit.c).
///
/// Until 4.0.2 there is one, MPIR_Sendq, of nonblocking and persistent sends. Later ones
/// have three, MPIR_Debugq, for every device and network module: of sends, of receives,
/// blocking ones too, and of unexpected messages, as far as MPICH sees them itself.
///
/// In all of them an entry is put at the front, so they are newest first. It leaves the list
/// when its request is freed, or a message is matched: a receive stays there when it is
/// complete, until it is waited for. A send's context id is that of receiving, even on an
/// intercommunicator, whose sends use another one; a receive's lacks the bit that
/// tells the traffic of collective operations.
#pragma once

#include <cstdint>

#include "mqs_dll/heap.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/status.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

struct DebugEntry {
    std::uint64_t address = 0;
    std::uint64_t request = 0;  ///< the MPIR_Request
    std::uint64_t buffer = 0;   ///< of the user, 0 if unknown
    std::int64_t count = -1;    ///< of an unnamed datatype, -1 if unknown
    std::int32_t tag = 0;
    std::int32_t rank = 0;
    std::uint32_t context = 0;
    bool has_envelope = false;  ///< tag, rank and context are known
};

/// Appends the entries of the list behind a variable, oldest first. `head`: the variable's
/// address, 0 if there is none, which is NoInformation. A failure keeps what was read
/// before it.
Status read_debug_list(const Target& target,
                       const DebugListLayout& layout,
                       std::uint64_t head,
                       Array<DebugEntry>& entries);

}  // namespace mqinspect::dll
