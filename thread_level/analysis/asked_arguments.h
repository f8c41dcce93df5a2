/// In which states calls may enter a function with all that the guards around a region of it ask of
/// its arguments: each call by itself, and what callers only hand on by how they are called.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "thread_level/analysis/program.h"
#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {

/// Refers to what it is made of.
class AskedArguments {
public:
    /// Of a call by a function that is entered in one of the states.
    using StatesOfCall = std::function<StateSet(const CallerEdge&, FunctionId, StateSet)>;

    /// `entered`: all states that each function is entered in; `outside`: by callers that are not
    /// there.
    AskedArguments(const Program& program,
                   std::span<const StateSet> entered,
                   std::span<const StateSet> outside,
                   StatesOfCall states_of_call)
        : program_(program),
          entered_(entered),
          outside_(outside),
          states_of_call_(std::move(states_of_call)) {}

    /// That the argument at `position` is as the condition says of the number.
    struct Asked {
        std::size_t position = 0;
        Condition condition = Condition::None;
        std::int64_t number = 0;

        bool operator==(const Asked&) const = default;
        bool operator<(const Asked& other) const {
            return std::tie(position, condition, number) <
                   std::tie(other.position, other.condition, other.number);
        }
    };
    using AllAsked = std::vector<Asked>;

    /// By the guards `region` and around.
    AllAsked asked_in(FunctionId function, RegionId region) const;
    /// What who makes the call has to be handed, so that it hands that over; nothing: it does not.
    std::optional<AllAsked> asked_of(const CallerEdge& caller, const AllAsked& asked) const;
    StateSet may_be_entered(FunctionId function, AllAsked asked);

private:
    using Case = std::pair<FunctionId, AllAsked>;  // sorted
    struct Way {
        CallerEdge by;
        std::size_t from = 0;  // a case of the caller
    };
    /// What is not followed any more has no ways, and keeps its states.
    struct Found {
        FunctionId function = 0;
        AllAsked asked;
        StateSet states = 0;
        std::vector<Way> ways;
    };
    bool may_hold(const Asked& asked, const Value& value) const;
    std::size_t number_of(Case found);
    void find_ways(std::size_t number);

    const Program& program_;
    std::span<const StateSet> entered_;
    std::span<const StateSet> outside_;
    StatesOfCall states_of_call_;
    std::map<Case, std::size_t> numbers_;
    std::vector<Found> all_;  // of one question
    std::map<Case, StateSet> known_;
};

}  // namespace mqinspect::thread_level
