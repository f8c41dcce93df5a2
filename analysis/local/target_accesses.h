/// The one-sided operations of one epoch, by target, and which of them conflict.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "analysis/datatypes/footprint.h"
#include "analysis/local/active_buffers.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

/// Of MPI_Win_lock_all.
inline constexpr std::int64_t kAllTargets = -1;

struct TargetAccess {
    enum class Effect : std::uint8_t { Read, Write, Accumulate };
    enum class Doing : std::uint8_t { Call, Load, Store, StoredBefore, Attachment };
    static constexpr std::int64_t kAnyOperator = -1;  ///< MPI_Compare_and_swap
    static constexpr std::int64_t kNoOperation = -2;  ///< MPI_NO_OP: reads
    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

    Access memory;  ///< of the target's window
    /// Where operations of several windows are compared, of which one; `memory` has addresses then.
    std::int64_t window = -1;
    Effect effect = Effect::Read;
    std::int64_t op = kAnyOperator;
    std::int64_t element = -1;       ///< what is accumulated: a basic datatype; -1: not known
    std::int64_t element_bytes = 0;  ///< of that
    model::ProcessId origin;
    CallSite site;
    bool local = false;  ///< the target itself, by a call that is not one-sided, or
    /// By itself, at `site` or before that call; or MPI_Win_attach and MPI_Win_detach, which must
    /// not meet others' operations any more than a store.
    Doing doing = Doing::Call;
    bool locked = true;      ///< its process has locked the target
    bool exclusive = false;  ///< under an exclusive lock
    bool lone_load = false;  ///< by the program, by which it does not wait for anything
    bool ordered = false;    ///< its process may have heard of others' operations before
    /// The same, but from this process alone, which can tell of its own operations no more than
    /// what is recorded; -1: from others, too.
    model::ProcessId only_by{-1};
    bool carried = false;    ///< into a later round: those before it are compared
    bool stands_in = false;  ///< for equal ones between the first and the last
    /// Exclusive locks of other targets that its process held, a bit for each, by chance the same
    /// for two: who holds one of them, too, comes before or after it.
    std::uint64_t guards = 0;
    std::int64_t round = 0;  ///< collective operations of all members before it
    // Of its process: where it was made, and where it was complete at the target. Events, without
    // clocks (OrderedCalls) times; of one run only one or the other.
    std::uint64_t issued = 0;
    std::uint64_t completed = kNever;
    std::int64_t began_ns = 0;
    std::int64_t ended_ns = 0;  ///< when it was complete at the target
    /// By process, of which events its process knew when it was made; null: nobody can tell.
    std::shared_ptr<const std::vector<std::uint64_t>> known;
};

/// What the call does to which bytes of the target, counted from the beginning of its part of the
/// window. False: that cannot be told, or it touches nothing.
bool describe_target(const CallView& view,
                     const model::RecordedWindow::Part& part,
                     const model::Execution& execution,
                     Footprints& footprints,
                     TargetAccess& made);

class TargetAccesses {
public:
    /// Shared: by windows with common memory. Exposed: and those behind it, for epochs of
    /// MPI_Win_post of each process.
    enum Kind : int { Fence, Passive, Shared, Exposed };
    static constexpr std::size_t kMaxAccesses = 1 << 20;

    /// Calls `report(earlier)` for each that conflicts with it. False: there are too many; this one
    /// is not kept.
    template <class Report>
    bool add(const TargetAccess& made,
             std::int64_t target,
             bool passive,
             Footprints& footprints,
             Report report) {
        Target& place = targets_[target];
        TargetAccess* same = nullptr;
        bool again = false;
        place.ranges.for_each_meeting(made.memory.hull, [&](ActiveSlot slot) {
            TargetAccess& earlier = place.accesses[slot];
            if (is_same(made, earlier)) {
                again = true;
                if (earlier.stands_in) same = &earlier;
            }
            if (!conflict(made, earlier) || !concurrent(made, earlier, passive)) return;
            if (share_bytes(made.memory, earlier.memory, footprints)) report(earlier);
        });
        // For what comes, the first one of a loop and the last stand for those between.
        if (same != nullptr) {
            *same = made;
            same->stands_in = true;
            return true;
        }
        if (place.accesses.size() == kMaxAccesses) return false;
        place.ranges.add(made.memory, made.site, true, kNoSlot);
        place.accesses.push_back(made);
        place.accesses.back().stands_in = again;
        return true;
    }

private:
    struct Target {
        ActiveBuffers ranges;
        std::vector<TargetAccess> accesses;  ///< by their place in `ranges`
    };

    /// But for when they were made.
    static bool is_same(const TargetAccess& left, const TargetAccess& right);
    static bool conflict(const TargetAccess& left, const TargetAccess& right);
    static bool concurrent(const TargetAccess& left, const TargetAccess& right, bool passive);
    static bool concurrent_in_process(const TargetAccess& first, const TargetAccess& second);
    static bool share_bytes(const Access& left, const Access& right, Footprints& footprints);

    std::map<std::int64_t, Target> targets_;
};

}  // namespace mqinspect::analysis
