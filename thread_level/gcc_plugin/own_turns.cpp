// A variable that says by its number which thread's turn it is: that thread waits until the
// variable has its own number, and writes another one when it is done. TurnUses, another part, and
// what Skeleton checks of it.
#include <algorithm>

#include "thread_level/gcc_plugin/skeleton.h"
#include "thread_level/gcc_plugin/turn_uses.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool is_number(tree operand) {
    return operand != NULL_TREE && VAR_P(operand) && !DECL_THREAD_LOCAL_P(operand) &&
           (TREE_CODE(TREE_TYPE(operand)) == INTEGER_TYPE || is_atomic_record(TREE_TYPE(operand)));
}

/// As the source has them.
bool is_behind(const gimple* late, const gimple* early) {
    return get_pure_location(line_table, gimple_location(late)) >
           get_pure_location(line_table, gimple_location(early));
}

}  // namespace

/// What a local variable is set to, but for a number that no thread has.
const Located* TurnUses::read_into(tree variable) {
    const VariableUse* use = source_.use_of(variable);
    if (use == nullptr || use->escapes || !use->handed_over.empty()) return nullptr;
    const Located* only = nullptr;
    for (const Located& at : use->definitions) {
        const bool is_of_none = gimple_assign_single_p(at.statement) &&
                                TREE_CODE(gimple_assign_rhs1(at.statement)) == INTEGER_CST &&
                                tree_int_cst_sgn(gimple_assign_rhs1(at.statement)) < 0;
        if (is_of_none) continue;
        if (only != nullptr) return values_.only_definition(variable);
        only = &at;
    }
    return only;
}

/// The variable that all threads share, of which the operand is what has been read; null: none.
tree TurnUses::asked_variable(tree operand, ContextId context) {
    const auto is_shared_number = [&](tree read) {
        return is_number(read) && (is_global_var(read) || source_.is_shared(read, context));
    };
    constexpr int most_copies = 6;
    for (int copies = 0; copies < most_copies; ++copies) {
        operand = strip(operand);
        if (is_shared_number(operand)) return operand;
        const Located* made = is_local_name(operand) ? read_into(operand) : nullptr;
        if (made == nullptr) return NULL_TREE;
        if (const tree polled = polled_by(made->statement); is_shared_number(polled)) return polled;
        if (!is_gimple_assign(made->statement) || !is_copying(made->statement)) return NULL_TREE;
        operand = gimple_assign_rhs1(made->statement);
    }
    return NULL_TREE;
}

/// All that the function writes to the variable, as far as it is known by its name.
std::vector<Located> TurnUses::writes_to(tree variable) {
    std::vector<Located> writes;
    for (const auto* all : {&source_.assignments, &source_.turn_writes}) {
        for (const Located& at : *all)
            if (gimple_get_lhs(at.statement) == variable) writes.push_back(at);
    }
    for (const SourceWalk::Atomic& atomic : source_.atomics) {
        gomp_atomic_load* load = as_a<gomp_atomic_load*>(atomic.load.statement);
        if (atomic.store == nullptr || polled_by(load) != variable) continue;
        const tree stored = gimple_omp_atomic_store_val(as_a<gomp_atomic_store*>(atomic.store));
        if (stored != gimple_omp_atomic_load_lhs(load))
            writes.push_back({atomic.store, atomic.load.context});
    }
    if (!is_atomic_record(TREE_TYPE(variable))) return writes;
    for (const Located& at : source_.any_calls) {
        const tree callee = gimple_call_fndecl(at.statement);
        if (callee == NULL_TREE || DECL_CXX_CONSTRUCTOR_P(callee) ||
            gimple_call_num_args(at.statement) == 0 ||
            locked_object(gimple_call_arg(at.statement, 0)) != variable)
            continue;
        const AtomicKind kind = callees_.of(callee).atomic;
        if (kind != AtomicKind::Load && kind != AtomicKind::Wait) writes.push_back(at);
    }
    return writes;
}

/// No two threads of a team have the same number, so whose it is has a lock until it writes another
/// one. Who writes without having waited gives a lock away that it does not have: that is not
/// followed.
void TurnUses::visit_own_turn(const Located& condition, Steps& steps) {
    const auto asked = equality_of(condition.statement);
    if (!asked) return;
    const bool is_right = values_.is_thread_number(asked->right);
    if (!is_right && !values_.is_thread_number(asked->left)) return;
    const tree variable = asked_variable(is_right ? asked->left : asked->right, condition.context);
    if (variable == NULL_TREE) return;
    const bool is_static = is_global_var(variable);
    const bool is_atomic = is_atomic_record(TREE_TYPE(variable));
    const VariableUse* use = is_static || is_atomic ? nullptr : source_.use_of(variable);
    if (use != nullptr && (use->escapes || !use->handed_over.empty())) return;
    const ContextId team = source_.thread_context(condition.context);
    std::vector<Located> writes = writes_to(variable);
    if (is_static) note_own_turn(variable, writes);
    std::erase_if(writes, [&](const Located& at) { return !source_.is_inside(at.context, team); });
    const bool is_waited_for = std::ranges::all_of(writes, [&](const Located& at) {
        return source_.thread_context(at.context) == team &&
               is_behind(at.statement, condition.statement);
    });
    if (writes.empty() || !is_waited_for) return;
    TurnTest test;
    test.is_equal = asked->is_equal;
    Value& lock = test.variable.value;
    lock.kind = is_static ? Value::Kind::Global : Value::Kind::Local;
    lock.name = is_static ? gathering_.symbol(variable) : gathering_.intern(local_name(variable));
    lock.is_shared = !is_static;
    ticket_tests_.emplace(condition.statement, test);
    OwnTurnUse& noted = own_turn_uses_.emplace_back();
    noted = {condition.statement, asked->is_equal, lock.name, {}};
    for (const Located& at : writes) {
        noted.writes.push_back(at.statement);
        (is_gimple_call(at.statement) ? releases_ : steps)
            .emplace(at.statement, lock_step(StepKind::Release, lock));
    }
}

/// Of a static variable: what is written to it here, see settle_own_turns().
void TurnUses::note_own_turn(tree variable, const std::vector<Located>& writes) {
    OwnTurn& turn = gathering_.own_turns[DECL_UID(variable)];
    for (const Located& at : writes) {
        if (!turn.known.insert(at.statement).second) continue;
        if (is_gimple_call(at.statement)) {
            const tree callee = gimple_call_fndecl(at.statement);
            turn.writes += callees_.of(callee).kind == CalleeKind::Count ? 1U : 2U;
            continue;
        }
        const bool is_atomic = gimple_code(at.statement) == GIMPLE_OMP_ATOMIC_STORE;
        // What is computed is counted once more, see write().
        const bool counts_twice =
            is_atomic
                ? !values_.constant(
                      gimple_omp_atomic_store_val(as_a<gomp_atomic_store*>(at.statement)))
                : std::ranges::find(source_.self_counts, at.statement) != source_.self_counts.end();
        turn.writes += counts_twice ? 2 : 1;
    }
}

/// If anything else writes to such a variable, it says nothing of turns.
void settle_own_turns(Gathering& gathering) {
    std::unordered_set<StringId>& bad = gathering.bad_turns;
    for (const auto& [uid, turn] : gathering.own_turns) {
        const GlobalUse& use = gathering.globals[uid];
        const bool is_known = use.creations == 0 && use.other_writes <= turn.writes;
        if (use.declaration != NULL_TREE && !is_known)
            bad.insert(gathering.symbol(use.declaration));
    }
    for (Function& function : gathering.unit.functions) {
        for (Step& step : function.steps) {
            const bool is_lock = step.kind == StepKind::Acquire || step.kind == StepKind::Release;
            if (is_lock && step.turn == Turn::No && bad.contains(step.value.name))
                step.kind = StepKind::Join;
        }
    }
}

/// Whether only who has the turn gives it away, as far as the ways of the function tell.
void Skeleton::check_own_turns() const {
    for (const TurnUses::OwnTurnUse& use : prepared_.own_turn_uses()) {
        // Null where nobody ever comes.
        basic_block asking = gimple_bb(use.condition);
        basic_block inside = nullptr;
        edge e = nullptr;
        edge_iterator at;
        if (asking != nullptr) {
            FOR_EACH_EDGE(e, at, asking->succs) {
                if (((e->flags & EDGE_TRUE_VALUE) != 0) == use.is_equal) inside = e->dest;
            }
        }
        const bool is_good = std::ranges::all_of(use.writes, [&](gimple* write) {
            basic_block block = gimple_bb(write);
            if (block == nullptr) return true;
            return inside != nullptr && dominated_by_p(CDI_DOMINATORS, block, inside);
        });
        if (!is_good) gathering_.bad_turns.insert(use.name);
    }
}

}  // namespace mqinspect::thread_level::plugin
