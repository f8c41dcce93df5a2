/// Whether a process gets on.
#pragma once

#include <cstdint>

#include "mqs_dll/layout.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

/// A number that grows with each request that completes: ch3's counter of
/// completions, the sum of those of ch4's virtual interfaces. NoInformation
/// where the device has none.
Status count_progress(const Target& target,
                      const Layout& layout,
                      const Symbols& symbols,
                      std::uint64_t& count);

}  // namespace mqinspect::dll
