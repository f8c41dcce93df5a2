/// Threads of one process that probe for a message and then receive it, while another one may take
/// it: a receive that follows MPI_Probe or MPI_Iprobe takes what was probed only if no other thread
/// receives in between (MPI 4.0, 3.8.1 and 3.8.2; matched probes are for that).
///
/// That a lock of the program's keeps the others away is not in the record: only threads count that
/// were seen at the same time in what such a lock would have to keep apart.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

/// The checks of one process. The arguments of the constructor must outlive it.
class ProbeRaces {
public:
    ProbeRaces(const model::RecordedProcess& process, Reporter& reporter)
        : process_(process), reporter_(reporter) {}

    /// Each call, in the order of their entries.
    void check(const CallView& view);

private:
    struct Envelope {
        std::int64_t communicator = model::kNullHandle;
        std::int64_t source = model::kAnySource;
        std::int64_t tag = model::kAnyTag;
    };
    /// The last receive of a thread, from the probe before it on if there was one.
    struct Interval {
        std::int64_t begin_ns = 0;
        std::int64_t receive_ns = 0;  ///< the receive has begun
        std::int64_t end_ns = INT64_MAX;
        Envelope asked;
        CallSite receive;
        std::optional<CallSite> probe;
        Envelope probed;       ///< the message
        bool is_over = false;  ///< the receive has been called
        bool is_told = false;  ///< reported
        /// The other thread's receive that was seen in a probed one that is not over.
        std::optional<CallSite> met;
    };

    void probe(const CallView& view);
    void receive(const CallView& view, const Envelope& asked);
    void compare(int thread, Interval& now);
    static bool may_take(const Interval& taker, const Interval& owner);
    void meet(Interval& owner, const CallSite& taker);
    void report(Interval& owner, const CallSite& taker);

    const model::RecordedProcess& process_;
    Reporter& reporter_;
    std::map<int, Interval> last_;  ///< by thread
};

}  // namespace mqinspect::analysis
