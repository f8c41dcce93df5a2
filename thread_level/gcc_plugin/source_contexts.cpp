// What the constructs around a statement make of variables and threads: SourceWalk, second part.
#include <algorithm>
#include <iterator>
#include <utility>

#include "thread_level/gcc_plugin/source_walk.h"

namespace mqinspect::thread_level::plugin {

namespace {

/// Whether both put the same expression of variables and constants into a temporary of GCC's.
bool computes_same(const gimple* a, const gimple* b) {
    if (!is_gimple_assign(a) || !is_gimple_assign(b) ||
        gimple_assign_rhs_code(a) != gimple_assign_rhs_code(b) ||
        gimple_num_ops(a) != gimple_num_ops(b))
        return false;
    const tree temporary = gimple_assign_lhs(a);
    if (!VAR_P(temporary) || !DECL_ARTIFICIAL(temporary)) return false;
    for (unsigned i = 1; i < gimple_num_ops(a); ++i) {
        const tree operand = gimple_op(a, i);
        const bool is_plain = DECL_P(operand) || CONSTANT_CLASS_P(operand);
        if (!is_plain || operand == temporary || operand_equal_p(operand, gimple_op(b, i), 0) == 0)
            return false;
    }
    return true;
}

/// Whether one thread at a time executes the construct, as long as that has no threads of its own.
bool is_for_one(const gimple& construct) {
    switch (gimple_code(&construct)) {
        case GIMPLE_OMP_SINGLE:
        case GIMPLE_OMP_MASTER:
        case GIMPLE_OMP_MASKED:
        case GIMPLE_OMP_SECTION:
        case GIMPLE_OMP_CRITICAL:
        case GIMPLE_OMP_ORDERED:
            return true;
        default:
            return false;
    }
}

}  // namespace

bool counts_itself(const std::vector<Located>& assignments, gimple* write) {
    constexpr std::size_t most_behind = 8;  // assignments that the two are away from each other
    const tree variable = gimple_assign_lhs(write);
    tree wanted = gimple_assign_rhs1(write);
    bool is_sum = false;
    const std::size_t first = assignments.size() - std::min(assignments.size(), most_behind);
    for (std::size_t i = assignments.size(); i-- > first && is_local_name(wanted);) {
        gimple* statement = assignments[i].statement;
        if (gimple_assign_lhs(statement) != wanted) continue;
        const tree_code code = gimple_assign_rhs_code(statement);
        is_sum = is_sum || code == PLUS_EXPR || code == MINUS_EXPR;
        if (code != PLUS_EXPR && code != MINUS_EXPR && !is_copying(statement)) return false;
        wanted = gimple_assign_rhs1(statement);
    }
    return is_sum && wanted == variable;
}

bool is_local(tree declaration) {
    return VAR_P(declaration)
               ? !is_global_var(declaration)
               : TREE_CODE(declaration) == PARM_DECL || TREE_CODE(declaration) == RESULT_DECL;
}

tree referred_type(tree reference) {
    const tree type = TREE_TYPE(reference);
    return TREE_CODE(type) == REFERENCE_TYPE ? TREE_TYPE(type) : type;
}

bool is_intent_in(const gimple* call, unsigned position) {
    attr_fnspec intents = gimple_call_fnspec(as_a<const gcall*>(call));
    return intents.arg_specified_p(position) && intents.arg_readonly_p(position);
}

bool is_number_or_flag(tree type) {
    return TREE_CODE(type) == INTEGER_TYPE || TREE_CODE(type) == BOOLEAN_TYPE;
}

bool is_address_of(tree operand, tree variable) {
    return TREE_CODE(operand) == ADDR_EXPR && base_variable(TREE_OPERAND(operand, 0)) == variable;
}

bool SourceWalk::is_inside(ContextId context, ContextId outer) const {
    while (context != outer && context != 0)
        context = contexts[context].parent;
    return context == outer;
}

VariableUse SourceWalk::narrowed(const VariableUse& use, tree variable, ContextId context) const {
    if (TREE_CODE(variable) == SSA_NAME) return use;
    while (context != 0 && !is_private_of(variable, context))
        context = contexts[context].parent;
    VariableUse inside;
    if (context == 0) inside.escapes = use.escapes;
    const auto is_of_context = [&](const Located& at) {
        ContextId around = at.context;
        while (around != context && around != 0 && !has_copy(variable, around))
            around = contexts[around].parent;
        return around == context;
    };
    std::ranges::copy_if(use.definitions, std::back_inserter(inside.definitions), is_of_context);
    std::ranges::copy_if(use.handed_over, std::back_inserter(inside.handed_over), is_of_context);
    return inside;
}

/// Whether the construct has a copy of its own, of which nothing is left behind it.
bool SourceWalk::has_copy(tree variable, ContextId context) const {
    return std::ranges::any_of(private_, [&](const PrivateVariable& each) {
        return each.uid == DECL_UID(variable) && each.context == context &&
               (each.clause == OMP_CLAUSE_PRIVATE || each.clause == OMP_CLAUSE_FIRSTPRIVATE);
    });
}

const Located* SourceWalk::one_definition(const VariableUse& use) const {
    if (use.definitions.empty()) return nullptr;
    const Located& first = use.definitions.front();
    if (use.definitions.size() == 1) return &first;
    const ContextId thread = thread_context(first.context);
    const bool is_one = std::ranges::all_of(use.definitions, [&](const Located& at) {
        return computes_same(at.statement, first.statement) && thread_context(at.context) == thread;
    });
    return is_one ? &first : nullptr;
}

bool SourceWalk::is_private(tree variable, ContextId context) const {
    for (ContextId c = context; c != 0; c = contexts[c].parent) {
        if (is_private_of(variable, c)) return true;
    }
    return false;
}

bool SourceWalk::is_private_of(tree variable, ContextId context) const {
    return std::ranges::any_of(private_, [&](const PrivateVariable& each) {
        return each.uid == DECL_UID(variable) && each.context == context;
    });
}

bool SourceWalk::is_named_by_construct(tree variable) const {
    return DECL_P(variable) && std::ranges::find(named_by_constructs_, DECL_UID(variable)) !=
                                   named_by_constructs_.end();
}

tree SourceWalk::first_of_loop(tree variable) const {
    if (!DECL_P(variable)) return NULL_TREE;
    for (const LoopIndex& index : loop_indices_)
        if (index.uid == DECL_UID(variable)) return index.first;
    return NULL_TREE;
}

bool SourceWalk::is_spread_once(tree variable) const {
    for (const LoopIndex& index : loop_indices_) {
        if (index.uid != DECL_UID(variable)) continue;
        const gimple* loop = contexts[index.loop].construct;
        const gimple* around = contexts[contexts[index.loop].parent].construct;
        const bool is_combined = around != nullptr && gimple_code(around) == GIMPLE_OMP_PARALLEL &&
                                 gimple_omp_parallel_combined_p(around);
        const bool has_barrier = is_combined || omp_find_clause(gimple_omp_for_clauses(loop),
                                                                OMP_CLAUSE_NOWAIT) == NULL_TREE;
        return gimple_omp_for_kind(loop) == GF_OMP_FOR_KIND_FOR && has_barrier &&
               gimple_omp_for_collapse(loop) == 1;
    }
    return false;
}

bool SourceWalk::is_shared(tree variable, ContextId context) const {
    for (ContextId c = context; c != 0; c = contexts[c].parent) {
        if (is_private_of(variable, c)) return false;
        if (gimple_code(contexts[c].construct) == GIMPLE_OMP_PARALLEL) return true;
    }
    return false;
}

/// Whether the statement writes what OpenMP has just said of the number of threads.
bool SourceWalk::is_team_size(gimple* statement) const {
    gimple* call = statement;
    if (gimple_assign_single_p(statement)) {
        const bool is_told = !any_calls.empty() && gimple_call_lhs(any_calls.back().statement) ==
                                                       gimple_assign_rhs1(statement);
        call = is_told ? any_calls.back().statement : nullptr;
    }
    const tree callee =
        call != nullptr && is_gimple_call(call) ? gimple_call_fndecl(call) : NULL_TREE;
    if (callee == NULL_TREE) return false;
    const CalleeKind kind = callees_.of(callee).kind;
    return kind == CalleeKind::TeamSize || kind == CalleeKind::MaxThreads;
}

bool SourceWalk::is_mixed_up(tree variable, ContextId written, ContextId read) const {
    if (TREE_CODE(variable) == SSA_NAME || !is_shared(variable, written)) return false;
    for (ContextId c = written; c != 0 && !contexts[c].makes_threads; c = contexts[c].parent) {
        if (is_for_one(*contexts[c].construct) && is_inside(read, c)) return false;
    }
    return true;
}

bool SourceWalk::is_common(tree variable, ContextId context) {
    return is_global_var(variable) ? !DECL_THREAD_LOCAL_P(variable) : is_shared(variable, context);
}

bool SourceWalk::is_in_master(ContextId context) const {
    for (; context != 0 && !contexts[context].makes_threads; context = contexts[context].parent) {
        const gimple* construct = contexts[context].construct;
        if (gimple_code(construct) == GIMPLE_OMP_MASTER) return true;
    }
    return false;
}

tree SourceWalk::target_of(const Atomic& atomic) {
    tree address = gimple_omp_atomic_load_rhs(as_a<gomp_atomic_load*>(atomic.load.statement));
    if (is_local_name(address)) {
        const VariableUse* use = use_of(address);
        const bool is_made = use != nullptr && use->definitions.size() == 1 &&
                             gimple_assign_single_p(use->definitions.front().statement);
        if (is_made) address = gimple_assign_rhs1(use->definitions.front().statement);
    }
    return TREE_CODE(address) == ADDR_EXPR ? TREE_OPERAND(address, 0) : NULL_TREE;
}

tree SourceWalk::function_in(tree variable) {
    for (int depth = 0; depth < 4 && is_local_name(variable); ++depth) {
        const VariableUse* use = use_of(variable);
        if (use == nullptr || use->definitions.size() != 1) return NULL_TREE;
        gimple* definition = use->definitions.front().statement;
        if (!is_copying(definition)) return NULL_TREE;
        const tree source = gimple_assign_rhs1(definition);
        if (TREE_CODE(source) == ADDR_EXPR) {
            const tree object = TREE_OPERAND(source, 0);
            return TREE_CODE(object) == FUNCTION_DECL ? object : NULL_TREE;
        }
        variable = source;
    }
    return NULL_TREE;
}

bool SourceWalk::is_jumped_to(tree label) const {
    return std::ranges::any_of(jumps, [label](gimple* jump) {
        const tree target = gimple_goto_dest(jump);
        return target == label || !DECL_P(target);
    });
}

ContextId SourceWalk::parallel_context(ContextId context) const {
    while (context != 0 && gimple_code(contexts[context].construct) != GIMPLE_OMP_PARALLEL)
        context = contexts[context].parent;
    return context;
}

ContextId SourceWalk::thread_context(ContextId context) const {
    while (context != 0 && !contexts[context].makes_threads)
        context = contexts[context].parent;
    return context;
}

}  // namespace mqinspect::thread_level::plugin
