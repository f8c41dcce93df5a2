/// The one-sided operations of one epoch, by target, and which of them conflict.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/datatypes/footprint.h"
#include "analysis/local/overlaps.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

struct TargetAccess {
    enum class Effect : std::uint8_t { Read, Write, Accumulate };
    static constexpr std::int64_t kAnyOperator = -1;  ///< MPI_Compare_and_swap
    static constexpr std::int64_t kNoOperation = -2;  ///< MPI_NO_OP: reads

    Access memory;  ///< of the target's window
    Effect effect = Effect::Read;
    std::int64_t op = kAnyOperator;
    model::ProcessId origin;
    CallSite site;
    bool exclusive = false;         ///< under an exclusive lock
    bool ordered = false;           ///< its process may have heard of others' operations before
    std::int64_t flushes = 0;       ///< of its process to the target before it
    std::int64_t completions = -1;  ///< that may have completed it; -1: none does
};

class TargetAccesses {
public:
    enum Kind : int { Fence, Passive, Started };
    static constexpr std::size_t kMaxAccesses = 1 << 20;

    /// Calls `report(earlier, doubtful)` for each that conflicts with it. False: there are too
    /// many; this one is not kept.
    template <class Report>
    bool add(const TargetAccess& made,
             std::int64_t target,
             bool passive,
             Footprints& footprints,
             Report report) {
        Target& place = targets_[target];
        place.ranges.for_each_meeting(made.memory.hull, [&](ActiveSlot slot) {
            const TargetAccess& earlier = place.accesses[slot];
            const Severity severity = conflict(made, earlier);
            if (severity == Severity::Note || !concurrent(made, earlier, passive)) return;
            if (!share_bytes(made.memory, earlier.memory, footprints)) return;
            report(earlier, severity == Severity::Warning);
        });
        if (place.accesses.size() == kMaxAccesses) return false;
        place.ranges.add(made.memory, made.site, true, kNoSlot);
        place.accesses.push_back(made);
        return true;
    }

private:
    struct Target {
        ActiveBuffers ranges;
        std::vector<TargetAccess> accesses;  ///< by their place in `ranges`
    };

    /// Note: none.
    static Severity conflict(const TargetAccess& left, const TargetAccess& right);
    static bool concurrent(const TargetAccess& left, const TargetAccess& right, bool passive);
    static bool share_bytes(const Access& left, const Access& right, Footprints& footprints);

    std::map<std::int64_t, Target> targets_;
};

}  // namespace mqinspect::analysis
