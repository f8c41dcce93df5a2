/// Programs that wait by asking again and again.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/pairing/call_kind.h"
#include "analysis/pairing/operation.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// The calls of MPI_Test, MPI_Iprobe, MPI_Win_test and their kin that a thread has made one after
/// another, and that have found nothing. A thread that was killed in the middle of many of them
/// waits for what they ask for, as if in MPI_Waitany, MPI_Probe or MPI_Win_wait.
class Polls {
public:
    /// Each call that concerns other processes.
    void note(const model::Procedure& procedure,
              const CallKind& kind,
              const model::RecordedCall& call);

    /// There were many, more than twice as many as the program has made before it did something
    /// else without having found anything, and what they ask for can be told.
    bool waiting() const;
    const EventSite& last() const { return last_; }
    const std::vector<std::int64_t>& requests() const { return requests_; }
    /// MPI_Iprobe, MPI_Improbe: the parameters; communicator kNullHandle: there was none.
    struct Probe {
        std::int64_t communicator = model::kNullHandle;
        std::int64_t source = 0;
        std::int64_t tag = 0;

        friend bool operator==(const Probe&, const Probe&) = default;
    };
    const Probe& probe() const { return probe_; }
    /// MPI_Win_test; kNullHandle: there was none.
    std::int64_t window() const { return window_; }

private:
    void start_again();

    std::uint64_t count_ = 0;
    std::uint64_t most_in_vain_ = 0;  ///< of those that something else has followed
    EventSite last_;
    bool mixed_ = false;  ///< too many different things
    std::vector<std::int64_t> requests_;
    Probe probe_;
    std::int64_t window_ = model::kNullHandle;
};

}  // namespace mqinspect::analysis
