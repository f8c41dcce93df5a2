/// Where the thread-local variables of a thread are.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "inspector/target/memory.h"
#include "inspector/target/process_view.h"

namespace mqinspect::target {

/// The address of a thread-local variable of `module`, `offset` bytes from the start of the
/// module's block, for the thread that `thread_pointer` (register fs.base) belongs to.
///
/// Follows U. Drepper, "ELF Handling For Thread-Local Storage" (2013), section 3: the
/// thread's vector of blocks, by the number of the module. How glibc keeps both is
/// what it tells libthread_db (nptl_db/structs.def), in variables that it exports.
/// MissingDebugInfo: it does not say, being another C library or linked statically.
/// BadAddress: the thread has not used the module's variables, or memory is damaged.
Result<std::uint64_t> thread_local_address(const ProcessView& view,
                                           const Memory& memory,
                                           const Module& module,
                                           std::uint64_t thread_pointer,
                                           std::uint64_t offset);

}  // namespace mqinspect::target
