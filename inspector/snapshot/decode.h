/// From the raw arguments of a call and the queues of its rank to what the call
/// means: communicators by name, peers by rank, requests by operation.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "inspector/snapshot/arguments.h"
#include "model/job_snapshot.h"

namespace mqinspect::snapshot {

/// The operations of one rank, found by handle and by address.
class RankOperations {
public:
    /// One pass over the snapshot's operations for all ranks.
    static std::vector<RankOperations> index(const model::JobSnapshot& snapshot);

    /// Subscripts of JobSnapshot::operations.
    std::optional<std::size_t> by_handle(std::uint32_t handle) const;
    std::optional<std::size_t> by_address(std::uint64_t address) const;
    const std::vector<std::size_t>& all() const { return all_; }

private:
    std::vector<std::size_t> all_;
    std::unordered_map<std::uint64_t, std::size_t> by_handle_;
    std::unordered_map<std::uint64_t, std::size_t> by_address_;
};

/// The meaning of `raw` in rank `rank` of a snapshot whose communicators and
/// operations are filled in. The values are MPICH's (include/mpich_handles.h).
model::Call decode_call(const RawCall& raw,
                        const model::JobSnapshot& snapshot,
                        const model::RankSnapshot& rank,
                        const RankOperations& operations);

}  // namespace mqinspect::snapshot
