// Locks of which each thread draws a number, and waits until that is served: TurnUses, another
// part.
#include <string_view>

#include "thread_level/gcc_plugin/counts.h"
#include "thread_level/gcc_plugin/turn_uses.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostNegations = 6;  // of negations

/// The member that an object is; null: it is none.
tree member_of(tree object) {
    return TREE_CODE(object) == COMPONENT_REF ? TREE_OPERAND(object, 1) : NULL_TREE;
}

/// Whether both are members of one object, but not the same one.
bool are_beside(tree left, tree right) {
    return member_of(left) != NULL_TREE && member_of(right) != NULL_TREE &&
           member_of(left) != member_of(right) &&
           operand_equal_p(TREE_OPERAND(left, 0), TREE_OPERAND(right, 0), 0);
}

}  // namespace

/// Of `omp atomic`.
bool TurnUses::counts_one(const SourceWalk::Atomic& atomic) {
    if (atomic.store == nullptr) return false;
    const tree loaded = gimple_omp_atomic_load_lhs(as_a<gomp_atomic_load*>(atomic.load.statement));
    const tree stored = gimple_omp_atomic_store_val(as_a<gomp_atomic_store*>(atomic.store));
    const Located* sum = made_by(stored);
    return sum != nullptr && is_gimple_assign(sum->statement) &&
           gimple_assign_rhs_code(sum->statement) == PLUS_EXPR &&
           gimple_assign_rhs1(sum->statement) == loaded &&
           integer_onep(gimple_assign_rhs2(sum->statement));
}

/// What the statement counts up by one.
tree TurnUses::counted_by(const gimple* call) {
    for (const SourceWalk::Atomic& atomic : source_.atomics) {
        if (atomic.load.statement != call || !counts_one(atomic)) continue;
        return locked_object(
            gimple_omp_atomic_load_rhs(as_a<gomp_atomic_load*>(atomic.load.statement)));
    }
    const tree callee = is_gimple_call(call) ? gimple_call_fndecl(call) : NULL_TREE;
    if (callee == NULL_TREE || callees_.of(callee).kind != CalleeKind::Count || counts_down(call))
        return NULL_TREE;
    const unsigned count = gimple_call_num_args(call);
    const bool is_operator =
        IDENTIFIER_POINTER(DECL_NAME(callee)) == std::string_view("operator++");
    const bool is_one =
        is_operator || (count > 1 && values_.constant(gimple_call_arg(call, 1)) == 1);
    return is_one && count > 0 ? locked_object(gimple_call_arg(call, 0)) : NULL_TREE;
}

/// What the statement reads, so that what was done before it was written is known.
tree TurnUses::polled_by(const gimple* statement) {
    if (gimple_code(statement) == GIMPLE_OMP_ATOMIC_LOAD)
        return locked_object(gimple_omp_atomic_load_rhs(as_a<const gomp_atomic_load*>(statement)));
    const tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    const bool is_load = callee != NULL_TREE && callees_.of(callee).atomic == AtomicKind::Load &&
                         gimple_call_num_args(statement) > 0;
    return is_load ? locked_object(gimple_call_arg(statement, 0)) : NULL_TREE;
}

/// `member.store(member.load() + 1)`
bool TurnUses::stores_next(const LocatedCall& at, tree object) {
    if (at.callee->atomic != AtomicKind::Store || !is_fenced(at.call, true)) return false;
    const tree set = written_by(at.call);
    if (set == NULL_TREE || set == error_mark_node) return false;
    const Located* sum = made_by(set);
    if (sum == nullptr || !is_gimple_assign(sum->statement) ||
        gimple_assign_rhs_code(sum->statement) != PLUS_EXPR ||
        !integer_onep(gimple_assign_rhs2(sum->statement)))
        return false;
    const Located* read = made_by(gimple_assign_rhs1(sum->statement));
    const tree polled = read == nullptr ? NULL_TREE : polled_by(read->statement);
    return polled != NULL_TREE && operand_equal_p(polled, object, 0);
}

/// Whoever serves the next number lets go of the lock.
void TurnUses::serve(gimple* statement, tree object, ContextId context, Steps& steps) {
    Counter& counter = counters_[DECL_UID(member_of(object))];
    counter.is_served = true;
    const Value lock = lock_in(object, context);
    if (lock.kind == Value::Kind::Unknown) return;
    gathering_.spin_members.emplace(lock.name, DECL_UID(member_of(object)));
    steps.emplace(statement, lock_step(StepKind::Release, lock));
}

/// Of a call that is_count().
void TurnUses::visit_count(const Located& at) {
    gcall* call = as_a<gcall*>(at.statement);
    const tree object = locked_object(gimple_call_arg(call, 0));
    if (member_of(object) == NULL_TREE) return;
    if (counted_by(call) == NULL_TREE) {
        counters_[DECL_UID(member_of(object))].is_spoilt = true;
        spoil_spin_lock(gimple_call_arg(call, 0));
        return;
    }
    if (!is_ordered(call, AtomicKind::Other, true))
        counters_[DECL_UID(member_of(object))].is_relaxed = true;
    serve(call, object, at.context, releases_);
}

/// Of a member, by `omp atomic`.
void TurnUses::visit_counted(const SourceWalk::Atomic& atomic, Steps& steps) {
    gomp_atomic_load* load = as_a<gomp_atomic_load*>(atomic.load.statement);
    const tree object = locked_object(gimple_omp_atomic_load_rhs(load));
    if (member_of(object) == NULL_TREE || atomic.store == nullptr) return;
    const tree stored = gimple_omp_atomic_store_val(as_a<gomp_atomic_store*>(atomic.store));
    if (stored == gimple_omp_atomic_load_lhs(load)) return;
    Counter& counter = counters_[DECL_UID(member_of(object))];
    if (!counts_one(atomic)) {
        counter.is_spoilt = true;
        return;
    }
    if (!is_fenced(load, true)) counter.is_relaxed = true;
    serve(atomic.store, object, atomic.load.context, steps);
}

/// `served` is compared with `number`: whether one is polled, and the other one was drawn.
std::optional<TurnTest> TurnUses::ticket_test(tree served, tree number) {
    const Located* read = made_by(served);
    const std::optional<Located> poll = read == nullptr ? std::nullopt : std::optional(*read);
    const Located* drawn = made_by(number);
    if (!poll || drawn == nullptr) return std::nullopt;
    const tree drawn_from = counted_by(drawn->statement);
    const tree polled = polled_by(poll->statement);
    if (drawn_from == NULL_TREE || polled == NULL_TREE || !is_fenced(poll->statement, false) ||
        !are_beside(polled, drawn_from))
        return std::nullopt;
    TurnTest test;
    test.variable.value = lock_in(polled, poll->context);
    if (test.variable.value.kind == Value::Kind::Unknown) return std::nullopt;
    gathering_.spin_members.emplace(test.variable.value.name, DECL_UID(member_of(polled)));
    counters_[DECL_UID(member_of(polled))].draws.insert(DECL_UID(member_of(drawn_from)));
    return test;
}

/// What a branch asks to be equal, or not to be.
std::optional<TurnUses::Equality> TurnUses::equality_of(const gimple* condition) {
    tree_code code = gimple_cond_code(condition);
    tree left = gimple_cond_lhs(condition);
    tree right = gimple_cond_rhs(condition);
    for (int depth = 0; depth < kMostNegations && integer_zerop(right); ++depth) {
        if (code != EQ_EXPR && code != NE_EXPR) return std::nullopt;
        const Located* made = made_by(left);
        if (made == nullptr || !is_gimple_assign(made->statement)) break;
        const bool is_negated = code == EQ_EXPR;
        const tree_code inner = gimple_assign_rhs_code(made->statement);
        if (inner != EQ_EXPR && inner != NE_EXPR) break;
        code = inner;
        left = gimple_assign_rhs1(made->statement);
        right = gimple_assign_rhs2(made->statement);
        if (is_negated) code = code == EQ_EXPR ? NE_EXPR : EQ_EXPR;
    }
    if (code != EQ_EXPR && code != NE_EXPR) return std::nullopt;
    return Equality{left, right, code == EQ_EXPR};
}

/// Of a branch; its number says nothing, see step_of().
void TurnUses::visit_ticket(const Located& condition) {
    const auto asked = equality_of(condition.statement);
    if (!asked) return;
    auto test = ticket_test(asked->left, asked->right);
    if (!test) test = ticket_test(asked->right, asked->left);
    if (!test) return;
    test->is_equal = asked->is_equal;
    ticket_tests_.emplace(condition.statement, *test);
}

/// Such a lock is one if nothing else is done to both of its numbers, and somebody serves.
void TurnUses::settle_tickets() {
    for (const auto& [member, counter] : counters_) {
        if (!counter.is_served && counter.draws.empty()) continue;
        SpinMember& use = gathering_.spin_member_uses[member];
        use.is_taken = counter.is_served && counter.draws.size() == 1;
        use.is_bad = counter.is_spoilt || counter.is_relaxed;
        if (!use.is_taken) continue;
        const auto next = counters_.find(*counter.draws.begin());
        use.is_bad = use.is_bad || next == counters_.end() || next->second.is_spoilt ||
                     !next->second.draws.empty();
    }
}

}  // namespace mqinspect::thread_level::plugin
