#include "thread_level/gcc_plugin/kept_arguments.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "thread_level/facts/values.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// What the calls of one function in the unit hand over as one argument.
struct Handed {
    bool is_number = false;
    bool is_other = false;
};

/// By function and position.
using AllHanded = std::map<std::pair<StringId, std::int64_t>, Handed>;

}  // namespace

Bodies::Bodies(Gathering& gathering) {
    cgraph_node* node = nullptr;
    FOR_EACH_FUNCTION(node) {
        if (!node->alias) continue;
        const cgraph_node* target = node->function_symbol();
        if (target != nullptr && target != node)
            bodies_.emplace(gathering.symbol(node->decl), gathering.symbol(target->decl));
    }
}

StringId Bodies::body_of(StringId name) const {
    const auto body = bodies_.find(name);
    return body == bodies_.end() ? name : body->second;
}

namespace {

/// For those that are there.
void note_calls(Gathering& gathering, AllHanded& all) {
    const Bodies bodies(gathering);
    for (const Function& caller : gathering.unit.functions) {
        for (const Step& step : caller.steps) {
            if (step.kind != StepKind::Call) continue;
            const StringId name = bodies.body_of(step.name);
            for (auto at = all.lower_bound({name, 0}); at != all.end() && at->first.first == name;
                 ++at) {
                const auto position = static_cast<std::size_t>(at->first.second);
                const bool is_known = position < step.arguments.size();
                const Value value = is_known ? step.arguments[position] : Value{};
                if (value.kind == Value::Kind::Constant || is_whole_parameter(value)) continue;
                const bool is_number =
                    value.kind == Value::Kind::ThreadNumber && value.number != kIndexOfLoop;
                (is_number ? at->second.is_number : at->second.is_other) = true;
            }
        }
    }
}

/// Others may call it with the number, too. Of C++ there would be too many: each constructor that
/// gets a number.
bool may_get_number(const Handed& handed) {
    if (handed.is_other) return false;
    return handed.is_number || (!lang_GNU_CXX() && flag_openmp != 0);
}

/// The one of the unit, which may have had nothing in it so far.
Function& function_of(Gathering& gathering, const KeptArgument& kept) {
    std::vector<Function>& all = gathering.unit.functions;
    const StringId symbol = gathering.symbol(kept.function);
    const auto found = std::ranges::find(all, symbol, &Function::symbol);
    if (found != all.end()) return *found;
    std::erase(gathering.idle, kept.function);
    gathering.declarations.push_back(kept.function);
    Function& function = all.emplace_back();
    function.symbol = symbol;
    function.name = gathering.intern(lang_hooks.decl_printable_name(kept.function, 1));
    function.place = gathering.place(DECL_SOURCE_LOCATION(kept.function));
    function.regions.resize(1);
    function.regions.front().place = function.place;
    function.steps.resize(1);
    function.steps.front().kind = StepKind::Exit;
    return function;
}

Step make_keep(const KeptArgument& kept) {
    Step step;
    step.kind = StepKind::Keep;
    step.name = kept.name;
    step.value = kept.value;
    return step;
}

/// Where it is written; the end: the function has no such step.
std::vector<Step>::iterator step_of(Function& function, const KeptArgument& kept) {
    return std::ranges::find_if(function.steps, [&kept](const Step& step) {
        return step.kind == StepKind::Keep && step.name == kept.name && step.value == kept.value;
    });
}

/// Whether this unit asks for it, or others may.
bool may_be_asked(const Gathering& gathering, const KeptArgument& kept) {
    return gathering.number_keepers.contains(kept.name) ||
           gathering.shared_members.contains(kept.keeper);
}

/// Of what nobody asks for.
void drop_step(Gathering& gathering, const KeptArgument& kept) {
    const StringId symbol = gathering.symbol(kept.function);
    const auto function = std::ranges::find(gathering.unit.functions, symbol, &Function::symbol);
    if (function == gathering.unit.functions.end()) return;
    const auto step = step_of(*function, kept);
    if (step == function->steps.end()) return;
    step->kind = StepKind::Join;
    step->name = 0;
    step->value = {};
}

/// In front of the function's end.
void add_step(Function& function, const KeptArgument& kept) {
    const auto end = std::ranges::find(function.steps, StepKind::Exit, &Step::kind);
    if (end == function.steps.end()) return;
    Step exit = *end;
    *end = make_keep(kept);
    end->region = exit.region;
    end->place = exit.place;
    end->next = {static_cast<StepId>(function.steps.size())};
    function.steps.push_back(std::move(exit));
}

/// Of several that are tested for one write: the first that gets the number.
void leave_one(Gathering& gathering, const AllHanded& all) {
    std::vector<KeptArgument>& kept = gathering.kept_arguments;
    for (std::size_t first = 0; first < kept.size(); ++first) {
        const auto is_other_write = [&](const KeptArgument& each) {
            return each.write != kept[first].write || each.keeper != kept[first].keeper;
        };
        const auto begin = kept.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = std::find_if(begin, kept.end(), is_other_write);
        if (end - begin < 2) continue;
        const auto best = std::find_if(begin, end, [&](const KeptArgument& each) {
            return all.at({gathering.symbol(each.function), each.value.number}).is_number;
        });
        *begin = best == end ? *begin : *best;
        kept.erase(std::next(begin), end);
    }
}

}  // namespace

void add_keeps(const Gathering& gathering,
               tree function,
               std::unordered_map<const gimple*, Step>& steps) {
    for (auto kept = gathering.kept_arguments.rbegin();
         kept != gathering.kept_arguments.rend() && kept->function == function;
         ++kept)
        if (kept->is_own) steps.try_emplace(kept->write, make_keep(*kept));
}

void settle_constructed_numbers(Gathering& gathering) {
    if (gathering.constructed_numbers.empty()) return;
    const Bodies bodies(gathering);
    std::unordered_map<StringId, StringId> members;
    for (const auto& [alias, number] : gathering.constructed_numbers) {
        const StringId body = bodies.body_of(number.constructor);
        const auto kept = std::ranges::find_if(
            gathering.kept_arguments, [&, &handed = number](const KeptArgument& each) {
                return gathering.symbol(each.function) == body && !each.is_own &&
                       !each.value.created_once && each.value.number == handed.position;
            });
        members[alias] = kept == gathering.kept_arguments.end() ? 0 : kept->name;
    }
    for (Function& function : gathering.unit.functions) {
        for (Step& step : function.steps) {
            for (Value& value : step.arguments) {
                const auto member =
                    value.kind == Value::Kind::Counted ? members.find(value.name) : members.end();
                if (member == members.end()) continue;
                value = member->second == 0 ? Value{} : value;
                value.name = member->second;
            }
        }
    }
}

namespace {

/// How many steps of the unit call the function, other than by another name of its own.
std::ptrdiff_t calls_of(const Unit& unit, const Bodies& bodies, StringId symbol) {
    std::ptrdiff_t calls = 0;
    for (const Function& caller : unit.functions) {
        if (bodies.body_of(caller.symbol) == symbol) continue;
        calls += std::ranges::count_if(caller.steps, [&](const Step& step) {
            return step.kind == StepKind::Call && bodies.body_of(step.name) == symbol;
        });
    }
    return calls;
}

/// Whether nothing but that argument of constructors is written to the member.
bool is_kept_only(const Gathering& gathering, const KeptArgument& kept) {
    const auto use = gathering.number_uses.find(kept.keeper);
    const bool is_written = use != gathering.number_uses.end() &&
                            (use->second.is_number || use->second.is_flag || use->second.is_yes ||
                             use->second.is_other || use->second.copy_of != 0);
    return !is_written &&
           std::ranges::all_of(gathering.kept_arguments, [&](const KeptArgument& each) {
               return each.keeper != kept.keeper || (DECL_CXX_CONSTRUCTOR_P(each.function) &&
                                                     each.value.number == kept.value.number);
           });
}

/// The member that each object of the class has another number in; Unknown: none.
Value number_of_objects(const Gathering& gathering, const Bodies& bodies, const MadeObjects& made) {
    if (made.places != 1 || made.numbers.empty() ||
        calls_of(gathering.unit, bodies, made.maker) > 1)
        return {};
    for (const MadeObjects::Number& number : made.numbers) {
        const auto kept =
            std::ranges::find_if(gathering.kept_arguments, [&](const KeptArgument& each) {
                return DECL_CXX_CONSTRUCTOR_P(each.function) && !each.is_own &&
                       !each.value.created_once && each.value.number == number.position &&
                       TYPE_MAIN_VARIANT(DECL_CONTEXT(each.function)) == made.class_type;
            });
        if (kept == gathering.kept_arguments.end() || !is_kept_only(gathering, *kept)) continue;
        return {.kind = Value::Kind::Counted, .name = kept->name, .number = number.first};
    }
    return {};
}

}  // namespace

void settle_numbered_objects(Gathering& gathering) {
    if (gathering.numbered_objects.empty()) return;
    const Bodies bodies(gathering);
    std::unordered_map<StringId, Value> settled;
    for (const auto& [alias, object] : gathering.numbered_objects) {
        const auto made = gathering.made_objects.find(object.of_class);
        const Value number = made == gathering.made_objects.end()
                                 ? Value{}
                                 : number_of_objects(gathering, bodies, made->second);
        Value& value = settled[alias];
        value = number.kind == Value::Kind::Unknown ? object.instead : number;
        if (number.kind != Value::Kind::Unknown && object.owns_thread)
            value.created_once = value.is_shared = true;
    }
    for (Function& function : gathering.unit.functions) {
        for (Step& step : function.steps) {
            for (Value& value : step.arguments) {
                const auto number =
                    value.kind == Value::Kind::Counted ? settled.find(value.name) : settled.end();
                if (number != settled.end()) value = number->second;
            }
        }
    }
}

void settle_kept_arguments(Gathering& gathering) {
    AllHanded all;
    for (const KeptArgument& kept : gathering.kept_arguments)
        all[{gathering.symbol(kept.function), kept.value.number}] = {};
    if (all.empty()) return;
    note_calls(gathering, all);
    leave_one(gathering, all);
    for (const KeptArgument& kept : gathering.kept_arguments) {
        if (kept.is_own && !may_be_asked(gathering, kept)) {
            drop_step(gathering, kept);
            continue;
        }
        const Handed& handed = all[{gathering.symbol(kept.function), kept.value.number}];
        // Threads that the program starts itself may have a number, too.
        if (kept.is_own || may_get_number(handed)) {
            Function& function = function_of(gathering, kept);
            if (step_of(function, kept) == function.steps.end()) add_step(function, kept);
            gathering.handed_keepers.emplace(kept.keeper, kept.name);
        } else {
            gathering.number_uses[kept.keeper].is_other = true;
        }
    }
}

}  // namespace mqinspect::thread_level::plugin
