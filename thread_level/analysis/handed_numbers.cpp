#include "thread_level/analysis/handed_numbers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "thread_level/analysis/executor.h"
#include "thread_level/analysis/open.h"
#include "thread_level/analysis/shape.h"
#include "thread_level/analysis/started_numbers.h"
#include "thread_level/analysis/states.h"
#include "thread_level/analysis/turn_values.h"
#include "thread_level/facts/relations.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

struct Parameter {
    Node function = 0;  ///< or what a call through a pointer may mean
    std::int64_t position = 0;

    bool operator==(const Parameter&) const = default;
    bool operator<(const Parameter& other) const {
        return std::tie(function, position) < std::tie(other.function, other.position);
    }
};

/// Whether what is asked is above 0, as the number of a thread is that is not 0.
bool compares_with_order(Condition condition) {
    return condition == Condition::ArgumentIsPositive ||
           condition == Condition::ArgumentIsNotPositive;
}

bool asks_for_argument(const Region& region) {
    return compares_argument(region) || (is_whole_parameter(region.tested) &&
                                         (region.condition == Condition::ArgumentIsShared ||
                                          region.condition == Condition::ArgumentIsOrLeftOut ||
                                          compares_with_order(region.condition)));
}

/// What is handed over as a parameter, on all ways.
struct HandedValue {
    Returns value = Returns::Other;  ///< as if a function had returned it
    std::int64_t added = 0;          ///< to the number of the thread
    bool is_index = false;           ///< or the index of a loop
    bool is_at_most = false;         ///< whether it is 0, or is not; it may be false there, too
    bool is_unknown = false;         ///< who gives it is not there
};

bool is_of_number(Returns value) {
    return value == Returns::ThreadNumber || value == Returns::IsThreadZero ||
           value == Returns::IsNotThreadZero;
}

/// What an argument is that is made of `given`, or that itself.
Returns compared_with_zero(const Value& argument, Returns given) {
    if (argument.number == 0) return given;
    if (is_number_or_sum(argument)) return given == Returns::ThreadNumber ? given : Returns::Other;
    const bool is_zero = argument.number == kIsZero;
    switch (condition_of_wrapper(
        is_zero ? Condition::ThreadIsZero : Condition::ThreadIsNotZero, 0, given)) {
        case Condition::ThreadIsZero:
            return Returns::IsThreadZero;
        case Condition::ThreadIsNotZero:
            return Returns::IsNotThreadZero;
        default:
            return Returns::Other;
    }
}

/// What a guard asks that compares a parameter with `number`.
Condition condition_on(const Region& region, std::int64_t number, Returns handed) {
    if (region.condition == Condition::ArgumentIsShared) {
        return handed == Returns::ThreadNumber ? Condition::ThreadIsOther : Condition::None;
    }
    const bool is_equal = region.condition == Condition::ArgumentIs ||
                          region.condition == Condition::ArgumentIsOrLeftOut ||
                          region.condition == Condition::ArgumentIsNotPositive;
    if (is_equal) {
        const Condition assumed = number == 0 ? Condition::ThreadIsZero : Condition::ThreadIsOther;
        return condition_of_wrapper(assumed, number, handed);
    }
    if (number == 0) return condition_of_wrapper(Condition::ThreadIsNotZero, 0, handed);
    const bool is_flag = handed == Returns::IsThreadZero || handed == Returns::IsNotThreadZero;
    // What is not 1 is 0.
    return is_flag && number == 1 ? condition_of_wrapper(Condition::ThreadIsZero, 0, handed)
                                  : Condition::None;
}

/// The same, of a parameter that is what all ways hand over.
ResolvedCondition resolve(const Region& region, const HandedValue& handed) {
    const bool is_shared = region.condition == Condition::ArgumentIsShared;
    ResolvedCondition resolved{.number = is_shared ? 0 : region.number - handed.added,
                               .is_unknown = handed.is_unknown};
    if (resolved.is_unknown) return resolved;
    if (compares_with_order(region.condition) && (handed.is_index || resolved.number != 0))
        return {};
    if (handed.is_index) {
        if (region.condition != Condition::ArgumentIs || region.number < 0 ||
            region.number >= kFirstText)
            return {};
        const std::int64_t index = static_cast<std::int64_t>(kFirstIndex) + region.number;
        return {.condition = Condition::ThreadIsOther, .number = index};
    }
    const bool is_of_nobody = handed.added != 0 && resolved.number < 0;
    if (is_of_nobody) return resolved;
    resolved.condition = condition_on(region, resolved.number, handed.value);
    const Condition where_true = handed.value == Returns::IsThreadZero ? Condition::ThreadIsZero
                                                                       : Condition::ThreadIsNotZero;
    if (handed.is_at_most && resolved.condition != where_true) return {};
    return resolved;
}

class HandedNumbers {
public:
    explicit HandedNumbers(const Program& program) : program_(program) {
        for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
            for (const Step& step : program.steps(id))
                if (step.kind == StepKind::Keep) keeps_[step.name].emplace_back(id, step.value);
        }
    }

    std::unordered_map<const Region*, ResolvedCondition> conditions();
    std::unordered_map<StringId, KeptNumber> kept() const;

private:
    enum class Source : std::uint8_t { Other, Known, Unknown, Parameter, Constant };

    /// A value, or the parameter of a caller.
    struct Given {
        Source source = Source::Other;
        Returns value = Returns::Other;
        std::int64_t added = 0;  ///< or the constant
        bool is_index = false;
        bool is_at_most = false;
        Parameter parameter = {};
    };
    /// A constant in place of the number of the thread.
    struct Replaced {
        CallerEdge by;
        std::int64_t number = 0;
    };

    AllWritten all_written_to(StringId name) const;
    bool is_same_thread(const CallerEdge& caller) const;
    const Value* argument_of(const CallerEdge& caller, std::int64_t position) const;
    Given given_by(const CallerEdge& caller, std::int64_t position) const;
    bool is_of_thread_zero(const CallerEdge& caller) const;
    bool is_beside_teams(const CallerEdge& caller) const;
    bool is_its_number(const Replaced& constant, const HandedValue& handed) const;
    bool is_left_out(const CallerEdge& caller, std::int64_t position) const;
    std::optional<HandedValue> find(const Parameter& parameter, bool holds_if_left_out) const;
    void add_kept(FunctionId function, const Value& written, KeptNumber& kept) const;
    const KeptNumber& kept_in(StringId name) const;
    bool is_shared(const Parameter& parameter) const;

    const Program& program_;
    mutable std::unordered_map<FunctionId, bool> is_serial_;  // as far as it was asked
    // Members that functions write what they are handed to: which functions, and what.
    std::unordered_map<StringId, std::vector<std::pair<FunctionId, Value>>> keeps_;
    mutable std::unordered_map<StringId, KeptNumber> kept_;  // of those, as far as it was asked
};

/// Who entered the function that calls makes the call.
bool HandedNumbers::is_same_thread(const CallerEdge& caller) const {
    return is_of_caller(program_.regions(caller.from),
                        program_.steps(caller.from)[caller.step].region);
}

/// What a function hands over, also through a pointer; null: it starts a thread, or that is not
/// known.
const Value* HandedNumbers::argument_of(const CallerEdge& caller, std::int64_t position) const {
    if (caller.kind != CallKind::Call || !program_.is_function(caller.from)) return nullptr;
    const Step& step = program_.steps(caller.from)[caller.step];
    const auto number = static_cast<std::size_t>(position);
    const bool is_call = step.kind == StepKind::Call || step.kind == StepKind::Indirect;
    const bool is_known = is_call && number < step.arguments.size();
    return is_known ? &step.arguments[number] : nullptr;
}

/// What all units write to it, and what functions are handed that write it.
AllWritten HandedNumbers::all_written_to(StringId name) const {
    return all_written(written_number(program_.unit(), name),
                       keeps_.contains(name) ? kept_in(name) : KeptNumber{});
}

/// Of one in `keeps_`. What is asked for while it is being found out may be anything.
const KeptNumber& HandedNumbers::kept_in(StringId name) const {
    const auto [known, is_new] = kept_.try_emplace(name, KeptNumber{.is_other = true});
    if (!is_new) return known->second;
    KeptNumber kept;
    for (const auto& [function, value] : keeps_.at(name))
        if (program_.may_be_executed(function)) add_kept(function, value, kept);
    return kept_[name] = kept;
}

HandedNumbers::Given HandedNumbers::given_by(const CallerEdge& caller,
                                             std::int64_t position) const {
    // All functions that a call through a pointer may mean get the same.
    if (caller.kind == CallKind::Call && !program_.is_function(caller.from)) {
        return {.source = Source::Parameter,
                .parameter = {.function = caller.from, .position = position}};
    }
    const Value* const argument = argument_of(caller, position);
    if (argument == nullptr) return {};
    const Value& value = *argument;
    if (is_whole_parameter(value)) {
        if (!is_same_thread(caller)) return {};
        return {.source = Source::Parameter,
                .parameter = {.function = caller.from, .position = value.number}};
    }
    if (value.kind == Value::Kind::Constant && value.number < kFirstText)
        return {.source = Source::Constant, .added = value.number};
    if (value.kind != Value::Kind::ThreadNumber) return {};
    Returns given = Returns::ThreadNumber;
    std::int64_t added = 0;
    bool is_at_most = value.created_once;
    if (value.number == kIndexOfLoop)
        return {.source = Source::Known, .value = given, .is_index = true};
    if (value.name != 0 && is_member_name(program_.unit().strings[value.name])) {
        const AllWritten kept = all_written_to(value.name);
        if (kept.is_other || kept.is_number == kept.is_flag) return {};
        if (kept.is_unknown) return {.source = Source::Unknown};
        given = kept.is_flag ? Returns::IsThreadZero : Returns::ThreadNumber;
        // What is not such a flag says nothing.
        if (kept.is_partial && compared_with_zero(value, given) != Returns::IsThreadZero) return {};
        is_at_most = is_at_most || kept.is_partial;
    } else if (value.name != 0) {
        const GivenNumber number = program_.number_given(value.name);
        if (number.is_unknown) return {.source = Source::Unknown};
        given = number.returns;
        added = number.added;
        if (added != 0 && !is_number_or_sum(value)) return {};
    }
    given = compared_with_zero(value, given);
    if (value.number != 0 && is_number_or_sum(value)) added += value.number - kSumOfNumber;
    return {.source = is_of_number(given) ? Source::Known : Source::Other,
            .value = given,
            .added = added,
            .is_at_most = is_at_most};
}

/// Whether who calls, of a team, is known to have the number 0: it has asked.
bool HandedNumbers::is_of_thread_zero(const CallerEdge& caller) const {
    if (caller.kind != CallKind::Call || !program_.is_function(caller.from)) return false;
    const std::span<const Region> regions = program_.regions(caller.from);
    for (RegionId id = program_.steps(caller.from)[caller.step].region; id != 0;
         id = regions[id].parent) {
        const Region& region = regions[id];
        if (has_own_team(region) || is_deferred_task(region) || region.kind == RegionKind::Taskloop)
            return false;
        const bool asks = region.kind == RegionKind::Guard && region.wrapper == 0 &&
                          region.condition == Condition::ThreadIsZero;
        if (region.kind == RegionKind::Master || asks) return true;
    }
    return false;
}

/// Whether no team is there when the function is called: whatever is handed over, no two threads
/// come to the call.
bool HandedNumbers::is_beside_teams(const CallerEdge& caller) const {
    if (caller.kind != CallKind::Call || !program_.is_function(caller.from)) return false;
    const RegionId region = program_.steps(caller.from)[caller.step].region;
    if (is_in_team(program_, caller.from, region)) return false;
    const auto [known, is_new] = is_serial_.try_emplace(caller.from, false);
    if (is_new) known->second = is_serial(program_, caller.from);
    return known->second;
}

/// Whether the constant says what `handed` would.
bool HandedNumbers::is_its_number(const Replaced& constant, const HandedValue& handed) const {
    if (handed.is_index) return false;
    const bool is_not_zero = constant.number != 0;
    if (handed.is_at_most && !is_not_zero) return true;
    switch (handed.value) {
        case Returns::ThreadNumber:
            if (constant.number != handed.added) return false;
            break;
        case Returns::IsThreadZero:
            if (!is_not_zero) return false;
            break;
        case Returns::IsNotThreadZero:
            if (is_not_zero) return false;
            break;
        default:
            return false;
    }
    return is_of_thread_zero(constant.by);
}

/// Whether there is no such argument, which the function has to ask for first.
bool HandedNumbers::is_left_out(const CallerEdge& caller, std::int64_t position) const {
    const Value* const argument = argument_of(caller, position);
    return argument != nullptr && argument->kind == Value::Kind::Constant &&
           argument->number == kNull;
}

/// What all ways to the parameter begin with, if it has to do with the number of the thread. Where
/// it is left out, the function is not to ask for it; unless the guard `holds_if_left_out`: then it
/// is thread 0 that calls, or there is no team.
std::optional<HandedValue> HandedNumbers::find(const Parameter& parameter,
                                               bool holds_if_left_out) const {
    Open<Parameter> open(parameter);
    HandedValue handed;
    std::vector<Replaced> constants;
    while (!open.is_empty()) {
        const Parameter at = open.take();
        const std::span<const CallerEdge> callers = program_.callers(at.function);
        if (callers.empty()) return std::nullopt;
        for (const CallerEdge& caller : callers) {
            if (is_beside_teams(caller)) continue;
            if (is_left_out(caller, at.position)) {
                if (!holds_if_left_out || is_of_thread_zero(caller)) continue;
                return std::nullopt;
            }
            const Given given = given_by(caller, at.position);
            const bool differs = handed.value != Returns::Other &&
                                 (handed.value != given.value || handed.added != given.added ||
                                  handed.is_index != given.is_index);
            switch (given.source) {
                case Source::Other:
                    return std::nullopt;
                case Source::Unknown:
                    handed.is_unknown = true;
                    break;
                case Source::Known:
                    if (differs) return std::nullopt;
                    handed.value = given.value;
                    handed.added = given.added;
                    handed.is_index = given.is_index;
                    handed.is_at_most |= given.is_at_most;
                    break;
                case Source::Parameter:
                    open.add(given.parameter);
                    break;
                case Source::Constant:
                    constants.push_back({.by = caller, .number = given.added});
                    break;
            }
        }
    }
    if (!std::ranges::all_of(
            constants, [&](const Replaced& constant) { return is_its_number(constant, handed); }))
        return std::nullopt;
    if (handed.value == Returns::Other && !handed.is_unknown) return std::nullopt;
    return handed;
}

/// All that is handed over for the argument of the function, but for constants.
void HandedNumbers::add_kept(FunctionId function, const Value& written, KeptNumber& kept) const {
    if (!is_whole_parameter(written)) kept.is_other = true;
    Open<Parameter> open({.function = function, .position = written.number});
    while (!open.is_empty()) {
        const Parameter at = open.take();
        const std::span<const CallerEdge> callers = program_.callers(at.function);
        const bool is_main = program_.is_function(at.function) && program_.is_main(at.function);
        if (callers.empty()) (is_main ? kept.is_other : kept.is_unknown) = true;
        for (const CallerEdge& caller : callers) {
            const Value* const argument = argument_of(caller, at.position);
            if (argument != nullptr && argument->kind == Value::Kind::Constant) continue;
            const Given given = given_by(caller, at.position);
            if (given.source == Source::Unknown) {
                kept.is_unknown = true;
            } else if (given.source == Source::Parameter) {
                open.add(given.parameter);
            } else {
                const bool is_number =
                    given.value == Returns::ThreadNumber && given.added == 0 && !given.is_index;
                bool& is_kept = written.created_once ? kept.is_partial : kept.is_number;
                (is_number ? is_kept : kept.is_other) = true;
            }
        }
    }
}

std::unordered_map<StringId, KeptNumber> HandedNumbers::kept() const {
    std::unordered_map<StringId, KeptNumber> kept;
    for (const auto& [name, written] : keeps_)
        kept.emplace(name, kept_in(name));
    return kept;
}

/// Whether all threads of a team get the same for it, by whichever call.
bool HandedNumbers::is_shared(const Parameter& parameter) const {
    Open<Parameter> open(parameter);
    while (!open.is_empty()) {
        const Parameter at = open.take();
        for (const CallerEdge& caller : program_.callers(at.function)) {
            const Value* const value = argument_of(caller, at.position);
            if (value == nullptr) return false;
            if (is_same_for_all(*value) || value->kind == Value::Kind::Constant) continue;
            if (!is_whole_parameter(*value)) return false;
            // Of who makes the team, which has been handed one.
            if (!is_same_thread(caller)) continue;
            open.add({.function = caller.from, .position = value->number});
        }
    }
    return true;
}

std::unordered_map<const Region*, ResolvedCondition> HandedNumbers::conditions() {
    std::unordered_map<const Region*, ResolvedCondition> conditions;
    std::map<std::pair<Parameter, bool>, std::optional<HandedValue>> known;
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        const std::span<const Region> regions = program_.regions(id);
        for (RegionId i = 1; i < regions.size(); ++i) {
            const Region& region = regions[i];
            if (is_below_all_started(program_, id, i)) {
                conditions[&region].condition = Condition::IsMainThread;
                conditions[&region].number = region.number;
                continue;
            }
            if (!asks_for_argument(region) || region.number == kNull ||
                region.number == kOneProcess || !is_of_caller(regions, region.parent))
                continue;
            Parameter parameter{.function = id, .position = region.tested.number};
            Parameter limit{.function = id, .position = region.limit.number};
            const bool has_limit = region.limit.kind == Value::Kind::Parameter;
            if (has_limit && region.number == kEitherParameter && is_shared(parameter))
                std::swap(parameter, limit);
            const bool is_or_left_out = region.condition == Condition::ArgumentIsOrLeftOut;
            const auto [found, is_new] = known.try_emplace({parameter, is_or_left_out});
            if (is_new) found->second = find(parameter, is_or_left_out);
            if (!found->second || (has_limit && !is_shared(limit))) continue;
            conditions[&region] = resolve(region, *found->second);
        }
    }
    return conditions;
}

}  // namespace

std::unordered_map<const Region*, ResolvedCondition> conditions_on_handed_numbers(
    const Program& program) {
    return HandedNumbers(program).conditions();
}

std::unordered_map<StringId, KeptNumber> numbers_kept(const Program& program) {
    return HandedNumbers(program).kept();
}

}  // namespace mqinspect::thread_level
