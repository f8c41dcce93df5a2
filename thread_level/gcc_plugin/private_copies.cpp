#include "thread_level/gcc_plugin/private_copies.h"

#include "thread_level/analysis/procedures.h"
#include "thread_level/gcc_plugin/source_walk.h"

namespace mqinspect::thread_level::plugin {
namespace {

using Copies = std::vector<std::pair<tree, tree>>;

tree copy_of(tree variable, const Copies& copies) {
    for (auto copy = copies.rbegin(); copy != copies.rend(); ++copy) {
        if (copy->first == variable) return copy->second;
    }
    return NULL_TREE;
}

/// For walk_tree: finds a variable with a copy.
tree find_copied(tree* operand, int* /*walk_subtrees*/, void* copies) {
    const bool is_copied =
        VAR_P(*operand) && copy_of(*operand, *static_cast<const Copies*>(copies)) != NULL_TREE;
    return is_copied ? *operand : NULL_TREE;
}

/// For walk_tree: puts copies in place.
tree put_copies(tree* operand, int* /*walk_subtrees*/, void* copies) {
    const tree copy =
        VAR_P(*operand) ? copy_of(*operand, *static_cast<const Copies*>(copies)) : NULL_TREE;
    if (copy != NULL_TREE) *operand = copy;
    return NULL_TREE;
}

}  // namespace

bool is_static(tree variable) {
    if (!VAR_P(variable)) return false;
    if (!DECL_HAS_VALUE_EXPR_P(variable)) return is_global_var(variable);
    // It stands for a part of the block.
    const tree whole = base_variable(DECL_VALUE_EXPR(variable));
    return whole != NULL_TREE && VAR_P(whole) && is_global_var(whole);
}

bool PrivateCopies::makes_copy(tree clause, gimple* construct) {
    switch (OMP_CLAUSE_CODE(clause)) {
        case OMP_CLAUSE_PRIVATE:
        case OMP_CLAUSE_LASTPRIVATE:
        case OMP_CLAUSE_REDUCTION:
        case OMP_CLAUSE_LINEAR:
            return is_static(OMP_CLAUSE_DECL(clause));
        case OMP_CLAUSE_FIRSTPRIVATE:
            // Copies of one handle are that handle.
            return is_static(OMP_CLAUSE_DECL(clause)) &&
                   may_change(OMP_CLAUSE_DECL(clause), construct);
        default:
            return false;
    }
}

tree PrivateCopies::enter(tree variable) {
    const tree copy = build_decl(
        DECL_SOURCE_LOCATION(variable), VAR_DECL, DECL_NAME(variable), TREE_TYPE(variable));
    DECL_CONTEXT(copy) = current_function_decl;
    TREE_ADDRESSABLE(copy) = TREE_ADDRESSABLE(variable);
    copies_.emplace_back(variable, copy);
    return copy;
}

void PrivateCopies::leave(std::size_t count) {
    copies_.resize(copies_.size() - count);
}

void PrivateCopies::replace_in(gimple* statement) {
    if (copies_.empty()) return;
    for (unsigned i = 0; i < gimple_num_ops(statement); ++i) {
        tree operand = gimple_op(statement, i);
        if (operand == NULL_TREE ||
            walk_tree_without_duplicates(&operand, find_copied, &copies_) == NULL_TREE)
            continue;
        replaced_.push_back({statement, i, operand});
        // Other statements may share what the operand consists of.
        operand = unshare_expr(operand);
        walk_tree_without_duplicates(&operand, put_copies, &copies_);
        gimple_set_op(statement, i, operand);
    }
}

void PrivateCopies::restore() {
    for (const Replaced& at : replaced_)
        gimple_set_op(at.statement, at.position, at.operand);
    replaced_.clear();
}

/// Whether the body may write to a variable, or hands its address to who may.
bool PrivateCopies::may_change(tree variable, gimple* construct) {
    struct Search {
        PrivateCopies& copies;
        tree variable;
    } search{*this, variable};
    walk_stmt_info info = {};
    info.info = &search;
    const auto visit = [](gimple_stmt_iterator* at, bool* is_done, walk_stmt_info* walk) -> tree {
        const Search& wanted = *static_cast<const Search*>(walk->info);
        *is_done = wanted.copies.changes(wanted.variable, gsi_stmt(*at));
        return *is_done ? wanted.variable : NULL_TREE;
    };
    return walk_gimple_seq(gimple_omp_body(construct), visit, nullptr, &info) != nullptr;
}

bool PrivateCopies::changes(tree variable, const gimple* statement) {
    const auto is_at = [&](tree address) {
        return TREE_CODE(address) == ADDR_EXPR &&
               base_variable(TREE_OPERAND(address, 0)) == variable;
    };
    const tree left = gimple_get_lhs(statement);
    if (left != NULL_TREE && base_variable(left) == variable) return true;
    if (is_gimple_assign(statement)) return is_at(gimple_assign_rhs1(statement));
    if (!is_gimple_call(statement)) return false;
    const gcall* call = as_a<const gcall*>(statement);
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        if (is_at(gimple_call_arg(call, i)) && !leaves_alone(call, i)) return true;
    }
    return false;
}

/// Whether a call of MPI only uses the handle or number that it gets by its address. What it frees
/// or completes is still the one that all copies are of.
bool PrivateCopies::leaves_alone(const gcall* call, unsigned position) {
    const tree declaration = gimple_call_fndecl(call);
    const MpiProcedure* mpi = declaration == NULL_TREE ? nullptr : callees_.of(declaration).mpi;
    if (mpi == nullptr) return false;
    const auto at = static_cast<int>(position);
    if (at == mpi->communicator || at == mpi->peer || at == mpi->tag || at == mpi->count)
        return true;
    if (at != mpi->object) return false;
    const Use use = procedure_of(mpi->name).use;
    return use == Use::Completion || use == Use::ObjectCollective || use == Use::Epoch;
}

}  // namespace mqinspect::thread_level::plugin
