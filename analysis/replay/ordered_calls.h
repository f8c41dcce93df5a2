/// The calls of a run, so that whoever may know of a call is read after it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "analysis/replay/run_clocks.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Plays them with vector clocks. Where a part of the record is missing, several threads may call
/// MPI, or there are too many processes, there are no clocks: each process is read up to its next
/// collective operation, so that all go on together.
class OrderedCalls {
public:
    /// True: the call is a collective operation.
    using Read = std::function<bool(const model::RecordedCall&)>;

    explicit OrderedCalls(const model::Recording& recording);

    void read_all(const Read& read);

    bool has_clocks() const { return has_clocks_; }
    /// The play has passed calls that its rules hold up: nobody can tell what is known any more.
    bool lost() const { return lost_; }
    const CallKind& kind_of(const model::RecordedCall& call) const {
        return kinds_[call.procedure.index()];
    }
    /// What the process knows; null: there are no clocks.
    std::shared_ptr<const Clock> clock_of(model::ProcessId process) {
        return has_clocks_ ? clocks_.of(process) : nullptr;
    }
    /// RunClocks::may_know_all and unknown_sources.
    void may_know_all(model::ProcessId process, std::uint64_t event) {
        if (has_clocks_) clocks_.may_know_all(process, event);
    }
    const Clock& unknown_sources(model::ProcessId process) const {
        return clocks_.unknown_sources(process);
    }

private:
    void play(const Read& read);
    void read_side_by_side(const Read& read);

    const model::Recording& recording_;
    std::vector<CallKind> kinds_;
    bool has_clocks_;
    bool lost_ = false;
    RunClocks clocks_;
};

}  // namespace mqinspect::analysis
