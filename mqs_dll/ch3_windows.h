/// Windows of one-sided communication on device ch3 (mpid_rma_types.h, mpidpre.h).
///
/// All windows of a process are in one of two lists, by whether operations are
/// waiting. A window knows the state of this process as an origin: its epoch, and
/// for each target what is asked for; and as a target: the lock on its own part and
/// the queue of those who wait for it, but not who holds it.
#pragma once

#include "mqs_dll/communicators.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/requests.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"
#include "mqs_dll/windows.h"

namespace mqinspect::dll {

/// Adds the windows of both lists. A failure keeps what was read before it.
/// Precondition: layout.windows.is_known(), and both lists have addresses.
Status read_ch3_windows(const Target& target,
                        const Layout& layout,
                        const Symbols& symbols,
                        const CommunicatorTable& communicators,
                        const RequestTable& requests,
                        WindowTable& table);

}  // namespace mqinspect::dll
