// Variables and members that are set to find out whether they were: TurnUses, second part.
#include <algorithm>

#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/turn_uses.h"

namespace mqinspect::thread_level::plugin {
/// Whether who finds 0 there, and only that, writes something else.
bool TurnUses::takes_lock(const LocatedCall& at) {
    const tree set = written_by(at.call);
    const auto number = set == NULL_TREE ? std::optional<std::int64_t>(1) : values_.constant(set);
    if (gimple_call_lhs(at.call) == NULL_TREE || !number || *number == 0) return false;
    const bool compares = at.callee->atomic == AtomicKind::CompareExchange;
    return is_fenced(at.call, false) && (!compares || expects_zero(at));
}

/// All that the function writes to what is expected is 0; calls write what they have found.
bool TurnUses::expects_zero(const LocatedCall& at) {
    const tree expected = expected_by(at.call);
    if (TREE_CODE(expected) != ADDR_EXPR) return integer_zerop(expected);
    if (!VAR_P(TREE_OPERAND(expected, 0))) return false;
    const VariableUse* use = source_.use_of(TREE_OPERAND(expected, 0));
    if (use == nullptr || use->escapes || use->definitions.empty()) return false;
    const auto compares = [this](const Located& by) {
        const tree callee = gimple_call_fndecl(by.statement);
        return callee != NULL_TREE && callees_.of(callee).atomic == AtomicKind::CompareExchange;
    };
    return std::all_of(use->handed_over.begin(), use->handed_over.end(), compares) &&
           std::all_of(use->definitions.begin(), use->definitions.end(), [&](const Located& by) {
               return is_gimple_assign(by.statement) &&
                      (gimple_clobber_p(by.statement) ||
                       integer_zerop(gimple_assign_rhs1(by.statement)));
           });
}

/// What an address is of, if that is not a variable; an atomic for the number in it.
tree TurnUses::locked_object(tree address) {
    address = values_.copied_address(address);
    return TREE_CODE(address) == ADDR_EXPR ? atomic_around(TREE_OPERAND(address, 0)) : address;
}

/// A member of what the function is handed, or of a variable; or what it is handed itself.
Value TurnUses::lock_in(tree object, ContextId context) {
    const bool is_member = TREE_CODE(object) == COMPONENT_REF;
    Value lock;
    if (is_member && TREE_CODE(TREE_OPERAND(object, 0)) == MEM_REF) {
        lock = values_.of(TREE_OPERAND(TREE_OPERAND(object, 0), 0), context);
        if (!is_whole_parameter(lock)) return {};
        lock.name = gathering_.intern(member_name(object));
    } else {
        lock = values_.of(object, context);
    }
    const bool is_known = lock.kind == Value::Kind::Parameter || lock.kind == Value::Kind::Global ||
                          lock.kind == Value::Kind::Local;
    return is_known ? lock : Value{};
}

/// Who finds 0 there and writes something else, has a lock until 0 is written.
void TurnUses::visit_exchange(const LocatedCall& at, const TurnVariable& variable, Steps& steps) {
    const tree set = written_by(at.call);
    if (gimple_call_lhs(at.call) == NULL_TREE) {
        if (!is_fenced(at.call, true)) write_relaxed(at.call, variable, set);
        write(at.call, variable, set, steps);
        return;
    }
    if (!takes_lock(at)) {
        spoil(variable);
        return;
    }
    gathering_.spin_locks.insert(variable.value.name);
    steps.emplace(at.call, lock_step(StepKind::Acquire, variable.value));
}

void TurnUses::visit_compare_exchange(const LocatedCall& at,
                                      const TurnVariable& variable,
                                      Steps& steps) {
    if (!takes_lock(at)) {
        spoil(variable);
        return;
    }
    gathering_.spin_locks.insert(variable.value.name);
    steps.emplace(at.call, lock_step(StepKind::Acquire, variable.value));
}

/// By a write that has nothing to do with locks.
void TurnUses::spoil_spin_lock(tree address) {
    const tree object = locked_object(address);
    if (TREE_CODE(object) == COMPONENT_REF)
        gathering_.spin_member_uses[DECL_UID(TREE_OPERAND(object, 1))].is_bad = true;
}

/// Of members, and of what the function is handed. True: it takes such a lock.
bool TurnUses::visit_spin_lock(const LocatedCall& at, Steps& steps) {
    const AtomicKind kind = at.callee->atomic;
    if (kind == AtomicKind::Load || kind == AtomicKind::Wait || kind == AtomicKind::Fence ||
        DECL_CXX_CONSTRUCTOR_P(gimple_call_fndecl(at.call)))
        return false;
    const tree object = locked_object(gimple_call_arg(at.call, 0));
    const bool is_member = TREE_CODE(object) == COMPONENT_REF;
    if (!is_member && TREE_CODE(object) != PARM_DECL) return false;
    if (is_member && stores_next(at, object)) {
        serve(at.call, object, at.context, releases_);
        return false;
    }
    const Value lock = lock_in(object, at.context);
    const tree set = written_by(at.call);
    const bool takes =
        (kind == AtomicKind::Exchange || kind == AtomicKind::CompareExchange) && takes_lock(at);
    const bool releases = kind == AtomicKind::Store && set != NULL_TREE && integer_zerop(set) &&
                          is_fenced(at.call, true);
    if (is_member) {
        SpinMember& use = gathering_.spin_member_uses[DECL_UID(TREE_OPERAND(object, 1))];
        use.is_taken = use.is_taken || takes;
        use.is_bad = use.is_bad || (!takes && !releases);
        counters_[DECL_UID(TREE_OPERAND(object, 1))].is_spoilt = true;
    }
    if (lock.kind == Value::Kind::Unknown || (!takes && !releases)) return false;
    if (is_member) gathering_.spin_members.emplace(lock.name, DECL_UID(TREE_OPERAND(object, 1)));
    if (takes) steps.emplace(at.call, lock_step(StepKind::Acquire, lock));
    if (releases) releases_.emplace(at.call, lock_step(StepKind::Release, lock));
    return takes;
}

}  // namespace mqinspect::thread_level::plugin
