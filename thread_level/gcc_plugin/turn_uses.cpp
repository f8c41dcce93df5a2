#include "thread_level/gcc_plugin/turn_uses.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "thread_level/gcc_plugin/futures.h"
#include "thread_level/gcc_plugin/turn_objects.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostAddressCopies = 6;  // of copies of an address

/// Made by the compiler, or by a macro of <stdatomic.h>, for the statement behind it.
bool is_of_operation(tree variable) {
    if (TREE_CODE(variable) == SSA_NAME) return true;
    if (!VAR_P(variable) || is_global_var(variable)) return false;
    if (DECL_ARTIFICIAL(variable) || DECL_NAME(variable) == NULL_TREE) return true;
    return std::string_view(IDENTIFIER_POINTER(DECL_NAME(variable))).starts_with("__atomic_");
}

bool has_turn_parameter(tree function) {
    for (tree each = DECL_ARGUMENTS(function); each != NULL_TREE; each = DECL_CHAIN(each)) {
        if (is_handed_turn(each)) return true;
    }
    return false;
}

gimple* definition_of(tree pointer, Values& values) {
    if (!is_local_name(pointer)) return nullptr;
    const Located* definition = values.only_definition(pointer);
    return definition == nullptr ? nullptr : definition->statement;
}

}  // namespace

bool registers_destructor(tree callee) {
    return callee != NULL_TREE && DECL_NAME(callee) != NULL_TREE &&
           std::string_view(IDENTIFIER_POINTER(DECL_NAME(callee))) == "__cxa_atexit";
}

void TurnUses::find(tree function, Steps& steps) {
    function_ = function;
    shared_.clear();
    releases_.clear();
    ticket_tests_.clear();
    own_turn_uses_.clear();
    static_futures_.clear();
    allocations_.clear();
    if (source_.has_threads) {
        for (const Located& at : source_.conditions)
            visit_own_turn(at, steps);
    }
    find_shared_locals(steps);
    note_pointers();
    const bool hands_on = find_captured(steps);
    if (!hands_on && source_.part_writes.empty() && source_.atomic_calls.empty() &&
        source_.atomics.empty() && shared_.empty() && !source_.hands_atomics_on &&
        !has_turn_parameter(function))
        return;
    for (const LocatedCall& at : source_.atomic_calls)
        visit_call(at, steps);
    for (const SourceWalk::Atomic& atomic : source_.atomics)
        visit_atomic(atomic, steps);
    for (const Located& at : source_.assignments)
        visit_assignment(at, steps);
    for (const Located& at : source_.objects_got)
        note_pointer(at);
    for (gimple* write : source_.global_writes)
        spoil_kept(write, 0);
    for (const Located& at : source_.pointer_writes)
        spoil_kept(at.statement, at.context);
    for (const Located& at : source_.part_writes) {
        const tree left = gimple_assign_lhs(at.statement);
        if (const auto variable = part_of_object(left, at.context))
            write(at.statement, *variable, gimple_assign_rhs1(at.statement), steps);
    }
    for (const Located& at : source_.any_calls)
        visit_addresses(at, steps);
    for (const Located& at : source_.conditions)
        visit_ticket(at);
    settle_tickets();
}

/// What makes the value, behind copies; null: not known.
const Located* TurnUses::made_by(tree operand) {
    constexpr int most_copies = 6;
    for (int depth = 0; depth < most_copies; ++depth) {
        operand = strip(operand);
        if (TREE_CODE(operand) == VIEW_CONVERT_EXPR) operand = TREE_OPERAND(operand, 0);
        const Located* made = is_local_name(operand) ? values_.only_definition(operand) : nullptr;
        if (made == nullptr || !is_gimple_assign(made->statement) || !is_copying(made->statement))
            return made;
        operand = gimple_assign_rhs1(made->statement);
    }
    return nullptr;
}

std::vector<gimple*> TurnUses::hand_overs() const {
    std::vector<gimple*> writes;
    for (const LocatedCall& at : source_.atomic_calls) {
        const AtomicKind kind = at.callee->atomic;
        const bool is_write = kind == AtomicKind::Store || kind == AtomicKind::Exchange;
        if (is_write && is_fenced(at.call, true)) writes.push_back(at.call);
    }
    for (const SourceWalk::Atomic& atomic : source_.atomics) {
        gimple* load = atomic.load.statement;
        const bool is_write = atomic.store != nullptr && !gimple_omp_atomic_need_value_p(load) &&
                              !gimple_omp_atomic_need_value_p(atomic.store);
        if (is_write && is_fenced(load, true)) writes.push_back(atomic.store);
    }
    // What is polled without being atomic has to be volatile at least.
    std::copy_if(source_.global_writes.begin(),
                 source_.global_writes.end(),
                 std::back_inserter(writes),
                 [](gimple* write) { return TREE_THIS_VOLATILE(gimple_assign_lhs(write)) != 0; });
    return writes;
}

std::optional<TurnVariable> TurnUses::shared_local(tree variable) const {
    const auto found = DECL_P(variable) ? shared_.find(DECL_UID(variable)) : shared_.end();
    return found == shared_.end() ? std::nullopt : std::optional(found->second);
}

TurnVariable TurnUses::local(tree variable) {
    TurnVariable known;
    known.owner = gathering_.symbol(function_);
    known.value.kind = Value::Kind::Global;
    const std::string name = local_name(variable);
    known.value.name = gathering_.intern(gathering_.unit.strings[known.owner] + '/' + name);
    TurnLocal& local = gathering_.turn_locals[known.value.name];
    local.owner = known.owner;
    local.local_name = gathering_.intern(name);
    return known;
}

/// What a lambda refers to by a field of its own.
std::optional<TurnVariable> TurnUses::captured(tree reference) {
    const tree field = TREE_OPERAND(reference, 1);
    if (!is_field_of_function(reference) || !POINTER_TYPE_P(TREE_TYPE(field)) ||
        !has_number(TREE_TYPE(TREE_TYPE(field))))
        return std::nullopt;
    TurnVariable known;
    known.value.kind = Value::Kind::Global;
    known.value.name = gathering_.intern("captured@" + std::to_string(DECL_UID(field)));
    gathering_.turn_locals.try_emplace(known.value.name);
    return known;
}

/// `both.first`, or `all[1]`, that threads wait at.
std::optional<TurnVariable> TurnUses::part_of_static(tree object, ContextId context) {
    const tree whole = base_variable(object);
    if (whole == NULL_TREE || !VAR_P(whole) || !is_global_var(whole) ||
        DECL_THREAD_LOCAL_P(whole) || !is_turn_object(TREE_TYPE(object)))
        return std::nullopt;
    TurnVariable known;
    known.value = values_.of(object, context);
    if (known.value.kind != Value::Kind::Global) return std::nullopt;
    gathering_.turn_locals[known.value.name].part_of = gathering_.symbol(whole);
    return known;
}

std::optional<TurnVariable> TurnUses::variable_at(tree address, ContextId context) {
    return variable_at(address, context, kMostAddressCopies);
}

std::optional<TurnVariable> TurnUses::variable_at(tree address, ContextId context, int depth) {
    if (depth <= 0 || address == NULL_TREE) return std::nullopt;
    if (TREE_CODE(address) == ADDR_EXPR)
        return variable_of(TREE_OPERAND(address, 0), context, depth - 1);
    if (TREE_CODE(address) == PARM_DECL) return parameter(address);
    if (auto known = pointed_to(address, context)) return known;
    gimple* definition = definition_of(address, values_);
    const tree moved = unmoved(address);
    if (moved != address) return variable_at(moved, context, depth - 1);
    if (definition == nullptr || !is_copying(definition)) return std::nullopt;
    const tree source = gimple_assign_rhs1(definition);
    if (TREE_CODE(source) == COMPONENT_REF) return captured(source);
    return variable_at(source, context, depth - 1);
}

std::optional<TurnVariable> TurnUses::variable_of(tree object, ContextId context, int depth) {
    object = future_around(atomic_around(object));
    const bool is_of_promise = is_future(TREE_TYPE(object));
    if (is_of_promise || is_promise(TREE_TYPE(object))) {
        const auto known = state_of(object, context, depth);
        if (known || (is_of_promise && TREE_CODE(object) != MEM_REF)) return known;
    }
    if (TREE_CODE(object) == MEM_REF && integer_zerop(TREE_OPERAND(object, 1)))
        return variable_at(TREE_OPERAND(object, 0), context, depth - 1);
    if (handled_component_p(object)) {
        const auto part = part_of_object(object, context);
        return part ? part : part_of_static(object, context);
    }
    if (!VAR_P(object) || !has_number(TREE_TYPE(object))) return std::nullopt;
    if (is_own_variable(object)) return static_variable(object, gathering_);
    const bool is_named = !is_global_var(object) && !DECL_ARTIFICIAL(object) &&
                          DECL_NAME(object) != NULL_TREE && !DECL_HAS_VALUE_EXPR_P(object) &&
                          !source_.is_private(object, context);
    return is_named ? std::optional(local(object)) : std::nullopt;
}

std::optional<TurnVariable> TurnUses::read_by(const Located& definition) {
    gimple* statement = definition.statement;
    if (gimple_code(statement) == GIMPLE_OMP_ATOMIC_LOAD) {
        if (!is_fenced(statement, false)) return std::nullopt;
        return variable_at(gimple_omp_atomic_load_rhs(as_a<gomp_atomic_load*>(statement)),
                           definition.context);
    }
    const tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    if (callee == NULL_TREE || callees_.of(callee).atomic != AtomicKind::Load) return std::nullopt;
    if (!is_fenced(statement, false)) return std::nullopt;
    return variable_at(gimple_call_arg(statement, 0), definition.context);
}

/// Whether the order of memory is that of a hand-over, by the access itself or by a fence.
bool TurnUses::is_fenced(gimple* statement, bool as_store) const {
    if (is_gimple_call(statement)) {
        const AtomicKind kind = callees_.of(gimple_call_fndecl(statement)).atomic;
        if (is_ordered(statement, kind, as_store)) return true;
    } else {
        const auto order = gimple_omp_atomic_memory_order(statement);
        if ((order & OMP_MEMORY_ORDER_MASK) > OMP_MEMORY_ORDER_RELAXED) return true;
    }
    const std::vector<gimple*>& marks = source_.marks;
    const auto at = std::find(marks.begin(), marks.end(), statement);
    const auto is_fence = [this](gimple* mark) {
        return is_gimple_call(mark) &&
               callees_.of(gimple_call_fndecl(mark)).atomic == AtomicKind::Fence;
    };
    return as_store ? std::any_of(marks.begin(), at, is_fence)
                    : std::any_of(at, marks.end(), is_fence);
}

/// In the source, the function makes threads behind it, but none before.
bool TurnUses::is_before_threads(const gimple* statement) const {
    bool is_passed = false;
    for (gimple* mark : source_.marks) {
        is_passed = is_passed || mark == statement;
        const bool is_access = gimple_code(mark) == GIMPLE_OMP_ATOMIC_LOAD ||
                               (is_gimple_call(mark) &&
                                callees_.of(gimple_call_fndecl(mark)).kind == CalleeKind::Atomic);
        if (!is_access) return is_passed;
    }
    return false;
}

void TurnUses::spoil(const TurnVariable& variable) {
    if (variable.declaration != NULL_TREE) {
        ++gathering_.global(variable.declaration).other_writes;
    } else {
        gathering_.turn_locals[variable.value.name].is_bad = true;
    }
}

void TurnUses::write(gimple* statement,
                     const TurnVariable& variable,
                     tree written,
                     Steps& steps,
                     bool may_be_computed) {
    if (has_made(variable, written)) return;
    if (variable.declaration != NULL_TREE) ++gathering_.global(variable.declaration).other_writes;
    auto step = write_step(variable, written, values_, gathering_, may_be_computed);
    if (!step) step = count_step(variable, written);
    if (step) {
        steps.emplace(statement, *step);
    } else {
        spoil(variable);
    }
}

void TurnUses::write_relaxed(gimple* statement, const TurnVariable& variable, tree written) {
    if (is_before_threads(statement)) return;
    gathering_.relaxed_writes.emplace(variable.value.name, values_.constant(written));
}

void TurnUses::visit_call(const LocatedCall& at, Steps& steps) {
    if (gimple_call_num_args(at.call) == 0) return;
    const AtomicKind kind = at.callee->atomic;
    const auto variable = variable_at(gimple_call_arg(at.call, 0), at.context);
    const bool takes = visit_spin_lock(at, steps);
    if (takes && variable) spoil(*variable);
    if (takes || !variable) return;
    switch (kind) {
        case AtomicKind::Store:
            if (!is_fenced(at.call, true)) write_relaxed(at.call, *variable, written_by(at.call));
            write(at.call, *variable, written_by(at.call), steps);
            return;
        case AtomicKind::Exchange:
            visit_exchange(at, *variable, steps);
            return;
        case AtomicKind::CompareExchange:
            visit_compare_exchange(at, *variable, steps);
            return;
        case AtomicKind::Wait: {
            const auto old = values_.constant(gimple_call_arg(at.call, 1));
            if (old && is_fenced(at.call, false))
                steps.emplace(at.call, wait_step(*variable, *old));
            return;
        }
        case AtomicKind::Other:
            spoil(*variable);
            return;
        case AtomicKind::Load:
        case AtomicKind::Fence:
        case AtomicKind::None:
            return;
    }
}

void TurnUses::visit_atomic(const SourceWalk::Atomic& atomic, Steps& steps) {
    gomp_atomic_load* load = as_a<gomp_atomic_load*>(atomic.load.statement);
    visit_counted(atomic, steps);
    const auto variable = variable_at(gimple_omp_atomic_load_rhs(load), atomic.load.context);
    if (!variable || atomic.store == nullptr) return;
    const tree loaded = gimple_omp_atomic_load_lhs(load);
    const tree stored = gimple_omp_atomic_store_val(as_a<gomp_atomic_store*>(atomic.store));
    if (stored == loaded) return;
    const bool is_write =
        !gimple_omp_atomic_need_value_p(load) && !gimple_omp_atomic_need_value_p(atomic.store);
    if (!is_write) {
        spoil(*variable);
        return;
    }
    if (!is_fenced(load, true)) write_relaxed(load, *variable, stored);
    write(atomic.store, *variable, stored, steps);
}

/// What initializes an atomic variable, and where the address of one goes.
void TurnUses::visit_assignment(const Located& at, Steps& steps) {
    const tree left = gimple_assign_lhs(at.statement);
    const tree source = gimple_assign_rhs1(at.statement);
    const tree written = base_variable(left);
    const bool is_initial =
        written != NULL_TREE && VAR_P(written) && !is_global_var(written) &&
        !gimple_clobber_p(at.statement) &&
        (is_atomic_record(TREE_TYPE(written)) || TYPE_ATOMIC(TREE_TYPE(written)));
    if (is_initial) {
        if (const auto variable = variable_of(written, at.context, kMostAddressCopies))
            write(at.statement, *variable, source, steps);
        return;
    }
    if (is_of_operation(left) && TREE_CODE(source) == ADDR_EXPR)
        note_address(TREE_OPERAND(source, 0), at.context);
    if (is_of_operation(left) || !gimple_assign_single_p(at.statement) ||
        !POINTER_TYPE_P(TREE_TYPE(source)))
        return;
    const auto variable = variable_at(source, at.context);
    if (!variable || variable->owner == 0) spoil_parts(source, at.context);
    if (!variable) return;
    const auto field = TREE_CODE(left) == COMPONENT_REF ? captured(left) : std::nullopt;
    if (!field) {
        spoil(*variable);
        return;
    }
    refer_to(field->value.name, variable->value.name);
}

/// Of calls that are not known to read or write such a variable.
void TurnUses::visit_addresses(const Located& at, Steps& steps) {
    const tree callee = gimple_call_fndecl(at.statement);
    const CalleeKind kind = callee == NULL_TREE ? CalleeKind::Other : callees_.of(callee).kind;
    note_objects(at);
    visit_future(at);
    note_handed_future(at.statement);
    if (visit_transfer(at) || registers_destructor(callee)) return;
    if (kind == CalleeKind::Count) {
        visit_count(at);
        if (visit_job_count(at, steps)) return;
    }
    if (kind == CalleeKind::Atomic || uses_turn_object(kind)) return;
    for (unsigned i = 0; i < gimple_call_num_args(at.statement); ++i) {
        const tree handed = gimple_call_arg(at.statement, i);
        if (!POINTER_TYPE_P(TREE_TYPE(handed))) continue;
        const tree argument =
            kind == CalleeKind::StartThread ? values_.referred_to(handed) : handed;
        // What can't reach other threads only looks at it, or is done with it.
        if (kind == CalleeKind::Harmless && is_turn_object(TREE_TYPE(TREE_TYPE(argument))))
            continue;
        const auto variable = variable_at(argument, at.context);
        if (variable && hand_on(*variable, at, i)) continue;
        spoil_parts(argument, at.context);
        if (variable) spoil(*variable);
    }
}

/// A semaphore is 0 until it is posted, and who has waited has the turn.
Step TurnUses::step_at(const LocatedCall& at) {
    Step step;
    const CalleeKind kind = at.callee->kind;
    if (kind == CalleeKind::FutureWait || kind == CalleeKind::FutureEnd) return future_step(at);
    if (kind == CalleeKind::SemaphoreOpen) return open_step(at);
    const auto variable = gimple_call_num_args(at.call) == 0
                              ? std::nullopt
                              : variable_at(gimple_call_arg(at.call, 0), at.context);
    if (!variable) {
        if (gimple_call_num_args(at.call) != 0)
            spoil_parts(gimple_call_arg(at.call, 0), at.context);
        return step;
    }
    const bool is_init = kind == CalleeKind::SemaphoreInit || kind == CalleeKind::BarrierInit;
    const bool waits = kind == CalleeKind::SemaphoreWait || kind == CalleeKind::LatchWait ||
                       kind == CalleeKind::BarrierWait || kind == CalleeKind::TrySemaphore ||
                       kind == CalleeKind::TrySemaphoreZero;
    step.value = variable->value;
    step.name = variable->owner;
    step.kind = waits ? StepKind::Acquire : StepKind::Release;
    step.turn = Turn::Is;
    if (kind == CalleeKind::SemaphorePost) step.turn = Turn::Posted;
    if (kind == CalleeKind::SemaphoreInit) step.turn = Turn::Begun;
    if (kind == CalleeKind::LatchCount || kind == CalleeKind::LatchCountAndWait)
        step.turn = Turn::Counted;
    if (kind == CalleeKind::BarrierInit || kind == CalleeKind::BarrierWait)
        step.turn = Turn::Passed;
    // std::counting_semaphore's release() may post several times.
    const auto position = static_cast<unsigned>(at.callee->argument);
    const bool has_number = (is_init || kind == CalleeKind::SemaphorePost) && position > 0 &&
                            position < gimple_call_num_args(at.call);
    const auto number =
        has_number ? values_.constant(gimple_call_arg(at.call, position)) : std::optional(1L);
    step.arguments.push_back(number ? constant(*number) : Value{});
    if (!waits && !is_init && variable->declaration != NULL_TREE)
        add_first_value(step, variable->declaration);
    if (!waits || kind == CalleeKind::BarrierWait) count_use(*variable);
    return step;
}

/// Of what is known by steps.
void TurnUses::count_use(const TurnVariable& variable) {
    if (variable.declaration == NULL_TREE) return;
    GlobalUse& use = gathering_.global(variable.declaration);
    ++use.turn_writes;
    ++use.other_writes;
}

}  // namespace mqinspect::thread_level::plugin
