/// Which numbers a variable that hands the turn on may be, where who starts threads writes to it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "thread_level/analysis/turn_values.h"

namespace mqinspect::thread_level {

/// A write, and by which calls it is come to, as far up as it takes to know who that is, and what
/// is written: the write itself, and the calls from the innermost one on.
struct WayToWrite {
    std::vector<TurnWrite> way;
    std::optional<std::int64_t> to;  ///< what is written; nothing: not known
    bool is_of_starter = false;      ///< of who starts threads, not of these, nor of a team
};

/// Nothing stands for all numbers that are neither written to it nor compared with it.
using PossibleValue = std::optional<std::int64_t>;

class PossibleValues {
public:
    /// The program and the writes must outlive it.
    PossibleValues(const Program& program, const TurnWrites& writes, StringId variable);

    const std::vector<WayToWrite>& ways() const { return ways_; }
    /// In front of `at`, while other threads may write to it.
    std::vector<PossibleValue> before(TurnWrite at);

private:
    using Mask = std::uint64_t;  // of values_
    struct State {
        Mask values = 0;
        bool has_threads = false;

        bool operator==(const State&) const = default;
    };

    void find_values();
    Mask bit(PossibleValue value) const;
    Mask all() const { return (Mask{2} << (values_.size() - 1)) - 1; }
    Mask found_by(const Step& test, Mask values) const;
    State after_calls(TurnWrite at, State state) const;
    State after(TurnWrite at, State state) const;
    const std::vector<State>& states_of(FunctionId function);

    const Program& program_;
    const TurnWrites& writes_;
    StringId variable_;
    std::vector<WayToWrite> ways_;
    std::vector<PossibleValue> values_;
    Mask of_threads_ = 0;  // what threads write, and teams
    std::map<FunctionId, std::vector<State>> states_;
};

}  // namespace mqinspect::thread_level
