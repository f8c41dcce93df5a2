#include "thread_level/gcc_plugin/prepared.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "thread_level/facts/library_functions.h"
#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/bound_procedures.h"
#include "thread_level/gcc_plugin/captured_handles.h"
#include "thread_level/gcc_plugin/continued_lines.h"
#include "thread_level/gcc_plugin/given_sizes.h"
#include "thread_level/gcc_plugin/guard_members.h"
#include "thread_level/gcc_plugin/kept_arguments.h"
#include "thread_level/gcc_plugin/main_identity.h"
#include "thread_level/gcc_plugin/member_functions.h"
#include "thread_level/gcc_plugin/member_handles.h"
#include "thread_level/gcc_plugin/numbered_objects.h"
#include "thread_level/gcc_plugin/object_classes.h"
#include "thread_level/gcc_plugin/packaged_tasks.h"
#include "thread_level/gcc_plugin/pointed_functions.h"
#include "thread_level/gcc_plugin/pointed_members.h"
#include "thread_level/gcc_plugin/pointed_procedures.h"
#include "thread_level/gcc_plugin/requested_levels.h"
#include "thread_level/gcc_plugin/returned_objects.h"
#include "thread_level/gcc_plugin/shared_pointers.h"
#include "thread_level/gcc_plugin/team_sizes.h"
#include "thread_level/gcc_plugin/team_writes.h"
#include "thread_level/gcc_plugin/texts.h"
#include "thread_level/gcc_plugin/thread_numbers.h"
#include "thread_level/gcc_plugin/turn_objects.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// What a call and its copies have in common, and no other call of the function has, unless it does
/// the same. Copies of what has no place in the source have that of the way out.
std::uint64_t identity_of(const gcall* call, location_t location) {
    constexpr std::uint64_t mix = 0x9e37'79b9'7f4a'7c15;
    std::uint64_t identity = get_pure_location(line_table, location);
    const auto add = [&identity](std::uint64_t value) { identity = (identity ^ value) * mix; };
    const tree callee = gimple_call_fndecl(call);
    add(callee == NULL_TREE ? 0 : DECL_UID(callee));
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        const tree argument = strip(gimple_call_arg(call, i));
        const tree object =
            TREE_CODE(argument) == ADDR_EXPR ? base_variable(TREE_OPERAND(argument, 0)) : argument;
        const bool is_named = object != NULL_TREE && DECL_P(object);
        add(is_named ? std::uint64_t{DECL_UID(object)} : std::uint64_t{TREE_CODE(argument)});
    }
    return identity;
}

}  // namespace

tree argument_of(const gcall* call, int position) {
    return position >= 0 && static_cast<unsigned>(position) < gimple_call_num_args(call)
               ? gimple_call_arg(call, static_cast<unsigned>(position))
               : NULL_TREE;
}

void Preparation::forget() {
    steps.clear();
    regions.clear();
    branches.clear();
    common_branches.clear();
    size_calls.clear();
    fixed_sides.clear();
    choices.clear();
    argument_copies.clear();
    teams.clear();
    single_cases_.clear();
    turn_tests.clear();
    team_tests.clear();
    provided_in.clear();
    more_locks.clear();
    once.clear();
    constant_results.clear();
    waits.clear();
    lock_guards_.clear();
    own_locks_.clear();
    held_guards_.clear();
    returned = {};
}

void Preparation::prepare(tree function_declaration) {
    function = function_declaration;
    forget();
    source_.walk(gimple_body(function_declaration));
    prepare_walked();
    source_.restore();
}

void Preparation::prepare_walked() {
    turns_.find(function, steps);
    turn_tests = turns_.ticket_tests();
    hand_overs = turns_.hand_overs();
    note_predicate();
    matters = source_.has_threads || source_.has_mpi || source_.has_plain_calls || !steps.empty() ||
              !source_.turn_writes.empty() || !turns_.releases().empty() || !turn_tests.empty();
    has_constructs = !source_.constructs.empty();
    note_writes();
    note_made_objects(gathering_, values_, source_);
    empty_.find_losses();
    const bool has_result = note_result(gathering_, source_, values_);
    if (!matters) {
        returned = conditions_.returned_by_itself();
        matters = has_result || returned != Returned{};
        return;
    }
    add_keeps(gathering_, function, steps);
    constructors_ = constructors_with_locks(source_);
    moved_.find();
    empty_.find();
    for (const LocatedCall& at : source_.calls) {
        Step step = make_step(at);
        if (step.kind == StepKind::Join) continue;
        step.place = gathering_.place(location_of(at.call));
        steps.emplace(at.call, std::move(step));
    }
    note_static_futures();
    note_returned_guard();
    note_try();
    note_turn_writes();
    for (const Located& at : source_.constructs) {
        note_order(at);
        Region region = make_region(gathering_, values_, source_, at);
        if (region.team == Team::Perhaps) note_level_of_team(at, region);
        if (region.kind == RegionKind::Parallel) {
            const GivenSize given = given_size(gathering_, values_, source_, at);
            region.name = given.member;
            if (given.call != nullptr) size_calls.emplace(at.statement, given.call);
        }
        if (region.kind != RegionKind::Function) regions.emplace(at.statement, std::move(region));
    }
    note_originals();
    if (!may_ask_for_thread()) return;
    if (source_.has_mpi || source_.has_plain_calls) conditions_.note_copied_levels();
    prepare_branches();
    prepare_result();
}

/// What the function says of variables, members and functions, whose meaning the unit tells.
void Preparation::note_writes() {
    conditions_.note_numbers();
    conditions_.note_level_flags();
    note_identities(gathering_, callees_, source_, values_);
    note_team_writes(gathering_, source_, callees_);
    note_lock_members(gathering_, source_, values_);
    note_returned_constructor(gathering_, source_, values_);
    note_captured_handles(gathering_, source_, values_, callees_);
    note_constant_result(gathering_, source_, values_);
    note_member_handles(gathering_, source_, values_);
    note_function_members(gathering_, source_);
    note_pointed_functions(gathering_, source_);
}

/// Of static variables. What is computed outside of regions does not change in them, if no team
/// executes the function.
void Preparation::note_turn_writes() {
    const bool is_main = is_main_program(gathering_.unit.strings[gathering_.symbol(function)]);
    for (const Located& at : source_.turn_writes) {
        const TurnVariable variable = static_variable(gimple_assign_lhs(at.statement), gathering_);
        const tree written = gimple_assign_rhs1(at.statement);
        const bool is_in_front = is_main && at.context == 0;
        auto step = write_step(variable, written, values_, gathering_, is_in_front);
        if (!step) {
            step = turns_.count_step(variable, written);
            if (step &&
                std::ranges::find(source_.self_counts, at.statement) != source_.self_counts.end())
                ++gathering_.global(variable.declaration).turn_writes;
        }
        if (!step && at.context == 0)
            step = write_step(variable, written, values_, gathering_, true);
        if (step) steps.emplace(at.statement, std::move(*step));
    }
}

/// Of a function that returns a lock guard: the lock that this holds.
void Preparation::note_returned_guard() {
    const tree result = DECL_RESULT(function);
    const auto guard = lock_guards_.find(result);
    if (guard != lock_guards_.end() && guard->second.size() == 1)
        gathering_.results.insert_or_assign(gathering_.symbol(function), guard->second.front());
}

/// Of a function object that a condition variable may ask.
void Preparation::note_predicate() {
    const tree name = DECL_NAME(function);
    if (name == NULL_TREE || std::string_view(IDENTIFIER_POINTER(name)) != "operator()") return;
    if (auto test = returned_test(source_, values_, turns_))
        gathering_.predicates.insert_or_assign(gathering_.symbol(function), std::move(*test));
}

/// Of `parallel if(level >= MPI_THREAD_SERIALIZED)`, or of what a static variable is.
void Preparation::note_level_of_team(const Located& at, Region& region) {
    if (region.kind != RegionKind::Parallel) return;
    const tree clause = omp_find_clause(gimple_omp_taskreg_clauses(at.statement), OMP_CLAUSE_IF);
    if (clause == NULL_TREE) return;
    const tree asked = OMP_CLAUSE_IF_EXPR(clause);
    const auto test = turn_test(NE_EXPR, asked, boolean_false_node, source_, values_, turns_);
    if (auto step = test ? step_of(*test, true) : std::nullopt)
        team_tests.emplace(at.statement, std::move(*step));
    const Implication said = conditions_.where_true(asked, at.context);
    if (said.condition != Condition::LevelAtLeast || said.limit.kind != Value::Kind::Unknown)
        return;
    region.condition = said.condition;
    region.tested = constant(said.number);
    teams.emplace(at.statement, said);
}

/// Of `ordered depend(...)`.
void Preparation::note_order(const Located& at) {
    if (gimple_code(at.statement) != GIMPLE_OMP_ORDERED) return;
    Step step;
    step.kind = order_of(at.statement, source_.contexts[at.context].construct);
    if (step.kind == StepKind::Join) return;
    step.turn = Turn::InOrder;
    step.place = gathering_.place(gimple_location(at.statement));
    steps.emplace(at.statement, std::move(step));
}

void Preparation::note_originals() {
    originals_.clear();
    for (const LocatedCall& at : source_.calls) {
        if (steps.contains(at.call))
            originals_.emplace(identity_of(at.call, gimple_location(at.call)), at.call);
    }
}

const gimple* Preparation::original_of(const gcall* call) const {
    if (steps.contains(call)) return call;
    for (const location_t location : {gimple_location(call), UNKNOWN_LOCATION}) {
        const auto found = originals_.find(identity_of(call, location));
        if (found != originals_.end()) return found->second;
    }
    return call;
}

void Preparation::prepare_result() {
    for (gimple* statement : source_.returns) {
        const tree result = gimple_return_retval(as_a<greturn*>(statement));
        const Returned one = conditions_.returned(result);
        const bool is_first = statement == source_.returns.front();
        returned = is_first || one == returned ? one : Returned{};
        if (returned == Returned{}) break;
    }
}

void Preparation::prepare_branches() {
    const TeamSizes sizes(source_);
    for (const Located& at : source_.conditions) {
        if (const auto side = conditions_.fixed_side(as_a<const gcond*>(at.statement)))
            fixed_sides.emplace(at.statement, *side);
        Branch branch = conditions_.of(at);
        if (const Branch by_size = sizes.of(at.statement); by_size.says_anything()) {
            branch.when_true = by_size.when_true;
            branch.when_false = by_size.when_false;
        }
        if (branch.says_anything() || branch.variable != Value{})
            branches.emplace(at.statement, branch);
        if (has_constructs || source_.starts_threads) {
            const Branch common = conditions_.of_common(at);
            if (common.says_anything()) common_branches.emplace(at.statement, common);
        }
        if (const auto test = turn_test(at, source_, values_, turns_))
            turn_tests.emplace(at.statement, *test);
    }
    for (const Located& at : source_.switches) {
        Choice choice = conditions_.of_switch(at);
        if (choice.empty()) continue;
        single_cases_.emplace(get_pure_location(line_table, gimple_location(at.statement)), choice);
        choices.emplace(at.statement, std::move(choice));
    }
    if (!source_.conditions.empty()) note_argument_copies();
}

const Branch* Preparation::branch_at(const gimple* condition) const {
    const auto branch = branches.find(condition);
    if (branch != branches.end()) return &branch->second;
    const auto single =
        single_cases_.find(get_pure_location(line_table, gimple_location(condition)));
    return single == single_cases_.end() ? nullptr
                                         : said_by(single->second, as_a<const gcond*>(condition));
}

/// Whether a condition of the function may speak of threads or levels.
bool Preparation::may_ask_for_thread() const {
    constexpr std::size_t most_conditions = 16;  // of what hands locks on
    if (source_.has_threads || source_.has_mpi || !source_.atomic_calls.empty()) return true;
    if (source_.conditions.size() + source_.switches.size() <= most_conditions) return true;
    for (const LocatedCall& at : source_.calls) {
        if (at.callee != nullptr && gimple_call_num_args(at.call) == 0 &&
            gimple_call_lhs(at.call) != NULL_TREE)
            return true;
    }
    return false;
}

Step Preparation::make_step(const LocatedCall& at) {
    if (at.callee == nullptr) return make_indirect_step(at);
    if (uses_turn_object(at.callee->kind)) {
        Step step = turns_.step_at(at);
        if (step.kind == StepKind::JoinThread) note_joined(step, at);
        return step;
    }
    Step step;
    switch (at.callee->kind) {
        case CalleeKind::Mpi:
            return make_mpi_step(at);
        case CalleeKind::Other:
            return make_call_step(at);
        case CalleeKind::StartThread:
        case CalleeKind::CallOnce:
            return make_thread_step(at);
        case CalleeKind::JoinThread:
            if (handles_.is_left_empty(at)) return step;
            if (ends_with_threads(gathering_.unit.strings[at.callee->symbol])) {
                step.value = handles_.ended_by(at);
                if (step.value.kind == Value::Kind::Unknown) return step;
            } else {
                step.value = handles_.joined_by(at);
            }
            step.kind = StepKind::JoinThread;
            return step;
        case CalleeKind::Taskwait:
            step.kind = StepKind::Taskwait;
            return step;
        case CalleeKind::Barrier:
            step.kind = StepKind::Barrier;
            return step;
        case CalleeKind::Acquire:
        case CalleeKind::TryAcquire:
        case CalleeKind::TryAcquireZero:
            step.kind = StepKind::Acquire;
            break;
        case CalleeKind::Release:
            step.kind = StepKind::Release;
            break;
        case CalleeKind::GuardAcquire:
            return make_guard_step(at, StepKind::Acquire, "lock");
        case CalleeKind::GuardHolds:
            return make_guard_step(at, StepKind::Acquire, "try_lock");
        case CalleeKind::GuardRelease:
            return make_guard_step(at, StepKind::Release, "unlock");
        case CalleeKind::GuardMake:
            return make_guard(at);
        case CalleeKind::AcquireAll:
            return make_lock_step(at, StepKind::Acquire, locks_in(at, 0));
        case CalleeKind::GuardBind:
            guarded_locks(at);
            return step;
        default:
            note_global_handles(at);
            return step;
    }
    step.value = values_.of(argument_of(at.call, at.callee->argument), at.context);
    step.value.is_shared |= is_of_maker(step.value, at.context);
    return step;
}

/// Counts what the call does to global variables whose address it gets.
void Preparation::note_global_handles(const LocatedCall& at) {
    for (unsigned i = 0; i < gimple_call_num_args(at.call); ++i) {
        const tree argument = gimple_call_arg(at.call, i);
        if (TREE_CODE(argument) != ADDR_EXPR) continue;
        const tree variable = base_variable(TREE_OPERAND(argument, 0));
        if (variable == NULL_TREE || !VAR_P(variable) || !is_global_var(variable)) continue;
        if (is_turn_object(TREE_TYPE(variable))) continue;  // TurnUses knows more
        const HandleEffect effect = values_.effect_of(at.call, variable);
        if (effect == HandleEffect::None) continue;
        GlobalUse& use = gathering_.global(variable);
        effect == HandleEffect::Makes ? ++use.creations : ++use.other_writes;
    }
}

/// Whether the function does more with a local variable than to print it.
bool Preparation::is_tested(tree variable) {
    const VariableUse* use = source_.use_of(variable);
    return (use != nullptr && use->escapes) || source_.is_read(variable);
}

Step Preparation::make_call_step(const LocatedCall& at) {
    Step step;
    std::string slot = reset_slot(current_function_decl, gimple_call_fndecl(at.call));
    if (slot.empty()) slot = sole_owner_slot(at, source_);
    if (!slot.empty()) {
        step.kind = StepKind::Indirect;
        step.is_virtual = true;
        step.name = gathering_.intern(slot);
        return step;
    }
    if (destroys_nothing(current_function_decl, gimple_call_fndecl(at.call))) return step;
    if (const std::string& symbol = gathering_.unit.strings[at.callee->symbol];
        calls_task(symbol)) {
        step.kind = StepKind::Indirect;
        step.is_virtual = true;
        step.name = gathering_.intern(std::string(task_slot(symbol)));
        return step;
    }
    if (auto started = started_in_library(at)) return *started;
    if (auto joined = joined_in_library(at)) return *joined;
    if (auto released = released_guard(at)) return *released;
    note_held_guard(at);
    step.kind = StepKind::Call;
    step.name = at.callee->symbol;
    step.object_class = class_called_with(at.call, values_, gathering_);
    note_wait(at);
    add_arguments(step, at);
    add_counted(step, at);
    step.value = handles_.container_of(at);
    add_constructor_arguments(constructors_, values_, at, step.arguments);
    add_handed_arguments(values_, at, step.arguments);
    step.lock_look = lock_look(at);
    moved_.note(at, step);
    return step;
}

/// The function whose address `operand` is; null if it is none, or not known.
tree Preparation::function_in(tree operand) {
    if (TREE_CODE(operand) == ADDR_EXPR) {
        const tree object = TREE_OPERAND(operand, 0);
        return TREE_CODE(object) == FUNCTION_DECL ? object : NULL_TREE;
    }
    if (!is_local_name(operand) || !POINTER_TYPE_P(TREE_TYPE(operand))) return NULL_TREE;
    if (values_.only_definition(operand) == nullptr) return NULL_TREE;
    return source_.function_in(operand);
}

/// The parameter that `pointer` is, or a member of what that points to; else Unknown.
Value Preparation::handed_callee(tree pointer, ContextId context) {
    const Value value = values_.of(pointer, context);
    return is_whole_parameter(value) ? value : called_member(gathering_, values_, pointer, context);
}

Step Preparation::make_indirect_step(const LocatedCall& at) {
    Step step;
    const tree callee = gimple_call_fn(at.call);
    if (callee == NULL_TREE) return step;
    const tree known = function_in(callee);
    if (known != NULL_TREE) {
        const Callee& meant = callees_.of(known);
        if (meant.kind == CalleeKind::Mpi) return make_mpi_step({at.call, &meant, at.context});
        step.kind = StepKind::Call;
        step.name = gathering_.symbol(known);
        add_arguments(step, at);
        return step;
    }
    const bool is_virtual = TREE_CODE(callee) == OBJ_TYPE_REF && virtual_method_call_p(callee);
    if (is_virtual && is_call_of_control_block(obj_type_ref_class(callee))) return step;
    step.kind = StepKind::Indirect;
    if (is_virtual) {
        step.is_virtual = true;
        const tree slot = OBJ_TYPE_REF_TOKEN(callee);
        step.name = gathering_.intern(
            slot_key(obj_type_ref_class(callee), static_cast<unsigned>(tree_to_uhwi(slot))));
    } else if (const StringId binding = binding_of(callee); binding != 0) {
        step.is_virtual = true;
        step.name = binding;
    } else {
        step.name = gathering_.intern(type_key(at.call));
        step.callee = handed_callee(callee, at.context);
        if (step.callee.kind == Value::Kind::Unknown)
            step.callee = pointer_called_by(gathering_, values_, callee);
    }
    add_arguments(step, at);
    return step;
}

/// Of a type-bound procedure; 0: `callee` is none.
StringId Preparation::binding_of(tree callee) {
    if (!is_fortran()) return 0;
    const Located* definition = is_local_name(callee) ? values_.only_definition(callee) : nullptr;
    if (definition == nullptr || !gimple_assign_single_p(definition->statement)) return 0;
    const std::string key = binding_key(gimple_assign_rhs1(definition->statement));
    return key.empty() ? 0 : gathering_.intern(key);
}

}  // namespace mqinspect::thread_level::plugin
