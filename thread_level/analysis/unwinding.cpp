#include "thread_level/analysis/unwinding.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "thread_level/facts/signature.h"

namespace mqinspect::thread_level {
namespace {

/// Finds the functions that are called where exceptions are caught, or below such. What is called
/// by what is not there is taken not to be.
class CaughtFunctions {
public:
    explicit CaughtFunctions(const Unit& unit);

    const std::vector<bool>& find();

private:
    void add(StringId symbol);
    void add_all(const std::vector<FunctionId>& functions);
    void add_called(const Step& step);

    const Unit& unit_;
    std::unordered_map<StringId, FunctionId> by_symbol_;
    std::unordered_map<std::string, std::vector<FunctionId>> by_shape_;
    std::unordered_map<StringId, std::vector<FunctionId>> by_slot_;
    std::unordered_set<StringId> types_added_;
    std::vector<bool> is_caught_;
    std::vector<FunctionId> open_;
};

CaughtFunctions::CaughtFunctions(const Unit& unit)
    : unit_(unit), is_caught_(unit.functions.size(), false) {
    for (FunctionId id = 0; id < unit.functions.size(); ++id) {
        const Function& function = unit.functions[id];
        by_symbol_.emplace(function.symbol, id);
        if (function.address_taken && function.type != 0)
            by_shape_[shape_of_signature(unit.strings[function.type])].push_back(id);
        for (const StringId slot : function.overrides)
            by_slot_[slot].push_back(id);
    }
}

void CaughtFunctions::add(StringId symbol) {
    const auto found = by_symbol_.find(symbol);
    if (found != by_symbol_.end()) add_all({found->second});
}

void CaughtFunctions::add_all(const std::vector<FunctionId>& functions) {
    for (const FunctionId id : functions) {
        if (!is_caught_[id]) open_.push_back(id);
        is_caught_[id] = true;
    }
}

void CaughtFunctions::add_called(const Step& step) {
    const bool is_by_type = step.kind == StepKind::Indirect || step.is_by_type;
    if (!is_by_type) {
        add(step.name);
    } else if (step.name != 0 && types_added_.insert(step.name).second) {
        const auto slot = by_slot_.find(step.name);
        if (step.is_virtual && slot != by_slot_.end()) add_all(slot->second);
        const auto shape = by_shape_.find(shape_of_signature(unit_.strings[step.name]));
        if (!step.is_virtual && shape != by_shape_.end()) add_all(shape->second);
    }
    for (const StringId callback : step.callbacks)
        add(callback);
}

const std::vector<bool>& CaughtFunctions::find() {
    for (const Function& function : unit_.functions) {
        for (const Step& step : function.steps) {
            if (step.is_caught) add_called(step);
        }
    }
    while (!open_.empty()) {
        const Function& function = unit_.functions[open_.back()];
        open_.pop_back();
        for (const Step& step : function.steps) {
            if (step.kind == StepKind::Call || step.kind == StepKind::Indirect) add_called(step);
        }
    }
    return is_caught_;
}

void make_idle(Step& step) {
    Step idle;
    idle.region = step.region;
    step = idle;
}

}  // namespace

std::optional<Unit> without_unwinding(const Unit& unit) {
    const auto is_unwinding = [](const Step& step) { return step.is_unwinding; };
    const auto has_unwinding = [&](const Function& function) {
        return std::ranges::any_of(function.steps, is_unwinding);
    };
    if (std::ranges::none_of(unit.functions, has_unwinding)) return std::nullopt;
    CaughtFunctions caught(unit);
    const std::vector<bool>& is_caught = caught.find();
    Unit without = unit;
    for (FunctionId id = 0; id < without.functions.size(); ++id) {
        for (Step& step : without.functions[id].steps) {
            if (step.is_unwinding && !is_caught[id]) make_idle(step);
        }
    }
    return without;
}

}  // namespace mqinspect::thread_level
