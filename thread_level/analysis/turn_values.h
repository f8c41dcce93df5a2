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

/// Whether the step writes to a variable that hands the turn on.
bool writes_turn(const Step& step);

/// The constant that is written; nothing: not known.
std::optional<std::int64_t> written_value(const Program& program, TurnWrite write);

class TurnWrites {
public:
    explicit TurnWrites(const Program& program);

    /// By variable. What nobody executes does not count.
    const std::map<StringId, std::vector<TurnWrite>>& all() const { return writes_; }
    /// Whether `node`, or what it calls or starts, may write to `variable`.
    bool may_write(Node node, StringId variable) const;
    /// What a static variable is at first.
    std::optional<std::int64_t> first_value(StringId variable) const;

private:
    const Program& program_;
    std::map<StringId, std::vector<TurnWrite>> writes_;
    std::unordered_map<StringId, std::unordered_set<Node>> writers_;
    std::unordered_map<StringId, std::int64_t> first_values_;
};

/// Whether a step of `region` may be executed by another thread than the one that calls the
/// function.
bool is_in_team(const Program& program, FunctionId function, RegionId region);

/// Neither threads that the program starts nor teams execute the function.
bool is_serial(const Program& program, FunctionId id);

/// A forward data-flow over one function.
class TurnValues {
public:
    struct State {
        std::map<StringId, std::int64_t> known;
        std::unordered_set<StringId> lost;  // a thread has been started that may write it
        bool is_reached = false;
    };

    /// `at_start`: of the function.
    TurnValues(const Program& program,
               const TurnWrites& writes,
               FunctionId function,
               State at_start);

    /// In front of `step`; nothing if it may be one or the other, or changes meanwhile.
    std::optional<std::int64_t> before(StepId step, StringId variable) const;
    const State& before(StepId step) const { return before_[step]; }
    /// True: `into` has changed.
    static bool merge(State& into, const State& from);

private:
    State after(StepId step) const;
    void leave_team(State& state, RegionId team) const;

    const Program& program_;
    const TurnWrites& writes_;
    FunctionId function_;
    std::vector<State> before_;
};

/// Whether the function comes to `step` only where it has found that the variable is not `number`,
/// or, `is_equal`, that it is, be it in a function that it has called, and not written to it since,
/// or called what does so.
bool comes_in_turn(const Program& program,
                   const TurnWrites& writes,
                   TurnWrite step,
                   StringId variable,
                   std::int64_t number,
                   bool is_equal = false);

}  // namespace mqinspect::thread_level
