#include "thread_level/gcc_plugin/private_copies.h"

#include "thread_level/gcc_plugin/same_copies.h"

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
                   may_be_written(OMP_CLAUSE_DECL(clause), construct, callees_);
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

}  // namespace mqinspect::thread_level::plugin
