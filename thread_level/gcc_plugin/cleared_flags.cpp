// Flags that a branch sets to false again, whatever they were: Conditions, further part.
#include <algorithm>
#include <vector>

#include "thread_level/gcc_plugin/conditions.h"
#include "thread_level/gcc_plugin/level_flags.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Whether the branch leads on where `flag`, or a copy of it, is true.
bool asks_for(const gcond* branch, bool is_true_side, tree flag, Values& values) {
    const tree_code code = gimple_cond_code(branch);
    const bool is_true = code == (is_true_side ? NE_EXPR : EQ_EXPR);
    if (!is_true || !integer_zerop(gimple_cond_rhs(branch))) return false;
    tree asked = gimple_cond_lhs(branch);
    const Located* made = is_local_name(asked) ? values.only_definition(asked) : nullptr;
    if (made != nullptr && is_copying(made->statement)) asked = gimple_assign_rhs1(made->statement);
    return operand_equal_p(asked, flag, 0);
}

}  // namespace

/// Of `if (thread != 0) mine = false;`, or `if (mine && thread != 0) mine = false;`.
std::optional<Conditions::LeftTrue> Conditions::left_true(const Located& cleared) {
    constexpr int most_branches = 4;
    const tree flag = gimple_get_lhs(cleared.statement);
    tree label = source_.label_of_way(cleared.statement);
    tree around = NULL_TREE;
    LeftTrue left;
    std::ptrdiff_t count = 0;
    bool is_known = false;
    while (label != NULL_TREE && count < most_branches) {
        const Located* found = source_.only_branch_to(label, true);
        const bool is_true_side = found != nullptr;
        if (found == nullptr) found = source_.only_branch_to(label, false);
        if (found == nullptr) break;
        const Located at = *found;
        const auto* branch = as_a<const gcond*>(at.statement);
        const tree other =
            is_true_side ? gimple_cond_false_label(branch) : gimple_cond_true_label(branch);
        if (around == NULL_TREE) around = other;
        if (!source_.are_one_place(other, around)) break;
        ++count;
        left.first = branch;
        label = label_before(at.statement);
        if (asks_for(branch, is_true_side, flag, values_)) continue;
        if (is_known) return std::nullopt;
        is_known = true;
        const Branch said = compare(gimple_cond_code(branch),
                                    gimple_cond_lhs(branch),
                                    gimple_cond_rhs(branch),
                                    at.context,
                                    kDepth - 1);
        left.known = is_true_side ? said.when_false : said.when_true;
    }
    const auto comes_there = std::ranges::count_if(source_.conditions, [&](const Located& at) {
        const auto* branch = as_a<const gcond*>(at.statement);
        return source_.are_one_place(gimple_cond_true_label(branch), around) ||
               source_.are_one_place(gimple_cond_false_label(branch), around);
    });
    return is_known && (count == 1 || count == comes_there) ? std::optional(left) : std::nullopt;
}

/// `mine = true; if (thread != 0) mine = false;`: what is known where it is left as it was `set`.
Implication Conditions::where_left(const Located& set, const Located& cleared) {
    if (!is_asked_behind(cleared.statement)) return {};
    const auto left = left_true(cleared);
    return left && leads_on(set.statement, left->first) ? left->known : Implication{};
}

/// `flag = asked_for; if (provided < MPI_THREAD_MULTIPLE) flag = 0;`: where the flag is true still,
/// that is provided, whatever was written to it in front.
void Conditions::note_cleared(const LevelFlagWrite& write, const Located& cleared) {
    const auto left = left_true(cleared);
    const std::int8_t level = left ? level_said(left->known) : std::int8_t{0};
    if (level <= 0) return;
    for (LevelFlagWrite& other : gathering_.level_flag_writes) {
        const bool is_before = other.keeper == write.keeper && other.if_true == 0 &&
                               other.copy_of == 0 && other.function == write.function &&
                               other.statement != nullptr && leads_on(other.statement, left->first);
        if (!is_before) continue;
        other.if_true = level;
        other.level = write.level;
    }
}

}  // namespace mqinspect::thread_level::plugin
