#include "thread_level/gcc_plugin/completion.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "thread_level/analysis/program.h"
#include "thread_level/facts/library_functions.h"
#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/answered_numbers.h"
#include "thread_level/gcc_plugin/bound_procedures.h"
#include "thread_level/gcc_plugin/callees.h"
#include "thread_level/gcc_plugin/captured_handles.h"
#include "thread_level/gcc_plugin/empty_pointers.h"
#include "thread_level/gcc_plugin/function_casts.h"
#include "thread_level/gcc_plugin/function_results.h"
#include "thread_level/gcc_plugin/given_sizes.h"
#include "thread_level/gcc_plugin/kept_arguments.h"
#include "thread_level/gcc_plugin/level_flags.h"
#include "thread_level/gcc_plugin/lock_members.h"
#include "thread_level/gcc_plugin/main_identity.h"
#include "thread_level/gcc_plugin/member_functions.h"
#include "thread_level/gcc_plugin/member_handles.h"
#include "thread_level/gcc_plugin/never_returning.h"
#include "thread_level/gcc_plugin/number_keepers.h"
#include "thread_level/gcc_plugin/object_classes.h"
#include "thread_level/gcc_plugin/only_objects.h"
#include "thread_level/gcc_plugin/own_try_locks.h"
#include "thread_level/gcc_plugin/packaged_tasks.h"
#include "thread_level/gcc_plugin/pointed_functions.h"
#include "thread_level/gcc_plugin/pointed_procedures.h"
#include "thread_level/gcc_plugin/pruning.h"
#include "thread_level/gcc_plugin/requested_levels.h"
#include "thread_level/gcc_plugin/returned_objects.h"
#include "thread_level/gcc_plugin/shared_pointers.h"
#include "thread_level/gcc_plugin/team_writes.h"
#include "thread_level/gcc_plugin/turn_uses.h"
#include "thread_level/gcc_plugin/turn_variables.h"
#include "thread_level/gcc_plugin/unwinding.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Of a member of which another unit may know that it has a level: lower numbers are of anything.
constexpr std::int64_t kLeastAsked = 2;

void add_slots(Gathering& gathering, Function& function, tree method, tree binfo) {
    unsigned slot = 0;
    for (tree entry = BINFO_VIRTUALS(binfo); entry != NULL_TREE; entry = TREE_CHAIN(entry)) {
        if (TREE_VALUE(entry) == method)
            function.overrides.push_back(gathering.intern(slot_key(BINFO_TYPE(binfo), slot)));
        ++slot;
    }
    tree base = NULL_TREE;
    for (unsigned i = 0; BINFO_BASE_ITERATE(binfo, i, base); ++i)
        add_slots(gathering, function, method, base);
}

/// Base classes that share the table of virtual functions: the slot has the same number in them.
void add_primary_bases(Gathering& gathering, Function& function, tree binfo, unsigned slot) {
    tree base = NULL_TREE;
    for (unsigned i = 0; BINFO_BASE_ITERATE(binfo, i, base); ++i) {
        const tree own = TYPE_BINFO(BINFO_TYPE(base));
        if (own == NULL_TREE || !integer_zerop(BINFO_OFFSET(base))) continue;
        if (BINFO_VTABLE(own) == NULL_TREE ||
            static_cast<unsigned>(list_length(BINFO_VIRTUALS(own))) <= slot)
            continue;
        function.overrides.push_back(gathering.intern(slot_key(BINFO_TYPE(base), slot)));
        add_primary_bases(gathering, function, base, slot);
    }
}

void add_overrides(Gathering& gathering, Function& function, tree method) {
    const tree class_type = DECL_CONTEXT(method);
    if (class_type == NULL_TREE || !RECORD_OR_UNION_TYPE_P(class_type)) return;
    const tree binfo = TYPE_BINFO(class_type);
    if (binfo == NULL_TREE) return;
    if (DECL_VINDEX(method) != NULL_TREE && tree_fits_uhwi_p(DECL_VINDEX(method))) {
        const auto slot = static_cast<unsigned>(tree_to_uhwi(DECL_VINDEX(method)));
        function.overrides.push_back(gathering.intern(slot_key(class_type, slot)));
        add_primary_bases(gathering, function, binfo, slot);
    }
    add_slots(gathering, function, method, binfo);
    add_disposals(gathering, function, method);
    std::sort(function.overrides.begin(), function.overrides.end());
    function.overrides.erase(std::unique(function.overrides.begin(), function.overrides.end()),
                             function.overrides.end());
}

void add_linkage(Gathering& gathering, Function& function, tree declaration) {
    function.is_local = !TREE_PUBLIC(declaration);
    function.runs_at_start =
        DECL_STATIC_CONSTRUCTOR(declaration) || DECL_STATIC_DESTRUCTOR(declaration);
    function.is_mergeable =
        DECL_COMDAT(declaration) || DECL_WEAK(declaration) || DECL_ONE_ONLY(declaration);
    const cgraph_node* node = cgraph_node::get(declaration);
    function.address_taken = node != nullptr && node->address_taken;
    const bool is_for_others =
        TREE_PUBLIC(declaration) &&
        (!DECL_COMDAT(declaration) || (node != nullptr && node->forced_by_abi));
    // Of constructors and destructors no pointer can be had.
    const bool is_plain =
        !DECL_CXX_CONSTRUCTOR_P(declaration) && !DECL_CXX_DESTRUCTOR_P(declaration);
    if (function.address_taken ? is_plain : is_for_others)
        function.type = gathering.intern(type_key(TREE_TYPE(declaration)));
    if (DECL_VIRTUAL_P(declaration)) add_overrides(gathering, function, declaration);
}

void settle_levels(Gathering& gathering) {
    const auto is_level = [&](unsigned declaration) {
        const auto field = gathering.provided_fields.find(declaration);
        if (field != gathering.provided_fields.end()) return field->second.is_level;
        const auto variable = gathering.globals.find(declaration);
        return variable != gathering.globals.end() && variable->second.holds_provided;
    };
    for (bool any = true; any;) {
        any = false;
        for (const ProvidedCopy& copy : gathering.provided_copies) {
            ProvidedField& to = gathering.provided_fields[copy.to];
            if (to.is_level || !is_level(copy.from)) continue;
            to.is_level = any = true;
        }
    }
    for (auto& [declaration, use] : gathering.globals) {
        const auto copied = gathering.provided_fields.find(declaration);
        if (copied != gathering.provided_fields.end() && copied->second.is_level)
            use.holds_provided = true;
    }
    settle_level_flags(gathering, is_level);
}

/// A static variable that MPI has written the rank or size of a communicator to, and nobody else
/// anything.
bool is_told_once(const Gathering& gathering, unsigned variable) {
    const auto use = gathering.globals.find(variable);
    return use != gathering.globals.end() && use->second.tellings == 1 &&
           use->second.other_writes + use->second.creations <= 1;
}

/// Of guards whose meaning the whole unit tells.
void settle_provided_guards(Gathering& gathering) {
    for (const ProvidedGuard& guard : gathering.provided_guards) {
        Region& region = gathering.unit.functions[guard.function].regions[guard.region];
        if (region.condition == Condition::IsMainThread ||
            region.condition == Condition::IsNotMainThread) {
            if (!is_of_main_thread(gathering, guard.variable)) region.condition = Condition::None;
            continue;
        }
        if (region.tested.kind == Value::Kind::Local) {
            const bool changes = guard.is_told
                                     ? !is_told_once(gathering, guard.variable)
                                     : gathering.team_writes.in_teams.contains(guard.variable);
            if (changes) region.condition = Condition::None;
            continue;
        }
        const auto field = gathering.provided_fields.find(guard.variable);
        if (field != gathering.provided_fields.end()) {
            const bool may_be =
                says_level(gathering, region.tested.name) ||
                (region.number >= kLeastAsked && is_of_others(gathering, guard.variable));
            if (!field->second.is_level && !may_be) take_for_size(region);
            continue;
        }
        const GlobalUse& use = gathering.globals[guard.variable];
        const bool is_guard = region.kind == RegionKind::Guard;
        const bool may_be_of_other =
            TREE_PUBLIC(use.declaration) && !DECL_THREAD_LOCAL_P(use.declaration);
        const bool is_flag = says_level(gathering, region.tested.name);
        const bool may_be = use.holds_provided || (is_guard && (may_be_of_other || is_flag));
        if (!may_be) region.condition = Condition::None;
    }
}

/// Members that are the numbers of threads which the unit starts.
std::unordered_set<StringId> counted_members(const Unit& unit) {
    std::unordered_set<StringId> members;
    for (const Function& function : unit.functions) {
        for (const Step& step : function.steps) {
            for (const Value& value : step.arguments) {
                if (value.kind == Value::Kind::Counted && value.name != 0)
                    members.insert(value.name);
            }
        }
    }
    return members;
}

/// `guard` said `condition` of a number of OpenMP's in a member of a parameter, which has none; but
/// the program gives its own threads numbers there.
void ask_for_counted(Region& guard, Condition condition, std::int64_t number) {
    if (guard.condition != Condition::None) return;
    const bool is_known = condition == Condition::ThreadIsZero ||
                          (condition == Condition::ThreadIsOther && number > 0);
    if (!is_known) return;
    guard.condition = Condition::ArgumentIs;
    guard.number = number;
}

void settle_guards(Gathering& gathering, const FunctionsBySymbol& functions, const Symbols& idle) {
    settle_never_returning(gathering, functions);
    settle_provided_guards(gathering);
    const std::unordered_set<StringId> counted = counted_members(gathering.unit);
    for (Function& function : gathering.unit.functions) {
        for (Region& region : function.regions) {
            if (!ended_by(gathering.unit.strings[region.wrapper]).empty() ||
                settle_size_guard(gathering, region))
                continue;
            follow_result(gathering, region.condition, region.wrapper);
            settle_member_asked(gathering, region, counted);
            const Condition condition = region.condition;
            const std::int64_t number = region.number;
            const auto copy = gathering.copied_flags.find(region.wrapper);
            if (copy != gathering.copied_flags.end() && is_shared_keeper(gathering, copy->second))
                region.wrapper = copy->second;
            if (!is_shared_keeper(gathering, region.wrapper)) settle_level_guard(gathering, region);
            if (settle_keeper(gathering, region)) {
                if (counted.contains(region.tested.name))
                    ask_for_counted(region, condition, number);
                continue;
            }
            const auto wrapper = functions.find(region.wrapper);
            const bool is_here = wrapper != functions.end();
            if (!is_here && !idle.contains(region.wrapper)) continue;
            Returns returns =
                is_here ? gathering.unit.functions[wrapper->second].returns : Returns::Other;
            if (region.tested.kind == Value::Kind::ThreadNumber) {
                if (settle_test(gathering, region, returns)) continue;
                region.tested = {};
            }
            if (returns == Returns::IsInitialized) continue;  // who asks counts
            region.condition = condition_of_wrapper(region.condition, region.number, returns);
            if (returns == Returns::ThreadNumber) continue;
            region.wrapper = 0;
            region.number = number_of_wrapper(region.number, returns);
        }
    }
    for (const ProvidedLevel& level : gathering.provided_levels) {
        // Other units may compare what they can see.
        const GlobalUse& use = gathering.globals[level.variable];
        gathering.unit.functions[level.function].steps[level.step].mpi.tests_provided =
            use.is_compared || TREE_PUBLIC(use.declaration);
    }
}

/// What a function hands on that has the same parameters.
std::vector<Value> own_arguments(tree declaration) {
    std::vector<Value> arguments;
    Value value;
    for (tree type = TYPE_ARG_TYPES(TREE_TYPE(declaration));
         type != NULL_TREE && TREE_VALUE(type) != void_type_node;
         type = TREE_CHAIN(type)) {
        value.kind = Value::Kind::Parameter;
        value.number = static_cast<std::int64_t>(arguments.size());
        arguments.push_back(value);
    }
    if (TREE_CODE(TREE_TYPE(declaration)) != METHOD_TYPE || DECL_CXX_CONSTRUCTOR_P(declaration))
        return arguments;
    // What the object's constructor was handed, see lock_members.h.
    for (int i = 0; i < kMostConstructorArguments; ++i) {
        value.number = static_cast<std::int64_t>(arguments.size());
        arguments.push_back(value);
    }
    return arguments;
}

/// A function under another name: aliases, such as C++'s constructors, and thunks.
void add_aliases(Gathering& gathering) {
    const FunctionsBySymbol functions = by_symbol(gathering.unit);
    cgraph_node* node = nullptr;
    FOR_EACH_FUNCTION(node) {
        if (!node->alias && !node->thunk) continue;
        const cgraph_node* target = node->function_symbol();
        if (target == nullptr || target == node) continue;
        const auto found = functions.find(gathering.symbol(target->decl));
        const StringId symbol = gathering.symbol(node->decl);
        if (found == functions.end() || functions.contains(symbol)) continue;
        const Function& original = gathering.unit.functions[found->second];
        Function other;
        other.symbol = symbol;
        const bool is_mangled = gathering.unit.strings[symbol].starts_with("_Z");
        other.name = is_mangled ? original.name : symbol;
        other.place = original.place;
        other.returns = original.returns;
        other.regions.resize(1);
        other.steps.resize(3);
        other.steps[0].next = {1};
        other.steps[1].kind = StepKind::Call;
        other.steps[1].name = original.symbol;
        other.steps[1].place = original.place;
        other.steps[1].next = {2};
        other.steps[1].arguments = own_arguments(node->decl);
        other.steps[2].kind = StepKind::Exit;
        add_linkage(gathering, other, node->decl);
        gathering.unit.functions.push_back(std::move(other));
        gathering.declarations.push_back(node->decl);
    }
}

/// A name that only the language's own library may use, in a header of that.
bool is_reserved(tree function, std::string_view name) {
    return name.starts_with("__") && in_system_header_at(DECL_SOURCE_LOCATION(function));
}

/// Functions that other units may have. Tables of virtual functions don't count, and what libraries
/// have is none of the program's.
void add_taken(Gathering& gathering) {
    std::vector<StringId>& taken = gathering.unit.taken;
    cgraph_node* node = nullptr;
    FOR_EACH_FUNCTION(node) {
        if (node->definition || !node->address_taken || DECL_VIRTUAL_P(node->decl) ||
            !TREE_PUBLIC(node->decl))
            continue;
        const StringId symbol = gathering.symbol(node->decl);
        const std::string& name = gathering.unit.strings[symbol];
        if (!is_runtime_symbol(name) && !is_of_standard_library(name) &&
            !is_reserved(node->decl, name))
            taken.push_back(symbol_behind_pointer(gathering, node->decl));
    }
}

void set_constant(Variable& variable, const GlobalUse& use) {
    const tree initial = DECL_INITIAL(use.declaration);
    const bool has_initial =
        initial != NULL_TREE && TREE_CODE(initial) == INTEGER_CST && tree_fits_shwi_p(initial);
    // What nobody else can give a value to begins with 0.
    const bool is_zero = initial == NULL_TREE && variable.is_local &&
                         !DECL_EXTERNAL(use.declaration) &&
                         INTEGRAL_TYPE_P(TREE_TYPE(use.declaration));
    if (variable.creations != 0) return;
    if (variable.other_writes == 0 && (has_initial || is_zero)) {
        variable.has_constant = true;
        variable.constant = has_initial ? tree_to_shwi(initial) : 0;
    } else if (variable.other_writes == 1 && use.has_constant) {
        variable.has_constant = true;
        variable.constant = use.constant;
    }
}

/// That other units may compare or request: the provided level, and the numbers of levels.
bool may_be_level(const Variable& variable, const GlobalUse& use) {
    if (variable.holds_provided) return true;
    if (variable.is_local) return false;
    if (TREE_CODE(TREE_TYPE(use.declaration)) == BOOLEAN_TYPE)
        return variable.other_writes != 0 && (variable.has_constant || knows_levels());
    if (variable.has_constant) return variable.constant >= 0 && variable.constant <= 3;
    return variable.other_writes != 0 && is_plain_int(use.declaration) && knows_levels();
}

/// Numbers for other units that no function of this one uses, and what has such and may be written
/// by way of its address.
void gather_unused_numbers(Gathering& gathering) {
    if (!knows_levels()) return;
    varpool_node* node = nullptr;
    FOR_EACH_VARIABLE(node) {
        const tree variable = node->decl;
        if (!TREE_PUBLIC(variable) || DECL_ARTIFICIAL(variable) ||
            in_system_header_at(DECL_SOURCE_LOCATION(variable)))
            continue;
        const bool is_record = TREE_CODE(TREE_TYPE(variable)) == RECORD_TYPE;
        if (node->definition ? is_record || is_plain_int(variable)
                             : is_record && TREE_ADDRESSABLE(variable))
            gathering.global(variable);
    }
}

void add_variables(Gathering& gathering) {
    gather_unused_numbers(gathering);
    const std::unordered_set<StringId> names =
        named_variables(gathering.unit.functions, gathering.unit.strings);
    for (const auto& [uid, use] : gathering.globals) {
        if (DECL_NAME(use.declaration) == NULL_TREE) continue;
        Variable variable;
        variable.name = gathering.symbol(use.declaration);
        variable.is_local = !TREE_PUBLIC(use.declaration);
        variable.creations = use.creations;
        variable.other_writes = use.other_writes;
        variable.holds_provided = use.holds_provided;
        set_constant(variable, use);
        set_levels(gathering, variable);
        variable.changes_in_team = gathering.team_writes.in_teams.contains(uid);
        if (names.contains(variable.name) || may_be_level(variable, use))
            gathering.unit.variables.push_back(variable);
    }
    add_members(gathering, names);
    add_flag_members(gathering);
    add_told_results(gathering);
    for (const auto& [uid, field] : gathering.provided_fields) {
        const bool is_shared = is_of_others(gathering, uid);
        if (field.name == 0 || !field.is_level || (!is_shared && !names.contains(field.name)))
            continue;
        Variable variable;
        variable.name = field.name;
        variable.is_local = !is_shared;
        variable.holds_provided = true;
        gathering.unit.variables.push_back(variable);
    }
    for (const auto& [name, local] : gathering.turn_locals) {
        if (local.owner == 0 || local.part_of != 0 || !names.contains(name)) continue;
        Variable variable;
        variable.name = name;
        variable.is_local = true;
        gathering.unit.variables.push_back(variable);
    }
    for (const auto& [name, member] : gathering.member_handles) {
        if (!names.contains(name)) continue;
        gathering.unit.variables.push_back(member);
        gathering.unit.variables.back().name = name;
    }
    const Strings& strings = gathering.unit.strings;
    std::sort(
        gathering.unit.variables.begin(),
        gathering.unit.variables.end(),
        [&](const Variable& a, const Variable& b) { return strings[a.name] < strings[b.name]; });
}

/// As the source has them: GCC goes through them in another order when it optimizes.
void sort_functions(Gathering& gathering) {
    const std::vector<Function>& functions = gathering.unit.functions;
    const Strings& strings = gathering.unit.strings;
    std::vector<FunctionId> order(functions.size());
    std::iota(order.begin(), order.end(), FunctionId{});
    std::ranges::stable_sort(order, {}, [&](FunctionId id) {
        const Place& place = functions[id].place;
        return std::tuple<std::string_view, std::uint32_t, std::uint32_t>(
            strings[place.file], place.line, place.column);
    });
    std::vector<Function> sorted;
    std::vector<tree> declarations;
    for (const FunctionId id : order) {
        sorted.push_back(std::move(gathering.unit.functions[id]));
        declarations.push_back(gathering.declarations[id]);
    }
    gathering.unit.functions = std::move(sorted);
    gathering.declarations = std::move(declarations);
}

}  // namespace

void complete(Gathering& gathering) {
    Unit& unit = gathering.unit;
    settle_handed_handles(gathering);
    settle_constructed_numbers(gathering);
    settle_numbered_objects(gathering);
    settle_kept_arguments(gathering);
    for (std::size_t id = 0; id < unit.functions.size(); ++id)
        add_linkage(gathering, unit.functions[id], gathering.declarations[id]);
    add_tries(gathering);
    add_pointed_procedures(gathering);
    if (is_fortran()) add_bindings(gathering);
    const FunctionsBySymbol functions = by_symbol(unit);
    const Symbols idle = idle_symbols(gathering);
    settle_team_writes(gathering);
    settle_given_sizes(gathering);
    settle_copies(gathering, functions);
    settle_kept_flags(gathering, functions);
    settle_identities(gathering, functions);
    settle_returns(gathering, functions);
    settle_levels(gathering);
    settle_requested_levels(gathering);
    settle_guards(gathering, functions, idle);
    settle_handed_numbers(gathering);
    settle_returned_objects(gathering);
    settle_lock_members(gathering);
    settle_captured_handles(gathering);
    settle_own_handles(gathering);
    add_aliases(gathering);
    settle_own_turns(gathering);
    settle_turns(gathering);
    settle_lock_parts(gathering);
    settle_empty_guards(gathering);
    settle_packaged_tasks(gathering);
    settle_unwinding(unit);
    settle_function_members(gathering);
    add_answers(gathering);
    prune(gathering, idle);
    add_tables(gathering, functions, idle);
    add_pointed_functions(gathering, functions, idle);
    add_taken(gathering);
    add_numbers(gathering);
    add_writers(gathering);
    add_casts(gathering);
    add_variables(gathering);
    sort_functions(gathering);
}

}  // namespace mqinspect::thread_level::plugin
