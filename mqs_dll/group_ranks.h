/// Who is behind the ranks of an MPIR_Group of MPICH 5 (mpir_group.h), whatever the device.
///
/// A member is an MPIR_Lpid: the number of a world in the upper half, where 0 is that of the
/// process itself, and the rank in that world's MPI_COMM_WORLD in the lower one. The group
/// either has an array of them or computes them: they lie in blocks, at a stride.
#pragma once

#include <cstdint>

#include "mqs_dll/heap.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/status.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

/// Appends the ranks in MPI_COMM_WORLD of the first `size` members; MQS_INVALID_PROCESS is
/// a process of another world. NoInformation, and nothing is appended, if MPICH keeps no
/// such groups, or the group says something else than expected.
Status read_group_ranks(const Target& target,
                        const Layout& layout,
                        std::uint64_t group,
                        std::int32_t size,
                        Array<std::int32_t>& ranks);

}  // namespace mqinspect::dll
