#include "thread_level/gcc_plugin/source_walk.h"

#include <algorithm>

#include "thread_level/gcc_plugin/filled_variables.h"
#include "thread_level/gcc_plugin/function_casts.h"
#include "thread_level/gcc_plugin/main_identity.h"
#include "thread_level/gcc_plugin/requested_levels.h"
#include "thread_level/gcc_plugin/turn_objects.h"
#include "thread_level/gcc_plugin/turn_variables.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Whether other threads than those that meet the construct may execute its body.
bool makes_threads(const gimple* construct) {
    switch (gimple_code(construct)) {
        case GIMPLE_OMP_PARALLEL:
        case GIMPLE_OMP_TASK:
        case GIMPLE_OMP_TEAMS:
        case GIMPLE_OMP_TARGET:
            return true;
        default:
            return false;
    }
}

/// Of who asks, about the team; null: it is called through a pointer.
bool is_question(const Callee* callee) {
    if (callee == nullptr) return false;
    switch (callee->kind) {
        case CalleeKind::ThreadNumber:
        case CalleeKind::TeamSize:
        case CalleeKind::MaxThreads:
        case CalleeKind::NestingLevel:
        case CalleeKind::InParallel:
            return true;
        default:
            return false;
    }
}

bool has_body(const gimple* construct) {
    switch (gimple_code(construct)) {
        case GIMPLE_OMP_ATOMIC_LOAD:
        case GIMPLE_OMP_ATOMIC_STORE:
        case GIMPLE_OMP_CONTINUE:
        case GIMPLE_OMP_RETURN:
        case GIMPLE_OMP_SECTIONS_SWITCH:
            return false;
        default:
            return true;
    }
}

}  // namespace

tree clauses_of(const gimple* construct) {
    switch (gimple_code(construct)) {
        case GIMPLE_OMP_PARALLEL:
        case GIMPLE_OMP_TASK:
            return gimple_omp_taskreg_clauses(construct);
        case GIMPLE_OMP_TEAMS:
            return gimple_omp_teams_clauses(construct);
        case GIMPLE_OMP_FOR:
            return gimple_omp_for_clauses(construct);
        case GIMPLE_OMP_SECTIONS:
            return gimple_omp_sections_clauses(construct);
        case GIMPLE_OMP_SINGLE:
            return gimple_omp_single_clauses(construct);
        case GIMPLE_OMP_MASKED:
            return gimple_omp_masked_clauses(construct);
        default:
            return NULL_TREE;
    }
}

bool is_copying(const gimple* statement) {
    return gimple_assign_single_p(statement) || gimple_assign_cast_p(statement);
}

bool is_local_name(tree operand) {
    return TREE_CODE(operand) == SSA_NAME || (VAR_P(operand) && !is_global_var(operand));
}

bool is_defined(tree function) {
    const cgraph_node* node = function == NULL_TREE ? nullptr : cgraph_node::get(function);
    return node != nullptr && node->definition;
}

tree base_variable(tree reference) {
    while (reference != NULL_TREE && handled_component_p(reference))
        reference = TREE_OPERAND(reference, 0);
    if (reference != NULL_TREE && TREE_CODE(reference) == MEM_REF &&
        TREE_CODE(TREE_OPERAND(reference, 0)) == ADDR_EXPR)
        return base_variable(TREE_OPERAND(TREE_OPERAND(reference, 0), 0));
    return reference != NULL_TREE && DECL_P(reference) ? reference : NULL_TREE;
}

void SourceWalk::walk(gimple_seq body) {
    contexts.assign(1, Context{});
    calls.clear();
    conditions.clear();
    switches.clear();
    jumps.clear();
    constructs.clear();
    atomics.clear();
    atomic_calls.clear();
    marks.clear();
    hands_atomics_on = false;
    guarded.clear();
    guarded_tests.clear();
    lock_behind_.clear();
    global_writes.clear();
    self_counts.clear();
    number_writes.clear();
    size_writes.clear();
    member_writes.clear();
    next_labels_.clear();
    element_writes.clear();
    part_writes.clear();
    pointer_writes.clear();
    pointers_at.clear();
    own_writes.clear();
    own_references_.clear();
    identity_writes.clear();
    answers.clear();
    take_lock(nullptr);
    turn_writes.clear();
    objects_got.clear();
    returns.clear();
    team_writes.clear();
    starts_threads = has_threads = has_mpi = has_plain_calls = has_assembly = false;
    assignments.clear();
    any_calls.clear();
    private_.clear();
    named_by_constructs_.clear();
    loop_indices_.clear();
    uses_.clear();
    uses_collected_ = false;
    walk(body, 0);
}

void SourceWalk::walk(gimple_seq sequence, ContextId context) {
    for (gimple_stmt_iterator at = gsi_start(sequence); !gsi_end_p(at); gsi_next(&at))
        visit(gsi_stmt(at), context);
}

void SourceWalk::visit(gimple* statement, ContextId context) {
    copies_.replace_in(statement);
    switch (gimple_code(statement)) {
        case GIMPLE_ASSIGN:
            note_casts(gathering_, statement);
            visit_assignment(statement, context);
            return;
        case GIMPLE_CALL:
            visit_call(as_a<gcall*>(statement), context);
            return;
        case GIMPLE_LABEL:
            note_label(as_a<glabel*>(statement));
            return;
        case GIMPLE_ASM:
            has_assembly = true;
            return;
        case GIMPLE_COND:
            visit_condition(as_a<gcond*>(statement), context);
            return;
        case GIMPLE_SWITCH:
            switches.push_back({statement, context});
            return;
        case GIMPLE_GOTO:
            jumps.push_back(statement);
            return;
        case GIMPLE_RETURN:
            returns.push_back(statement);
            return;
        case GIMPLE_BIND: {
            gbind* bind = as_a<gbind*>(statement);
            if (context != 0) {
                for (tree v = gimple_bind_vars(bind); v != NULL_TREE; v = DECL_CHAIN(v))
                    private_.push_back({DECL_UID(v), context});
            }
            if (const gimple* first = gimple_seq_first_stmt(gimple_bind_body(bind)))
                blocks.emplace(first, bind);
            walk(gimple_bind_body(bind), context);
            return;
        }
        case GIMPLE_TRY:
            walk(gimple_try_eval(statement), context);
            walk(gimple_try_cleanup(statement), context);
            return;
        case GIMPLE_CATCH:
            walk(gimple_catch_handler(as_a<gcatch*>(statement)), context);
            return;
        case GIMPLE_EH_FILTER:
            walk(gimple_eh_filter_failure(statement), context);
            return;
        case GIMPLE_EH_ELSE:
            walk(gimple_eh_else_n_body(as_a<geh_else*>(statement)), context);
            walk(gimple_eh_else_e_body(as_a<geh_else*>(statement)), context);
            return;
        case GIMPLE_WITH_CLEANUP_EXPR:
            walk(gimple_wce_cleanup(statement), context);
            return;
        case GIMPLE_TRANSACTION:
            walk(gimple_transaction_body(as_a<gtransaction*>(statement)), context);
            return;
        default:
            if (is_gimple_omp(statement)) visit_construct(statement, context);
            return;
    }
}

void SourceWalk::visit_arguments(const gcall* call, const Callee* callee) {
    const bool is_of_program = callee == nullptr || callee->kind == CalleeKind::Other;
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        const tree argument = gimple_call_arg(call, i);
        note_address(argument);
        const tree filled = callee == nullptr ? NULL_TREE : filled_by(call, i, *callee);
        if (filled != NULL_TREE) ++gathering_.global(filled).other_writes;
        hands_atomics_on = hands_atomics_on || (is_of_program && is_handed_turn(argument));
    }
}

void SourceWalk::visit_call(gcall* call, ContextId context) {
    if (gimple_call_internal_p(call)) return;
    note_casts(gathering_, call);
    const tree declaration = gimple_call_fndecl(call);
    const Callee* callee = declaration == NULL_TREE ? nullptr : &callees_.of(declaration);
    any_calls.push_back({call, context});
    hands_atomics_on = hands_atomics_on || gets_turn_object(call);
    visit_arguments(call, callee);
    note_own_reference(call);
    if (!is_question(callee)) ++stretch_;
    if (callee != nullptr) {
        using Kind = CalleeKind;
        const Kind kind = callee->kind;
        if (kind == Kind::Acquire || kind == Kind::GuardAcquire) take_lock(call);
        if (kind == Kind::Release || kind == Kind::GuardRelease) take_lock(nullptr);
    }
    const tree left = gimple_call_lhs(call);
    if (left != NULL_TREE && VAR_P(left) && is_global_var(left))
        write_global(left, {call, context});
    if (may_write_identity(call, callee != nullptr && callee->kind == CalleeKind::Harmless))
        identity_writes.push_back({call, context});
    if (callee != nullptr && callee->kind == CalleeKind::Atomic) {
        atomic_calls.push_back({call, callee, context});
        marks.push_back(call);
        return;
    }
    if (callee != nullptr && callee->kind == CalleeKind::StartThread) {
        marks.push_back(call);
        starts_threads = true;
    }
    if (callee != nullptr && callee->kind == CalleeKind::Count)
        return void(hands_atomics_on = true);
    if (callee == nullptr || callee->kind == CalleeKind::Other) {
        has_plain_calls = true;
    } else if (callee->kind == CalleeKind::Mpi) {
        has_mpi = true;
    } else if (callee->kind == CalleeKind::Harmless) {
        return;
    } else {
        has_threads = true;
    }
    calls.push_back({call, callee, context});
}

void SourceWalk::visit_assignment(gimple* statement, ContextId context) {
    const bool takes_address = gimple_assign_rhs_code(statement) == ADDR_EXPR;
    const tree left = gimple_assign_lhs(statement);
    const tree own = own_variable(left);
    const tree variable = own != NULL_TREE ? own : base_variable(left);
    if (TREE_CODE(left) == COMPONENT_REF && is_number_or_flag(referred_type(left)))
        member_writes.push_back({statement, context});
    if (writes_beside_turn_object(left)) part_writes.push_back({statement, context});
    if (gets_turn_object(statement)) {
        hands_atomics_on = true;
        objects_got.push_back({statement, context});
    }
    if ((TREE_CODE(left) == ARRAY_REF || TREE_CODE(left) == MEM_REF) &&
        INTEGRAL_TYPE_P(TREE_TYPE(left)))
        element_writes.push_back({statement, context});
    if (TREE_CODE(left) == MEM_REF && is_number_or_flag(TREE_TYPE(left)) &&
        TREE_CODE(TREE_OPERAND(left, 0)) == PARM_DECL)
        answers.push_back({statement, context});
    if (TREE_CODE(left) == COMPONENT_REF && POINTER_TYPE_P(TREE_TYPE(left)))
        pointer_writes.push_back({statement, context});
    if (is_identity_keeper(left)) identity_writes.push_back({statement, context});
    if (lock_ != nullptr) guarded.push_back({statement, lock_, stretch_});
    if (variable != NULL_TREE && VAR_P(variable) && is_global_var(variable)) {
        write_global(variable, {statement, context});
        global_writes.push_back(statement);
    }
    if (own != NULL_TREE) own_writes.push_back({statement, context});
    if (takes_address) {
        note_address(gimple_assign_rhs1(statement));
        const tree object = base_variable(TREE_OPERAND(gimple_assign_rhs1(statement), 0));
        hands_atomics_on =
            hands_atomics_on || (object != NULL_TREE && is_atomic_record(TREE_TYPE(object)));
    }
    if (takes_address || TREE_CODE(gimple_assign_lhs(statement)) == SSA_NAME ||
        (variable != NULL_TREE && is_local(variable)))
        assignments.push_back({statement, context});
}

void SourceWalk::visit_condition(gcond* condition, ContextId context) {
    ++stretch_;
    conditions.push_back({condition, context});
    if (lock_ != nullptr) guarded_tests.push_back({condition, lock_, stretch_});
    lock_behind_[gimple_cond_true_label(condition)] = lock_;
    lock_behind_[gimple_cond_false_label(condition)] = lock_;
}

void SourceWalk::note_label(const glabel* label) {
    // Who comes from the branch hasn't been where it goes on without coming here.
    const gimple* before = label->prev;
    const bool is_way_out = before->next != nullptr && (gimple_code(before) == GIMPLE_GOTO ||
                                                        gimple_code(before) == GIMPLE_RETURN);
    const auto behind = lock_behind_.find(gimple_label_label(label));
    take_lock(is_way_out && behind != lock_behind_.end() ? behind->second : lock_);
    const gimple* next = label->next;
    if (next != nullptr && gimple_code(next) == GIMPLE_LABEL)
        next_labels_[gimple_label_label(label)] = gimple_label_label(as_a<const glabel*>(next));
}

bool SourceWalk::are_one_place(tree label, tree other) const {
    const auto last_of = [this](tree at) {
        for (auto next = next_labels_.find(at); next != next_labels_.end();
             next = next_labels_.find(at))
            at = next->second;
        return at;
    };
    return label == other || last_of(label) == last_of(other);
}

void SourceWalk::note_address(tree address) {
    if (TREE_CODE(address) != ADDR_EXPR) return;
    const tree member = TREE_OPERAND(address, 0);
    const tree whole = base_variable(member);
    hands_atomics_on =
        hands_atomics_on || (whole != NULL_TREE && has_turn_object(TREE_TYPE(whole)));
    if (TREE_CODE(member) == COMPONENT_REF && POINTER_TYPE_P(TREE_TYPE(member)))
        pointers_at.push_back(member);
}

void SourceWalk::visit_construct(gimple* statement, ContextId context) {
    has_threads = true;
    constructs.push_back({statement, context});
    if (gimple_code(statement) == GIMPLE_OMP_ATOMIC_LOAD) {
        atomics.push_back({{statement, context}, nullptr});
        marks.push_back(statement);
    }
    if (gimple_code(statement) == GIMPLE_OMP_ATOMIC_STORE && !atomics.empty())
        atomics.back().store = statement;
    if (!has_body(statement)) return;
    const auto inner = static_cast<ContextId>(contexts.size());
    contexts.push_back({context, statement, makes_threads(statement)});
    if (contexts.back().makes_threads) marks.push_back(statement);
    const bool is_loop = gimple_code(statement) == GIMPLE_OMP_FOR;
    if (is_loop) walk(gimple_omp_for_pre_body(statement), context);
    std::size_t copies = note_clauses(clauses_of(statement), inner);
    if (is_loop) {
        for (std::size_t i = 0; i < gimple_omp_for_collapse(statement); ++i) {
            tree index = gimple_omp_for_index(statement, i);
            if (!DECL_P(index)) continue;
            if (is_static(index)) {
                index = copies_.enter(index);
                ++copies;
            }
            private_.push_back({DECL_UID(index), inner});
            named_by_constructs_.push_back(DECL_UID(index));
            loop_indices_.push_back({DECL_UID(index), gimple_omp_for_initial(statement, i), inner});
        }
    }
    gimple* const around = lock_;
    take_lock(gimple_code(statement) == GIMPLE_OMP_CRITICAL ? statement : nullptr);
    walk(gimple_omp_body(statement), inner);
    take_lock(around);
    copies_.leave(copies);
}

void SourceWalk::take_lock(gimple* lock) {
    lock_ = lock;
    ++stretch_;
}

/// How many copies of static variables they make.
std::size_t SourceWalk::note_clauses(tree clauses, ContextId context) {
    std::size_t copies = 0;
    for (tree clause = clauses; clause != NULL_TREE; clause = OMP_CLAUSE_CHAIN(clause)) {
        switch (OMP_CLAUSE_CODE(clause)) {
            case OMP_CLAUSE_PRIVATE:
            case OMP_CLAUSE_FIRSTPRIVATE:
            case OMP_CLAUSE_LASTPRIVATE:
            case OMP_CLAUSE_REDUCTION:
            case OMP_CLAUSE_LINEAR: {
                tree variable = OMP_CLAUSE_DECL(clause);
                if (!DECL_P(variable)) break;
                if (copies_.makes_copy(clause, contexts[context].construct)) {
                    note_last_value(clause);
                    variable = copies_.enter(variable);
                    ++copies;
                }
                private_.push_back({DECL_UID(variable), context, OMP_CLAUSE_CODE(clause)});
                named_by_constructs_.push_back(DECL_UID(variable));
                break;
            }
            default:
                break;
        }
    }
    return copies;
}

/// The construct writes to the variable itself where it ends.
void SourceWalk::note_last_value(tree clause) {
    const omp_clause_code code = OMP_CLAUSE_CODE(clause);
    const tree variable = OMP_CLAUSE_DECL(clause);
    if (code == OMP_CLAUSE_PRIVATE || code == OMP_CLAUSE_FIRSTPRIVATE || !is_global_var(variable))
        return;
    GlobalUse& use = gathering_.global(variable);
    ++use.other_writes;
    use.has_constant = false;
}

void SourceWalk::write_global(tree variable, const Located& at) {
    gimple* const statement = at.statement;
    GlobalUse& use = gathering_.global(variable);
    ++use.other_writes;
    use.has_constant = false;
    note_member_write(gathering_, variable, statement);
    const bool is_number =
        gimple_get_lhs(statement) == variable && INTEGRAL_TYPE_P(TREE_TYPE(variable));
    // Whichever thread asks for the size of the team gets the same.
    if (is_number) (is_team_size(statement) ? size_writes : number_writes).push_back(at);
    if (gimple_assign_single_p(statement) && gimple_assign_lhs(statement) == variable) {
        // It is not the same from one time to the next.
        if (counts_itself(assignments, statement)) {
            ++use.other_writes;
            self_counts.push_back(statement);
        }
        if (is_turn_variable(variable)) turn_writes.push_back(at);
        const tree value = gimple_assign_rhs1(statement);
        if (TREE_CODE(value) == INTEGER_CST && tree_fits_shwi_p(value)) {
            use.has_constant = true;
            use.constant = tree_to_shwi(value);
        }
    }
}

const VariableUse* SourceWalk::use_of(tree variable) {
    if (TREE_CODE(variable) == SSA_NAME) {
        gimple* definition = SSA_NAME_DEF_STMT(variable);
        name_.definitions.clear();
        if (definition == nullptr) return nullptr;
        name_.definitions.push_back({definition, 0});
        return &name_;
    }
    if (!uses_collected_) collect_uses();
    const auto found = uses_.find(DECL_UID(variable));
    return found == uses_.end() ? nullptr : &found->second;
}

bool SourceWalk::is_read(tree variable) const {
    std::vector<tree> copies{variable};
    const auto is_copy = [&](tree operand) {
        return std::find(copies.begin(), copies.end(), operand) != copies.end();
    };
    for (const Located& at : assignments) {
        if (!is_copy(gimple_assign_rhs1(at.statement)) &&
            !(gimple_num_ops(at.statement) > 2 && is_copy(gimple_assign_rhs2(at.statement))))
            continue;
        if (!is_copying(at.statement)) return true;
        copies.push_back(gimple_assign_lhs(at.statement));
    }
    for (const Located& at : conditions) {
        if (is_copy(gimple_cond_lhs(at.statement)) || is_copy(gimple_cond_rhs(at.statement)))
            return true;
    }
    for (const Located& at : switches) {
        if (is_copy(gimple_switch_index(as_a<const gswitch*>(at.statement)))) return true;
    }
    for (const Located& at : member_writes) {
        if (is_copy(gimple_assign_rhs1(at.statement))) return true;
    }
    for (const LocatedCall& at : calls) {
        for (unsigned i = 0; i < gimple_call_num_args(at.call); ++i) {
            if (is_copy(gimple_call_arg(at.call, i))) return true;
        }
    }
    return std::any_of(returns.begin(), returns.end(), [&](gimple* statement) {
        return is_copy(gimple_return_retval(as_a<greturn*>(statement)));
    });
}

}  // namespace mqinspect::thread_level::plugin
