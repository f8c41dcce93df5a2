#include "thread_level/analysis/program.h"

#include <algorithm>
#include <optional>

#include "thread_level/analysis/components.h"
#include "thread_level/analysis/endings.h"
#include "thread_level/analysis/externals.h"
#include "thread_level/analysis/guarding.h"
#include "thread_level/analysis/handed_numbers.h"
#include "thread_level/analysis/rounds_of_all.h"
#include "thread_level/analysis/single_starts.h"
#include "thread_level/analysis/turn_values.h"
#include "thread_level/facts/library_functions.h"
#include "thread_level/facts/relations.h"
#include "thread_level/facts/signature.h"

namespace mqinspect::thread_level {
namespace {

bool is_sound(const Function& function) {
    const auto regions = static_cast<RegionId>(function.regions.size());
    const auto steps = static_cast<StepId>(function.steps.size());
    if (regions == 0) return false;
    for (RegionId i = 1; i < regions; ++i) {
        if (function.regions[i].parent >= i) return false;
    }
    return std::all_of(function.steps.begin(), function.steps.end(), [&](const Step& step) {
        const bool has_target = step.kind == StepKind::Enter || step.kind == StepKind::Leave;
        return step.region < regions && (!has_target || step.target < regions) &&
               std::all_of(step.next.begin(), step.next.end(), [steps](StepId next) {
                   return next < steps;
               });
    });
}

bool does_something(const Function& function) {
    return std::any_of(function.regions.begin(), function.regions.end(), speaks_by_itself) ||
           std::any_of(function.steps.begin(), function.steps.end(), [](const Step& step) {
               return step.kind != StepKind::Join && step.kind != StepKind::Enter &&
                      step.kind != StepKind::Leave && step.kind != StepKind::Call &&
                      step.kind != StepKind::Exit;
           });
}

/// Functions that do something, or call such. Notes leave out others, so that nothing may depend
/// on them.
std::vector<bool> functions_that_matter(const Unit& unit, const std::vector<FunctionId>& by_name) {
    std::vector<bool> matters(unit.functions.size(), false);
    std::vector<std::vector<FunctionId>> users(unit.functions.size());
    for (FunctionId id = 0; id < unit.functions.size(); ++id) {
        for (const Step& step : unit.functions[id].steps) {
            if (step.kind == StepKind::Call && by_name[step.name] != kNone)
                users[by_name[step.name]].push_back(id);
            for (const StringId callback : step.callbacks) {
                if (by_name[callback] != kNone) users[by_name[callback]].push_back(id);
            }
        }
        matters[id] = does_something(unit.functions[id]);
    }
    mark_users(matters, users);
    return matters;
}

}  // namespace

Program::Program(const Unit& unit, bool is_whole) : unit_(unit) {
    find_sound_functions();
    name_functions();
    find_pointed();
    find_edges();
    find_callers();
    find_executed(is_whole);
    find_changing();
    find_given_size();
    const auto calls_from = [this](Node node) { return calls(node); };
    components_ = components_of(nodes(), calls_from);
    ways_out_ = ways_out(*this);
    own_numbers_ = OwnNumbers(*this);
    handed_conditions_ = conditions_on_handed_numbers(*this);
    for (const Region* guard : rounds_of_all(*this))
        handed_conditions_.emplace(guard, ResolvedCondition{});
    numbers_kept_ = numbers_kept(*this);
    turns_ = turns_of(*this);
    lone_starts_ = lone_starts(*this);
    single_guards_ = single_guards(*this);
}

StringId Program::run_by(const Step& step, Node callee) const {
    if (step.kind != StepKind::StartThread || !step.is_virtual || !is_function(callee)) return 0;
    const std::vector<StringId>& slots = unit_.functions[callee].overrides;
    const auto slot = std::ranges::find_if(
        slots, [this](StringId id) { return is_task_slot(unit_.strings[id]); });
    return slot == slots.end() ? 0 : *slot;
}

bool Program::is_main(FunctionId id) const {
    return is_main_program(unit_.strings[unit_.functions[id].symbol]);
}

std::span<const Step> Program::steps(Node node) const {
    if (!is_function(node) || !sound_[node]) return {};
    return unit_.functions[node].steps;
}

std::span<const Region> Program::regions(Node node) const {
    if (!is_function(node) || !sound_[node]) return {};
    return unit_.functions[node].regions;
}

std::span<const CallEdge> Program::calls(Node node) const {
    return std::span(calls_).subspan(first_call_[node], first_call_[node + 1] - first_call_[node]);
}

std::span<const CallerEdge> Program::callers(Node node) const {
    return std::span(callers_).subspan(first_caller_[node],
                                       first_caller_[node + 1] - first_caller_[node]);
}

std::span<const CallEdge> Program::calls_of(Node node, StepId step) const {
    const std::span<const CallEdge> all = calls(node);
    const auto [first, last] = std::equal_range(
        all.begin(), all.end(), CallEdge{.step = step}, [](const CallEdge& a, const CallEdge& b) {
            return a.step < b.step;
        });
    return {first, last};
}

Procedure Program::procedure(StringId name) const {
    return procedures_[name];
}

/// By functions that are called where teams are.
void Program::find_changing() {
    if (unit_.writers.empty()) return;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> written_by;  // idle_hash()
    for (const NumberWriter& each : unit_.writers) {
        if (each.function == 0) changing_.insert(each.variable);
        written_by[each.function].push_back(each.variable);
    }
    std::unordered_map<StringId, std::uint32_t> hashes;
    for (FunctionId id = 0; id < unit_.functions.size(); ++id) {
        std::optional<bool> is_alone;
        for (const Step& step : steps(id)) {
            if (step.kind != StepKind::Call) continue;
            const auto [hash, is_new] = hashes.try_emplace(step.name);
            if (is_new) hash->second = idle_hash(unit_.strings[step.name]);
            const auto written = written_by.find(hash->second);
            if (written == written_by.end()) continue;
            if (!is_alone) is_alone = is_serial(*this, id);
            if (*is_alone && !is_in_team(*this, id, step.region)) continue;
            changing_.insert(written->second.begin(), written->second.end());
        }
    }
}

bool Program::changes_in_team(const Variable& number) const {
    return number.changes_in_team || changing_.contains(idle_hash(unit_.strings[number.name]));
}

const Variable* Program::variable(StringId name) const {
    return variables_[name] == kNone ? nullptr : &unit_.variables[variables_[name]];
}

void Program::find_sound_functions() {
    sound_.reserve(unit_.functions.size());
    for (const Function& function : unit_.functions)
        sound_.push_back(is_sound(function));
}

void Program::name_functions() {
    const std::uint32_t strings = unit_.strings.size();
    functions_.assign(strings, kNone);
    variables_.assign(strings, kNone);
    procedures_.resize(strings);
    by_slot_.resize(strings);
    dispatch_by_type_.assign(strings, kNone);
    dispatch_by_slot_.assign(strings, kNone);
    is_unknown_.assign(strings, false);
    for (FunctionId id = 0; id < unit_.functions.size(); ++id) {
        const Function& function = unit_.functions[id];
        if (functions_[function.symbol] == kNone) functions_[function.symbol] = id;
    }
    for (const SignatureCast& cast : unit_.casts)
        casts_.emplace(cast.to, cast.from);
    const std::vector<bool> matters = functions_that_matter(unit_, functions_);
    for (FunctionId id = 0; id < unit_.functions.size(); ++id) {
        const Function& function = unit_.functions[id];
        if (!matters[id]) continue;
        if (function.address_taken && function.type != 0)
            by_shape_[shape_of_signature(unit_.strings[function.type])].push_back(id);
        for (const StringId slot : function.overrides)
            by_slot_[slot].push_back(id);
    }
    for (std::uint32_t i = 0; i < unit_.variables.size(); ++i)
        variables_[unit_.variables[i].name] = i;
}

void Program::find_edges() {
    std::vector<bool> is_procedure(unit_.strings.size(), false);
    for (FunctionId id = 0; id < unit_.functions.size(); ++id) {
        const std::span<const Step> all = steps(id);
        for (StepId i = 0; i < all.size(); ++i) {
            const Step& step = all[i];
            if (step.kind == StepKind::Mpi && !is_procedure[step.name]) {
                is_procedure[step.name] = true;
                procedures_[step.name] = procedure_of(unit_.strings[step.name]);
            }
            add_call(id, i, step);
        }
    }
    add_calls_of_handed();
    const Node count = static_cast<Node>(unit_.functions.size()) + dispatches_;
    first_call_.assign(count + 1, 0);
    for (const OpenEdge& edge : edges_)
        ++first_call_[edge.from + 1];
    for (Node node = 0; node < count; ++node)
        first_call_[node + 1] += first_call_[node];
    std::vector<std::uint32_t> at(first_call_.begin(), first_call_.end() - 1);
    calls_.resize(edges_.size());
    for (const OpenEdge& edge : edges_)
        calls_[at[edge.from]++] = edge.edge;
    edges_ = {};
    for (const StringId symbol : unit_.taken)
        note_unknown(symbol);
}

void Program::add_call(FunctionId function, StepId id, const Step& step) {
    const bool is_start = step.kind == StepKind::StartThread;
    if (is_start && step.is_by_type) {
        starts_threads_ = true;
        add_dispatch(function, id, step);
    } else if (step.kind == StepKind::Call || is_start) {
        starts_threads_ = starts_threads_ || is_start;
        const FunctionId callee = functions_[step.name];
        if (callee != kNone) {
            edges_.push_back(
                {.from = function, .edge = {.step = id, .to = callee, .kind = kind_of_call(step)}});
        } else {
            add_external(function, id, step);
        }
    } else if (runs_task(step)) {
        return;  // what may run is known where it is made
    } else if (step.kind == StepKind::Indirect) {
        add_dispatch(function, id, step);
    }
}

/// What is handed to a function that is not there may be called by it; one whose notes say that it
/// has nothing to do with MPI calls nothing by pointers.
void Program::add_external(FunctionId function, StepId id, const Step& step) {
    const std::string& name = unit_.strings[step.name];
    if (keeps_callbacks(name) || is_idle(name)) return;
    for (const StringId callback : step.callbacks) {
        const FunctionId callee = functions_[callback];
        if (callee != kNone)
            edges_.push_back({.from = function, .edge = {.step = id, .to = callee}});
    }
    note_unknown(step.name);
}

void Program::note_unknown(StringId symbol) {
    const std::string& name = unit_.strings[symbol];
    if (is_unknown_[symbol] || is_harmless(name) || is_idle(name)) return;
    is_unknown_[symbol] = true;
    unknown_callees_.push_back(symbol);
}

bool Program::is_idle(std::string_view symbol) const {
    return std::binary_search(unit_.idle.begin(), unit_.idle.end(), idle_hash(symbol));
}

void Program::find_callers() {
    first_caller_.assign(nodes() + 1, 0);
    for (const CallEdge& edge : calls_)
        ++first_caller_[edge.to + 1];
    for (Node node = 0; node < nodes(); ++node)
        first_caller_[node + 1] += first_caller_[node];
    std::vector<std::uint32_t> at(first_caller_.begin(), first_caller_.end() - 1);
    callers_.resize(calls_.size());
    for (Node node = 0; node < nodes(); ++node) {
        for (const CallEdge& edge : calls(node))
            callers_[at[edge.to]++] = {.from = node, .step = edge.step, .kind = edge.kind};
    }
}

}  // namespace mqinspect::thread_level
