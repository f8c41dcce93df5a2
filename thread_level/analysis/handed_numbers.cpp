#include "thread_level/analysis/handed_numbers.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "thread_level/analysis/shape.h"
#include "thread_level/analysis/started_numbers.h"
#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {
namespace {

struct Parameter {
    FunctionId function = 0;
    std::int64_t position = 0;

    bool operator==(const Parameter&) const = default;
    bool operator<(const Parameter& other) const {
        return std::tie(function, position) < std::tie(other.function, other.position);
    }
};

bool asks_for_argument(const Region& region) {
    return (region.condition == Condition::ArgumentIs ||
            region.condition == Condition::ArgumentIsNot) &&
           region.tested.kind == Value::Kind::Parameter && region.tested.name == 0;
}

/// A guard's question, further up.
struct Handed {
    Node node = 0;
    Asked asked;

    bool operator==(const Handed&) const = default;
};

class HandedNumbers {
public:
    explicit HandedNumbers(const Program& program) : program_(program) {}

    std::unordered_map<const Region*, ResolvedCondition> conditions();

private:
    enum class Source : std::uint8_t { Other, Number, UnknownNumber, Parameter };

    bool is_same_thread(FunctionId function, RegionId region) const;
    Source source_of(const CallerEdge& caller, std::int64_t position, Parameter& from) const;
    bool find(const Parameter& parameter, bool& is_unknown) const;
    bool is_below_all_started(FunctionId function, const Region& region) const;

    const Program& program_;
};

/// Who entered the function executes the region, too.
bool HandedNumbers::is_same_thread(FunctionId function, RegionId region) const {
    const std::span<const Region> regions = program_.regions(function);
    for (; region != 0; region = regions[region].parent) {
        if (has_own_team(regions[region]) || is_deferred_task(regions[region]) ||
            regions[region].kind == RegionKind::Taskloop)
            return false;
    }
    return true;
}

HandedNumbers::Source HandedNumbers::source_of(const CallerEdge& caller,
                                               std::int64_t position,
                                               Parameter& from) const {
    if (caller.kind != CallKind::Call || !program_.is_function(caller.from)) return Source::Other;
    const Step& step = program_.steps(caller.from)[caller.step];
    const auto number = static_cast<std::size_t>(position);
    if (step.kind != StepKind::Call || number >= step.arguments.size()) return Source::Other;
    const Value& value = step.arguments[number];
    if (value.kind == Value::Kind::Parameter && value.name == 0) {
        from = {.function = caller.from, .position = value.number};
        return is_same_thread(caller.from, step.region) ? Source::Parameter : Source::Other;
    }
    if (value.kind != Value::Kind::ThreadNumber) return Source::Other;
    if (value.name == 0) return Source::Number;
    const FunctionId wrapper = program_.function(value.name);
    if (wrapper == kNone) return Source::UnknownNumber;
    const Returns returns = program_.unit().functions[wrapper].returns;
    return returns == Returns::ThreadNumber ? Source::Number : Source::Other;
}

/// Whether all ways to the parameter begin with a thread number.
bool HandedNumbers::find(const Parameter& parameter, bool& is_unknown) const {
    std::vector<Parameter> open = {parameter};
    std::vector<Parameter> seen = open;
    bool has_source = false;
    while (!open.empty()) {
        const Parameter at = open.back();
        open.pop_back();
        const std::span<const CallerEdge> callers = program_.callers(at.function);
        if (callers.empty()) return false;
        for (const CallerEdge& caller : callers) {
            Parameter from;
            switch (source_of(caller, at.position, from)) {
                case Source::Other:
                    return false;
                case Source::UnknownNumber:
                    is_unknown = has_source = true;
                    break;
                case Source::Number:
                    has_source = true;
                    break;
                case Source::Parameter:
                    if (std::find(seen.begin(), seen.end(), from) != seen.end()) break;
                    seen.push_back(from);
                    open.push_back(from);
                    break;
            }
        }
    }
    return has_source;
}

/// Whether all threads that come to the guard have been started with higher numbers than it asks
/// for: then it is for who calls the functions, the thread that has started the others.
bool HandedNumbers::is_below_all_started(FunctionId function, const Region& region) const {
    if (region.condition != Condition::ArgumentIs || region.tested.kind != Value::Kind::Parameter)
        return false;
    std::vector<Handed> open = {{.node = function, .asked = asked_by(region)}};
    std::vector<Handed> seen = open;
    bool is_started = false;
    while (!open.empty()) {
        const Handed at = open.back();
        open.pop_back();
        for (const CallerEdge& caller : program_.callers(at.node)) {
            Handed from{.node = caller.from, .asked = at.asked};
            if (program_.is_function(caller.from)) {
                const Step& step = program_.steps(caller.from)[caller.step];
                const bool is_start = caller.kind != CallKind::Call;
                switch (hand_number(from.asked, step, is_start)) {
                    case Handing::Never:
                        is_started = true;
                        continue;
                    case Handing::OneThread:
                        return false;
                    case Handing::Asked:
                        break;
                }
                if (is_start && from.asked.parameter < 0) return false;
                if (!is_same_thread(caller.from, step.region)) return false;
                if (from.asked.parameter < 0) continue;  // called with something else
            }
            if (std::find(seen.begin(), seen.end(), from) != seen.end()) continue;
            seen.push_back(from);
            open.push_back(from);
        }
        if (at.asked.is_of_thread && program_.callers(at.node).empty()) return false;
    }
    return is_started;
}

std::unordered_map<const Region*, ResolvedCondition> HandedNumbers::conditions() {
    std::unordered_map<const Region*, ResolvedCondition> conditions;
    std::map<Parameter, std::pair<bool, bool>> known;  // it is one; who gives it is not there
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        const std::span<const Region> regions = program_.regions(id);
        for (RegionId i = 1; i < regions.size(); ++i) {
            const Region& region = regions[i];
            if (is_below_all_started(id, region)) {
                conditions[&region].condition = Condition::IsMainThread;
                conditions[&region].number = region.number;
                continue;
            }
            if (!asks_for_argument(region) || !is_same_thread(id, region.parent)) continue;
            const Parameter parameter{.function = id, .position = region.tested.number};
            const auto [found, is_new] = known.try_emplace(parameter);
            if (is_new) found->second.first = find(parameter, found->second.second);
            if (!found->second.first) continue;
            ResolvedCondition& resolved = conditions[&region];
            resolved.number = region.number;
            resolved.is_unknown = found->second.second;
            if (resolved.is_unknown) continue;
            if (region.condition == Condition::ArgumentIs) {
                resolved.condition =
                    region.number == 0 ? Condition::ThreadIsZero : Condition::ThreadIsOther;
            } else if (region.number == 0) {
                resolved.condition = Condition::ThreadIsNotZero;
            }
        }
    }
    return conditions;
}

}  // namespace

std::unordered_map<const Region*, ResolvedCondition> conditions_on_handed_numbers(
    const Program& program) {
    return HandedNumbers(program).conditions();
}

}  // namespace mqinspect::thread_level
