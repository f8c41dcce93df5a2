#include "thread_level/gcc_plugin/pruning.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "thread_level/facts/library_functions.h"
#include "thread_level/facts/object_calls.h"
#include "thread_level/facts/relations.h"
#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/callees.h"
#include "thread_level/gcc_plugin/packaged_tasks.h"
#include "thread_level/gcc_plugin/shared_pointers.h"
#include "thread_level/gcc_plugin/step_graph.h"

namespace mqinspect::thread_level::plugin {
namespace {

void note_symbol(const Strings& strings, tree declaration, Symbols& symbols) {
    const char* name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(declaration));
    const StringId id = strings.find(*name == '*' ? name + 1 : name);
    if (id != Strings::kNoString) symbols.insert(id);
}

void make_idle(Step& step) {
    Step idle;
    idle.region = step.region;
    idle.next = std::move(step.next);
    step = std::move(idle);
}

bool is_of_library(const Unit& unit, const Function& function) {
    return is_of_standard_library(unit.strings[function.symbol]);
}

/// Virtual calls between parts of the library are taken for what they are part of: the start of
/// a thread, the end of an object that several pointers share.
void drop_virtual_calls_of_library(Unit& unit) {
    for (Function& function : unit.functions) {
        if (!is_of_library(unit, function)) continue;
        if (!function.overrides.empty()) {
            std::erase_if(function.overrides,
                          [&unit](StringId slot) { return !is_disposal_slot(unit.strings[slot]); });
            function.address_taken = false;  // only tables of virtual functions did
        }
        for (Step& step : function.steps) {
            // The program's classes have theirs: destructors.
            if (step.kind != StepKind::Indirect || !step.is_virtual) continue;
            const std::string symbol = "_Z" + unit.strings[step.name];
            if (is_of_standard_library(symbol) && !calls_task(symbol)) make_idle(step);
        }
    }
}

bool is_of_run_time(const Unit& unit, StringId symbol) {
    const std::vector<StringId>& own = unit.own_names;
    return is_runtime_symbol(unit.strings[symbol]) &&
           std::find(own.begin(), own.end(), symbol) == own.end();
}

/// Whether a function may do something that is called in the unit, but not in it. The library knows
/// nothing of the program but what it is handed, and what classes it has.
bool may_matter(const Unit& unit, bool is_library, const Symbols& idle, StringId callee) {
    return (!is_library || makes_or_ends_object(unit.strings[callee])) && !idle.contains(callee) &&
           !is_of_run_time(unit, callee);
}

bool is_of_its_own(const Step& step) {
    return step.kind != StepKind::Join && step.kind != StepKind::Exit &&
           step.kind != StepKind::Call && step.kind != StepKind::Way;
}

/// Which functions have MPI or threads in them, or may reach them.
std::vector<bool> find_relevant(const Unit& unit,
                                const FunctionsBySymbol& functions,
                                const Symbols& idle) {
    std::vector<bool> relevant(unit.functions.size(), false);
    std::vector<std::vector<FunctionId>> callers(unit.functions.size());
    for (FunctionId id = 0; id < unit.functions.size(); ++id) {
        const Function& function = unit.functions[id];
        const bool is_library = is_of_library(unit, function);
        bool is_relevant = function.returns != Returns::Other || function.result != Value{};
        for (const Step& step : function.steps) {
            if (is_of_its_own(step) || !step.callbacks.empty()) is_relevant = true;
            if (step.kind != StepKind::Call) continue;
            const auto callee = functions.find(step.name);
            if (callee != functions.end()) {
                callers[callee->second].push_back(id);
            } else if (may_matter(unit, is_library, idle, step.name)) {
                is_relevant = true;
            }
        }
        relevant[id] = is_relevant;
    }
    mark_users(relevant, callers);
    return relevant;
}

/// What has no call by a pointer does not call what it is handed: it keeps that, or does nothing
/// with it. What the library keeps it may call by virtual functions of its own, which are left out;
/// std::function calls by pointers.
bool keeps_callbacks(const Unit& unit, StringId callee) {
    const std::string_view symbol = unit.strings[callee];
    return !is_of_standard_library(symbol) || symbol.starts_with("_ZNSt8functionI");
}

/// False: there are none.
bool drop_kept_callbacks(Unit& unit,
                         const FunctionsBySymbol& functions,
                         const Symbols& idle,
                         const std::vector<bool>& relevant) {
    bool changed = false;
    for (Function& function : unit.functions) {
        for (Step& step : function.steps) {
            if (step.kind != StepKind::Call || step.callbacks.empty()) continue;
            const auto callee = functions.find(step.name);
            const bool is_idle =
                callee == functions.end() ? idle.contains(step.name) : !relevant[callee->second];
            if (!is_idle || !keeps_callbacks(unit, step.name)) continue;
            step.callbacks.clear();
            changed = true;
        }
    }
    return changed;
}

/// Of a thread whose function does nothing: the thread is there all the same.
void start_idle(Step& step) {
    step.name = 0;
    step.is_by_type = true;
    step.is_virtual = false;
    step.arguments.clear();
}

/// Calls that lead nowhere become Join steps.
void drop_idle_calls(Unit& unit,
                     const FunctionsBySymbol& functions,
                     const Symbols& idle,
                     const std::vector<bool>& relevant) {
    for (Function& function : unit.functions) {
        bool changed = false;
        const bool is_library = is_of_library(unit, function);
        for (Step& step : function.steps) {
            for (Value& argument : step.arguments) {
                if (argument.name == 0) continue;
                const auto handed = functions.find(argument.name);
                const bool is_idle =
                    argument.kind == Value::Kind::Function &&
                    (handed == functions.end()
                         ? idle.contains(argument.name) || is_of_run_time(unit, argument.name)
                         : !relevant[handed->second]);
                if (is_idle) mark_idle_function(argument);
            }
            const bool is_start = step.kind == StepKind::StartThread && !step.is_by_type;
            if (step.kind != StepKind::Call && !is_start) continue;
            if (!step.callbacks.empty()) continue;
            const auto callee = functions.find(step.name);
            if (is_start) {
                const bool is_here = callee != functions.end();
                if (is_here ? !relevant[callee->second] : idle.contains(step.name))
                    start_idle(step);
                continue;
            }
            const bool is_idle = callee == functions.end()
                                     ? !may_matter(unit, is_library, idle, step.name)
                                     : !relevant[callee->second];
            if (!is_idle) continue;
            make_idle(step);
            changed = true;
        }
        if (drop_idle_ways_past(function, unit.strings) || changed) reduce(function.steps);
        drop_level_tests(function, unit.strings);
        drop_idle_guards(function);
    }
}

/// Whether it is only there in case that no other unit has it. What C++ instantiates explicitly,
/// all units may have, but one has for all.
bool is_for_this_unit(tree declaration) {
    const cgraph_node* node = cgraph_node::get(declaration);
    if (node != nullptr && node->forced_by_abi) return false;
    return DECL_COMDAT(declaration) || DECL_ONE_ONLY(declaration);
}

/// Functions that the unit has for its own use only, and does not use: parts of the C++ library,
/// as steps say what a call of it does.
void leave_out_unused(const Gathering& gathering,
                      const FunctionsBySymbol& functions,
                      std::vector<bool>& relevant) {
    const Unit& unit = gathering.unit;
    std::vector<bool> used(unit.functions.size(), false);
    std::vector<FunctionId> open;
    const auto use = [&](StringId symbol) {
        const auto found = functions.find(symbol);
        if (found == functions.end() || used[found->second] || !relevant[found->second]) return;
        used[found->second] = true;
        open.push_back(found->second);
    };
    for (FunctionId id = 0; id < unit.functions.size(); ++id) {
        const Function& function = unit.functions[id];
        // Other units may ask for what is instantiated explicitly, or marked as used.
        const cgraph_node* node = cgraph_node::get(gathering.declarations[id]);
        const bool is_kept = node != nullptr && (node->forced_by_abi || node->force_output);
        const bool may_be_unused =
            (is_for_this_unit(gathering.declarations[id]) || function.is_local) && !is_kept &&
            !function.runs_at_start && !function.address_taken && function.overrides.empty();
        if (!may_be_unused) use(function.symbol);
    }
    while (!open.empty()) {
        const Function& function = unit.functions[open.back()];
        open.pop_back();
        for (const Step& step : function.steps) {
            const bool is_start = step.kind == StepKind::StartThread && !step.is_by_type;
            if (step.kind == StepKind::Call || is_start) use(step.name);
            for (const StringId callback : step.callbacks)
                use(callback);
        }
        for (const Region& region : function.regions)
            use(region.wrapper);
    }
    for (FunctionId id = 0; id < relevant.size(); ++id)
        relevant[id] = relevant[id] && used[id];
}

/// What the rest of the program may call and nothing has to be said of, and its other names.
void note_idle(Gathering& gathering, const std::vector<bool>& relevant) {
    std::vector<std::uint32_t>& idle = gathering.unit.idle;
    std::unordered_set<unsigned> noted;
    const auto note = [&](tree declaration, tree name_giver) {
        if (!TREE_PUBLIC(declaration) || is_for_this_unit(declaration)) return;
        noted.insert(DECL_UID(declaration));
        const char* name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(name_giver));
        idle.push_back(idle_hash(*name == '*' ? name + 1 : name));
    };
    for (const tree declaration : gathering.idle)
        note(declaration, declaration);
    for (FunctionId id = 0; id < relevant.size(); ++id)
        if (!relevant[id]) note(gathering.declarations[id], gathering.declarations[id]);
    cgraph_node* node = nullptr;
    FOR_EACH_FUNCTION(node) {
        const cgraph_node* target = node->alias ? node->function_symbol() : nullptr;
        if (target != nullptr && target != node && noted.contains(DECL_UID(target->decl)))
            note(target->decl, node->decl);
    }
    std::sort(idle.begin(), idle.end());
    idle.erase(std::unique(idle.begin(), idle.end()), idle.end());
}

void keep_only(Gathering& gathering, const std::vector<bool>& relevant) {
    std::vector<Function>& functions = gathering.unit.functions;
    std::size_t count = 0;
    for (std::size_t id = 0; id < functions.size(); ++id) {
        if (!relevant[id]) continue;
        if (count != id) {
            functions[count] = std::move(functions[id]);
            gathering.declarations[count] = gathering.declarations[id];
        }
        ++count;
    }
    functions.resize(count);
    gathering.declarations.resize(count);
}

/// Which parameters of its functions a unit's facts speak of.
class ParameterUse {
public:
    ParameterUse(const Unit& unit, const FunctionsBySymbol& functions)
        : unit_(unit), functions_(functions), used_(unit.functions.size()) {
        bool changed = true;
        while (changed) {
            changed = false;
            for (FunctionId id = 0; id < unit.functions.size(); ++id)
                changed = collect(id) || changed;
        }
    }

    bool is_used(FunctionId function, std::size_t position) const {
        return position < used_[function].size() && used_[function][position];
    }

private:
    bool note(FunctionId id, const Value& value) {
        if (value.kind != Value::Kind::Parameter) return false;
        const auto position = static_cast<std::size_t>(value.number);
        if (used_[id].size() <= position) used_[id].resize(position + 1, false);
        const bool is_new = !used_[id][position];
        used_[id][position] = true;
        return is_new;
    }

    bool collect(FunctionId id) {
        const Function& function = unit_.functions[id];
        bool changed = false;
        const auto note_each = [&](const Value& value) { changed = note(id, value) || changed; };
        for (const Region& region : function.regions)
            for_each_value_of_region(region, note_each);
        for (const Step& step : function.steps) {
            for_each_operand(step, note_each);
            changed = collect_arguments(id, step) || changed;
        }
        return changed;
    }

    bool collect_arguments(FunctionId id, const Step& step) {
        const auto callee = functions_.find(step.name);
        const bool is_known = step.kind == StepKind::Call && callee != functions_.end();
        bool changed = false;
        for (std::size_t i = 0; i < step.arguments.size(); ++i) {
            if (!is_known || is_used(callee->second, i))
                changed = note(id, step.arguments[i]) || changed;
        }
        return changed;
    }

    const Unit& unit_;
    const FunctionsBySymbol& functions_;
    std::vector<std::vector<bool>> used_;
};

/// Whether the function starts a thread with what it gets there.
bool hands_on_to_thread(const Function& function, std::size_t position) {
    return std::any_of(function.steps.begin(), function.steps.end(), [&](const Step& step) {
        const auto is_handed = [&](const Value& value) {
            return value.kind == Value::Kind::Parameter &&
                   value.number == static_cast<std::int64_t>(position);
        };
        return step.kind == StepKind::StartThread &&
               std::any_of(step.arguments.begin(), step.arguments.end(), is_handed);
    });
}

/// Where what is called calls no virtual function of the object.
void drop_unused_classes(Unit& unit) {
    const FunctionsBySymbol functions = by_symbol(unit);
    const std::vector<bool> callers = object_callers(unit, functions);
    for (Function& function : unit.functions) {
        for (Step& step : function.steps) {
            const auto callee = functions.find(step.name);
            const bool starts_virtual = step.callee.kind == Value::Kind::Function;
            if (!starts_virtual && callee != functions.end() && !callers[callee->second])
                step.object_class = 0;
        }
    }
}

/// Arguments that a callee of the unit does not look at. The library hands numbers on to threads.
void drop_unused_arguments(Unit& unit) {
    const FunctionsBySymbol functions = by_symbol(unit);
    const ParameterUse uses(unit, functions);
    for (Function& function : unit.functions) {
        for (Step& step : function.steps) {
            const auto callee = functions.find(step.name);
            if (step.kind == StepKind::Call && callee != functions.end()) {
                for (std::size_t i = 0; i < step.arguments.size(); ++i) {
                    if (is_number_pointed_to(step.arguments[i]) && uses.is_used(callee->second, 0))
                        continue;
                    const Value& value = step.arguments[i];
                    const bool is_counted =
                        value.kind == Value::Kind::Counted ||
                        (value.kind == Value::Kind::SameForAll && value.name != 0);
                    const bool is_for_thread =
                        !step.callbacks.empty() ||
                        is_of_standard_library(unit.strings[step.name]) ||
                        hands_on_to_thread(unit.functions[callee->second], i);
                    if (is_counted ? !is_for_thread : !uses.is_used(callee->second, i))
                        step.arguments[i] = Value{};
                }
            }
            while (!step.arguments.empty() && step.arguments.back().kind == Value::Kind::Unknown)
                step.arguments.pop_back();
        }
    }
}

}  // namespace

Symbols idle_symbols(const Gathering& gathering) {
    Symbols symbols;
    std::unordered_set<unsigned> idle;
    for (const tree declaration : gathering.idle) {
        idle.insert(DECL_UID(declaration));
        note_symbol(gathering.unit.strings, declaration, symbols);
    }
    cgraph_node* node = nullptr;
    FOR_EACH_FUNCTION(node) {
        if (!node->alias && !node->thunk) continue;
        const cgraph_node* target = node->function_symbol();
        if (target != nullptr && idle.contains(DECL_UID(target->decl)))
            note_symbol(gathering.unit.strings, node->decl, symbols);
    }
    return symbols;
}

FunctionsBySymbol by_symbol(const Unit& unit) {
    FunctionsBySymbol functions;
    for (FunctionId id = 0; id < unit.functions.size(); ++id)
        functions.emplace(unit.functions[id].symbol, id);
    return functions;
}

void prune(Gathering& gathering, const Symbols& idle) {
    Unit& unit = gathering.unit;
    drop_virtual_calls_of_library(unit);
    const FunctionsBySymbol functions = by_symbol(unit);
    std::vector<bool> relevant = find_relevant(unit, functions, idle);
    if (drop_kept_callbacks(unit, functions, idle, relevant))
        relevant = find_relevant(unit, functions, idle);
    drop_idle_calls(unit, functions, idle, relevant);
    leave_out_unused(gathering, functions, relevant);
    note_idle(gathering, relevant);
    keep_only(gathering, relevant);
    drop_unused_arguments(unit);
    drop_unused_classes(unit);
}

}  // namespace mqinspect::thread_level::plugin
