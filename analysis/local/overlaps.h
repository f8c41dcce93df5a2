/// Buffers of operations that have started and not completed, and calls that use them.
///
/// A process must not write into memory that a pending operation reads, nor touch memory that
/// one writes (MPI 4.0, 3.7.2, 6.12, 12.3); that two operations read the same is allowed.
#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "analysis/datatypes/footprint.h"
#include "analysis/local/active_buffers.h"
#include "analysis/local/buffers.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

/// The checks. The arguments of the constructor must outlive it.
/// Who has changed a buffer (EventKind::Overwritten): the place is known, where the program does
/// what `does` says, or the call behind.
Involved changed_by(const model::RecordedEvent& event,
                    const CallSite& next,
                    std::string_view does = "touches it");

class Overlaps {
public:
    Overlaps(model::ProcessId process, Footprints& footprints, Reporter& reporter)
        : process_(process), footprints_(footprints), reporter_(reporter) {}

    /// The buffers of a call against each other, and against those of pending operations.
    void check(const CallView& view, const std::vector<Access>& accesses);
    /// The call has returned, or returns later: until then its buffers are in use for the calls of
    /// other threads.
    void open(const CallView& view, const std::vector<Access>& accesses);
    void close_before(const CallView& view);
    /// The same for a persistent operation that starts: `made` is where its buffers were given.
    void check_start(const CallSite& start,
                     const CallSite& made,
                     const std::vector<Access>& accesses);

    /// Memory that a call, or the persistent operation that it makes, writes to twice, as its
    /// datatype says (MPI 4.0, 5.1.11); at the target of a one-sided operation, too.
    void check_datatypes(const CallView& view, const std::vector<Access>& accesses);

    /// EventKind::Overwritten, which was noted in front of the call `next`. False: no operation
    /// that is known uses the buffer.
    bool changed(const model::RecordedEvent& event, const CallSite& next);
    /// The same of an array that the call `given`, which may make a persistent request, was given
    /// beside its buffers.
    void changed_argument(const model::RecordedEvent& event,
                          const CallSite& next,
                          const CallSite& given,
                          bool persistent);

    /// EventKind::MemoryFreed.
    void freed(const model::RecordedEvent& event, const CallSite& next);

    PendingBuffers& active() { return active_; }

private:
    void check_datatype(const CallView& view,
                        std::int64_t count,
                        model::DatatypeId type,
                        std::string_view buffer);
    void check_own(const CallView& view, const std::vector<Access>& accesses);
    void check_pair(const CallView& view, const Access& first, const Access& second);
    void check_active(const CallSite& site, const CallSite* made, const Access& access);
    bool share_bytes(const Access& left, const Access& right);

    model::ProcessId process_;
    Footprints& footprints_;
    Reporter& reporter_;
    PendingBuffers active_;
    /// A call whose buffers are among the active ones.
    struct Open {
        int thread = 0;
        bool returns = false;
        std::int64_t leave_ns = 0;
        ActiveSlot buffers = kNoSlot;
    };
    std::vector<Open> open_;
    std::set<model::StackId> touched_;  ///< whose operations' buffers guards have seen in use
    std::vector<const Access*> sorted_;
};

}  // namespace mqinspect::analysis
