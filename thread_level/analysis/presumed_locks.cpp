#include "thread_level/analysis/presumed_locks.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "thread_level/analysis/program.h"
#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {
namespace {

/// A function, and what it is called with.
using Look = std::pair<StringId, StringId>;

std::optional<Look> look_of(const Program& program, const Step& step) {
    if (step.kind != StepKind::Call || step.lock_look == 0 || !program.is_unknown(step.name))
        return std::nullopt;
    return Look{step.name, step.lock_look};
}

/// A barrier, where nobody may hold a lock.
bool waits_for_team(std::span<const Region> regions, const Step& step) {
    return step.kind == StepKind::Barrier ||
           (step.kind == StepKind::Leave &&
            (regions[step.target].barrier_at_end || makes_team(regions[step.target])));
}

/// The body of the construct is executed by others, too.
bool is_for_others(const Region& region) {
    return has_own_team(region) || is_deferred_task(region) || region.kind == RegionKind::Taskloop;
}

/// One function taken for what locks, another one for what unlocks.
class Presumption {
public:
    Presumption(const Program& program, FunctionId function, const Look& takes, const Look& gives)
        : program_(program),
          steps_(program.steps(function)),
          regions_(program.regions(function)),
          takes_(takes),
          gives_(gives),
          before_(steps_.size(), 0) {}

    /// False: the calls are no pair. Else is_held() speaks.
    bool run() {
        std::vector<StepId> open;
        reach(0, kFree, open);
        while (!open.empty()) {
            const StepId id = open.back();
            open.pop_back();
            const auto after = leave(id);
            if (!after) return false;
            for (const StepId next : steps_[id].next)
                reach(next, *after, open);
        }
        return true;
    }
    bool is_held(StepId id) const { return before_[id] == kHeld; }

private:
    static constexpr std::uint8_t kFree = 1;
    static constexpr std::uint8_t kHeld = 2;

    void reach(StepId id, std::uint8_t state, std::vector<StepId>& open) {
        if ((before_[id] | state) == before_[id]) return;
        before_[id] |= state;
        open.push_back(id);
    }

    std::optional<std::uint8_t> leave(StepId id) const {
        const Step& step = steps_[id];
        const std::uint8_t state = before_[id];
        const auto look = look_of(program_, step);
        if (look == takes_) return state == kFree ? std::optional(kHeld) : std::nullopt;
        if (look == gives_) return state == kHeld ? std::optional(kFree) : std::nullopt;
        const bool must_be_free = step.kind == StepKind::Exit || waits_for_team(regions_, step);
        if (must_be_free && state != kFree) return std::nullopt;
        const bool is_handed_over =
            step.kind == StepKind::Enter && is_for_others(regions_[step.target]);
        return is_handed_over ? kFree : state;
    }

    const Program& program_;
    std::span<const Step> steps_;
    std::span<const Region> regions_;
    Look takes_;
    Look gives_;
    std::vector<std::uint8_t> before_;  // by step: kFree, kHeld, or both
};

std::set<Look> looks_in(const Program& program, FunctionId function) {
    std::set<Look> looks;
    for (const Step& step : program.steps(function)) {
        if (const auto look = look_of(program, step)) looks.insert(*look);
    }
    return looks;
}

}  // namespace

std::vector<ExclusionSet> presumed_locks(const Program& program,
                                         FunctionId function,
                                         Exclusions& exclusions) {
    constexpr std::size_t most_looks = 16;
    std::vector<ExclusionSet> held;
    const std::set<Look> looks = looks_in(program, function);
    if (looks.size() > most_looks) return held;
    for (const Look& takes : looks) {
        for (const Look& gives : looks) {
            if (takes.second != gives.second || takes.first == gives.first) continue;
            Presumption presumption(program, function, takes, gives);
            if (!presumption.run()) continue;
            const ExclusionSet lock = exclusions.intern(std::vector{exclusions.intern(Exclusion{
                .kind = Exclusion::Kind::Presumed, .name = takes.first, .field = takes.second})});
            held.resize(program.steps(function).size(), 0);
            for (StepId id = 0; id < held.size(); ++id) {
                if (presumption.is_held(id)) held[id] = exclusions.unite(held[id], lock);
            }
        }
    }
    return held;
}

}  // namespace mqinspect::thread_level
