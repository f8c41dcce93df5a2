/// What the definitions of a run say of its windows.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analysis/local/procedures.h"
#include "model/execution.h"

namespace mqinspect::analysis {

class WindowFacts {
public:
    explicit WindowFacts(const model::Execution& execution);

    /// Null: not known.
    const std::vector<model::ProcessId>* members(std::int64_t window) const;
    /// All members of the window are members of the communicator.
    bool covers(std::int64_t communicator, std::int64_t window);
    /// Precondition: members(window).
    const model::RecordedWindow& definition(std::int64_t window) const {
        return execution_.windows[static_cast<std::size_t>(window)];
    }
    /// The first one of those windows of the same members that have memory in common with each
    /// other, -1: there is no other one.
    std::int64_t first_sharing(std::int64_t window) const {
        const auto found = first_sharing_.find(window);
        return found == first_sharing_.end() ? -1 : found->second;
    }
    /// The members of the group that a call is given; those of other worlds are in the record
    /// without ranks.
    std::vector<model::ProcessId> named_by(const CallView& view, std::int64_t window) const;
    /// Processes may tell each other by loads and stores in the window: it is shared, and the
    /// program asks for addresses in other processes' parts, or orders what it does there.
    bool may_tell_by_memory(std::int64_t window) const {
        return shares_addresses_ && definition(window).is_shared();
    }
    /// Of MPI_Win_lock's lock_type; where that is not known, true: it orders.
    bool is_exclusive(std::int64_t lock_type) const;

private:
    void find_shared_memory();

    const model::Execution& execution_;
    bool shares_addresses_;
    std::map<std::pair<std::int64_t, std::int64_t>, bool> covers_;
    std::map<std::int64_t, std::int64_t> first_sharing_;
};

}  // namespace mqinspect::analysis
