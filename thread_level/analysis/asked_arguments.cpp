#include "thread_level/analysis/asked_arguments.h"

#include <algorithm>

#include "thread_level/facts/flag_facts.h"
#include "thread_level/facts/relations.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

constexpr std::size_t kMostCases = 64;  // of one question
constexpr std::size_t kMostAsked = 8;

/// Whether a flag is asked to be true, or to be false; nothing: neither.
std::optional<bool> side_of_flag(Condition condition, std::int64_t number) {
    const bool is_flag = number == 0 || number == 1;
    const bool is_not = condition == Condition::ArgumentIsNot;
    if (!is_flag || (!is_not && condition != Condition::ArgumentIs)) return std::nullopt;
    return (number == 1) != is_not;
}

}  // namespace

/// Where `value` is handed over, and no more is known of it.
bool AskedArguments::may_hold(const Asked& asked, const Value& value) const {
    if (asked.number == kNull && value.kind == Value::Kind::ThreadNumber)
        return asked.condition == Condition::ArgumentIsNot;
    if (asked.number == kOneProcess) {
        return asked.condition == Condition::ArgumentIs ||
               !is_of_this_process(value, program_.unit().strings);
    }
    if (value.kind != Value::Kind::Constant) return true;
    return thread_level::may_hold(asked.condition, asked.number, value.number);
}

AskedArguments::AllAsked AskedArguments::asked_in(FunctionId function, RegionId region) const {
    AllAsked all;
    const std::span<const Region> regions = program_.regions(function);
    for (; region != 0 && region < regions.size(); region = regions[region].parent) {
        const Region& guard = regions[region];
        if (!asks_argument(guard) || all.size() == kMostAsked) continue;
        all.push_back({.position = static_cast<std::size_t>(guard.tested.number),
                       .condition = guard.condition,
                       .number = guard.number});
    }
    return all;
}

std::optional<AskedArguments::AllAsked> AskedArguments::asked_of(const CallerEdge& caller,
                                                                 const AllAsked& asked) const {
    const Step& step = program_.steps(caller.from)[caller.step];
    AllAsked all = asked_in(caller.from, step.region);
    for (const Asked& one : asked) {
        if (one.position >= step.arguments.size()) continue;
        const Value& value = step.arguments[one.position];
        if (is_whole_parameter(value) && value.number >= 0) {
            Asked further = one;
            further.position = static_cast<std::size_t>(value.number);
            all.push_back(further);
        } else if (is_flag_of_parameter(value)) {
            const auto side = side_of_flag(one.condition, one.number);
            const FlagFacts facts = facts_of_name(program_.unit().strings[value.name]);
            if (!side) continue;
            for (const FlagFact& fact : *side ? facts.if_true : facts.if_false) {
                all.push_back({.position = static_cast<std::size_t>(value.number),
                               .condition = fact.condition,
                               .number = fact.number});
            }
        } else if (!may_hold(one, value)) {
            return std::nullopt;
        }
    }
    return all;
}

std::size_t AskedArguments::number_of(Case found) {
    AllAsked& asked = found.second;
    std::sort(asked.begin(), asked.end());
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
    const auto [at, is_new] = numbers_.try_emplace(std::move(found), all_.size());
    if (is_new)
        all_.push_back({.function = at->first.first, .asked = at->first.second, .ways = {}});
    return at->second;
}

/// Of callers that are not known, of what nothing is asked, and of what is too far away, it may be
/// any state.
void AskedArguments::find_ways(std::size_t number) {
    const FunctionId function = all_[number].function;
    const AllAsked asked = all_[number].asked;
    const std::span<const CallerEdge> callers = program_.callers(function);
    const bool are_known = std::ranges::all_of(callers, [this](const CallerEdge& caller) {
        return caller.kind == CallKind::Call && program_.is_function(caller.from);
    });
    if (asked.empty() || callers.empty() || !are_known || all_.size() > kMostCases) {
        all_[number].states = entered_[function];
        return;
    }
    all_[number].states = outside_[function];
    for (const CallerEdge& caller : callers) {
        std::optional<AllAsked> further = asked_of(caller, asked);
        if (!further) continue;
        const std::size_t from = number_of({caller.from, *std::move(further)});
        all_[number].ways.push_back({.by = caller, .from = from});
    }
}

StateSet AskedArguments::may_be_entered(FunctionId function, AllAsked asked) {
    const auto [known, is_new] = known_.try_emplace({function, asked});
    if (!is_new) return known->second;
    numbers_.clear();
    all_.clear();
    number_of({function, std::move(asked)});
    for (std::size_t i = 0; i < all_.size(); ++i)
        find_ways(i);
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (Found& one : all_) {
            StateSet states = one.states;
            for (const Way& way : one.ways) {
                const StateSet from = all_[way.from].states;
                if (from == 0) continue;
                states =
                    static_cast<StateSet>(states | states_of_call_(way.by, one.function, from));
            }
            has_changed = has_changed || states != one.states;
            one.states = states;
        }
    }
    return known->second = all_.front().states;
}

}  // namespace mqinspect::thread_level
