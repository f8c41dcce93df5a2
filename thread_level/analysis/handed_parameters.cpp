#include "thread_level/analysis/handed_parameters.h"

#include <algorithm>
#include <cstddef>

#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

void add_once(FunctionId function, std::vector<FunctionId>& functions) {
    if (std::ranges::find(functions, function) == functions.end()) functions.push_back(function);
}

}  // namespace

HandedParameters::Parameter HandedParameters::parameter(const ByParameter& call) const {
    return {call.first, unit_.functions[call.first].steps[call.second].callee.number};
}

void HandedParameters::note(std::span<const OpenEdge> edges) {
    for (const OpenEdge& each : edges)
        callers_[each.edge.to].push_back(each);
}

bool HandedParameters::may_be_called_elsewhere(FunctionId function) const {
    const Function& called = unit_.functions[function];
    return is_open_ && (!called.is_local || called.address_taken || !called.overrides.empty());
}

/// Of what one call hands over. False: that is not known.
bool HandedParameters::add_from(const OpenEdge& caller,
                                const Parameter& parameter,
                                Handed& handed) {
    const Step& step = unit_.functions[caller.from].steps[caller.edge.step];
    const bool is_call = step.kind == StepKind::Indirect ||
                         (step.kind == StepKind::Call && by_symbol_[step.name] == parameter.first);
    const auto position = static_cast<std::size_t>(parameter.second);
    if (!is_call || position >= step.arguments.size()) return false;
    const Value& value = step.arguments[position];
    if (value.kind == Value::Kind::Constant) return value.number == kNull;
    if (value.kind == Value::Kind::Function && !value.is_shared) {
        if (value.number != kIdleFunction && by_symbol_[value.name] != kNone)
            add_once(by_symbol_[value.name], handed.functions);
        return true;
    }
    if (!is_whole_parameter(value) || value.number < 0) return false;
    const auto [own, is_new] = handed_.try_emplace({caller.from, value.number});
    is_new_ = is_new_ || is_new;
    for (const FunctionId each : own->second.functions)
        add_once(each, handed.functions);
    return !own->second.is_other;
}

/// Whether anything is known that was not.
bool HandedParameters::gather(const Parameter& parameter, Handed& handed) {
    if (handed.is_other) return false;
    const std::size_t before = handed.functions.size();
    const auto callers = callers_.find(parameter.first);
    const bool has_callers = callers != callers_.end();
    bool is_known = !may_be_called_elsewhere(parameter.first) && (has_callers || !are_all_known_);
    const auto add = [&](const OpenEdge& caller) {
        is_known = is_known && add_from(caller, parameter, handed);
    };
    for (std::size_t i = 0; has_callers && i < callers->second.size(); ++i) {
        const OpenEdge& each = callers->second[i];
        if (each.edge.kind != CallKind::Dispatch) {
            add(each);
        } else if (const auto through = callers_.find(each.from); through != callers_.end()) {
            std::ranges::for_each(through->second, add);
        }
    }
    handed.is_other = !is_known;
    return handed.is_other || handed.functions.size() != before;
}

/// What the step calls has a caller more.
bool HandedParameters::follow(const ByParameter& call, std::size_t& followed) {
    const std::vector<FunctionId>& functions = handed_.at(parameter(call)).functions;
    const CallKind kind = kind_of_call(unit_.functions[call.first].steps[call.second]);
    const bool is_new = followed < functions.size();
    for (; followed < functions.size(); ++followed) {
        callers_[functions[followed]].push_back(
            {.from = call.first,
             .edge = {.step = call.second, .to = functions[followed], .kind = kind}});
    }
    return is_new;
}

void HandedParameters::find(std::span<const OpenEdge> edges,
                            std::span<const ByParameter> calls,
                            const AddByType& add_by_type) {
    note(edges);
    for (const ByParameter& call : calls)
        handed_.try_emplace(parameter(call));
    std::vector<std::size_t> followed(calls.size(), 0);
    std::vector<bool> is_by_type(calls.size(), false);
    for (bool changed = true; changed || !are_all_known_;) {
        are_all_known_ = are_all_known_ || !changed;
        changed = is_new_ = false;
        for (auto& [each, handed] : handed_)
            changed = gather(each, handed) || changed;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (is_by_type[i]) continue;
            is_by_type[i] = handed_.at(parameter(calls[i])).is_other;
            if (is_by_type[i]) {
                note(add_by_type(calls[i].first, calls[i].second));
                changed = true;
            } else {
                changed = follow(calls[i], followed[i]) || changed;
            }
        }
        changed = changed || is_new_;
    }
}

const std::vector<FunctionId>* HandedParameters::called_by(const ByParameter& call) const {
    const Handed& handed = handed_.at(parameter(call));
    return handed.is_other ? nullptr : &handed.functions;
}

}  // namespace mqinspect::thread_level
