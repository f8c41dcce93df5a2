#include "thread_level/notes/relevance.h"

#include <algorithm>

#include "thread_level/facts/library_functions.h"
#include "thread_level/facts/relations.h"

namespace mqinspect::thread_level::notes {
namespace {

// Another unit may have a function that goes before a weak one; of C++ all are alike.
bool may_be_replaced(const Function& function, const Strings& strings) {
    return function.is_mergeable && !strings[function.symbol].starts_with("_Z");
}

bool is_construct(const Region& region) {
    return region.kind != RegionKind::Function && region.kind != RegionKind::Guard;
}

bool returns(const Function& function) {
    return std::ranges::any_of(function.steps,
                               [](const Step& step) { return step.kind == StepKind::Exit; });
}

/// Others may wait at it, or go on beside what is in it.
bool may_order(const Region& region) {
    return is_construct(region) && region.kind != RegionKind::Parallel;
}

bool may_order(const Step& step) {
    switch (step.kind) {
        case StepKind::Barrier:
        case StepKind::Taskwait:
        case StepKind::Acquire:
        case StepKind::Release:
        case StepKind::StartThread:
        case StepKind::JoinThread:
            return true;
        case StepKind::Call:
            return step.lock_look != 0;
        default:
            return false;
    }
}

}  // namespace

Relevance::Relevance(const Unit& unit)
    : unit_(unit), matters_(unit.functions.size(), false), orders_(matters_) {
    for (FunctionId id = 0; id < unit.functions.size(); ++id) {
        const Function& function = unit.functions[id];
        if (!may_be_replaced(function, unit.strings)) functions_.emplace(function.symbol, id);
    }
    std::vector<std::vector<FunctionId>> users(unit.functions.size());
    const auto use = [&](StringId symbol, FunctionId user) {
        const auto found = functions_.find(symbol);
        if (found != functions_.end()) users[found->second].push_back(user);
    };
    for (FunctionId id = 0; id < unit.functions.size(); ++id) {
        for (const Step& step : unit.functions[id].steps) {
            if (step.kind == StepKind::Call) use(step.name, id);
            for (const StringId callback : step.callbacks)
                use(callback, id);
        }
    }
    for (FunctionId id = 0; id < unit.functions.size(); ++id) {
        if (matters_by_itself(unit.functions[id])) matters_[id] = true;
        if (orders_by_itself(unit.functions[id])) orders_[id] = true;
    }
    mark_users(matters_, users);
    mark_users(orders_, users);
}

bool Relevance::orders_by_itself(const Function& function) const {
    return std::ranges::any_of(function.regions,
                               [](const Region& region) { return may_order(region); }) ||
           std::ranges::any_of(function.steps, [this](const Step& step) {
               return may_order(step) || orders(step);
           });
}

/// What comes behind finds MPI initialized.
bool Relevance::initializes(const Step& step) const {
    return step.kind == StepKind::Mpi && unit_.strings[step.name].starts_with("MPI_Init");
}

/// Of what the unit has not, guards and owners of threads may do it.
bool Relevance::orders(const Step& step) const {
    if (step.kind != StepKind::Call) return initializes(step);
    const auto is_ordering = [this](StringId symbol) {
        const auto found = functions_.find(symbol);
        return found == functions_.end() ? makes_or_ends_object(unit_.strings[symbol])
                                         : orders_[found->second];
    };
    return may_order(step) || is_ordering(step.name) ||
           std::ranges::any_of(step.callbacks, is_ordering);
}

bool Relevance::orders(const Function& function) const {
    return is_main_program(unit_.strings[function.symbol]);
}

// While nothing is known to matter yet, symbol_matters() speaks of what the unit has not.
bool Relevance::matters_by_itself(const Function& function) const {
    // Without it, a program would be taken for a library.
    if (unit_.strings[function.symbol] == "main") return true;
    if (function.returns != Returns::Other || function.result != Value{}) return true;
    if (std::ranges::any_of(function.regions, is_construct)) return true;
    // Who calls it does not go on.
    if (!function.steps.empty() && !returns(function)) return true;
    return std::ranges::any_of(function.steps, [this](const Step& step) {
        const bool is_structure = step.kind == StepKind::Enter || step.kind == StepKind::Leave ||
                                  step.kind == StepKind::Exit;
        return !is_structure && matters(step);
    });
}

bool Relevance::symbol_matters(StringId symbol) const {
    const auto found = functions_.find(symbol);
    if (found != functions_.end()) return matters_[found->second];
    return !is_harmless_library_function(unit_.strings[symbol]) ||
           std::ranges::find(unit_.own_names, symbol) != unit_.own_names.end();
}

bool Relevance::matters(const Step& step) const {
    if (step.kind == StepKind::Join) return false;
    if (step.kind != StepKind::Call || symbol_matters(step.name)) return true;
    return std::ranges::any_of(step.callbacks,
                               [this](StringId callback) { return symbol_matters(callback); });
}

}  // namespace mqinspect::thread_level::notes
