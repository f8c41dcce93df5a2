/// What variables that hand the turn on are known to be, as long as one thread goes its way.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {

struct TurnWrite {
    FunctionId function = 0;
    StepId step = 0;
};

class TurnWrites {
public:
    explicit TurnWrites(const Program& program);

    /// By variable.
    const std::map<StringId, std::vector<TurnWrite>>& all() const { return writes_; }
    /// Whether `node`, or what it calls or starts, may write to `variable`.
    bool may_write(Node node, StringId variable) const;
    /// What a static variable is at first.
    std::optional<std::int64_t> first_value(StringId variable) const;

private:
    const Program& program_;
    std::map<StringId, std::vector<TurnWrite>> writes_;
    std::unordered_map<StringId, std::unordered_set<Node>> writers_;
};

/// Whether a step of `region` may be executed by another thread than the one that calls the
/// function.
bool is_in_team(const Program& program, FunctionId function, RegionId region);

/// A forward data-flow over one function.
class TurnValues {
public:
    TurnValues(const Program& program, const TurnWrites& writes, FunctionId function);

    /// In front of `step`; nothing if it may be one or the other, or changes meanwhile.
    std::optional<std::int64_t> before(StepId step, StringId variable) const;

private:
    struct State {
        std::map<StringId, std::int64_t> known;
        std::unordered_set<StringId> lost;  // a thread has been started that may write it
        bool is_reached = false;
    };

    State at_start() const;
    State after(StepId step) const;
    void leave_team(State& state, RegionId team) const;
    static bool merge(State& into, const State& from);

    const Program& program_;
    const TurnWrites& writes_;
    FunctionId function_;
    std::vector<State> before_;
};

/// Whether the function writes to the variable at `step` only where it has found, and not written
/// to it since, that it is not `number`.
bool writes_in_turn(std::span<const Step> steps, StepId step, std::int64_t number);

}  // namespace mqinspect::thread_level
