// Conditions that go one way each time: `if (status == 0)` of a local variable that is 1.
#include <algorithm>
#include <unordered_set>
#include <vector>

#include "thread_level/gcc_plugin/skeleton.h"

namespace mqinspect::thread_level::plugin {

/// Of a constant, or a variable that nothing else is ever written to, nor has an address; 0 to 127,
/// which no conversion changes. What constructs name gets values in other ways.
std::optional<int> Conditions::fixed_number(tree operand) {
    constexpr int most_copies = 4;
    for (int i = 0; i < most_copies && is_local_name(operand); ++i) {
        if (!is_gimple_reg(operand) || source_.is_named_by_construct(operand)) return std::nullopt;
        const Located* definition = values_.only_definition(operand);
        if (definition == nullptr || !is_copying(definition->statement)) return std::nullopt;
        operand = gimple_assign_rhs1(definition->statement);
    }
    constexpr std::int64_t most = 127;
    const bool is_small = TREE_CODE(operand) == INTEGER_CST && tree_fits_shwi_p(operand) &&
                          tree_to_shwi(operand) >= 0 && tree_to_shwi(operand) <= most;
    return is_small ? std::optional<int>(static_cast<int>(tree_to_shwi(operand))) : std::nullopt;
}

std::optional<bool> Conditions::fixed_side(const gcond* condition) {
    if (source_.has_assembly) return std::nullopt;  // which may write to any
    const auto left = fixed_number(gimple_cond_lhs(condition));
    const auto right = left ? fixed_number(gimple_cond_rhs(condition)) : std::nullopt;
    if (!right) return std::nullopt;
    switch (gimple_cond_code(condition)) {
        case EQ_EXPR:
            return *left == *right;
        case NE_EXPR:
            return *left != *right;
        case LT_EXPR:
            return *left < *right;
        case LE_EXPR:
            return *left <= *right;
        case GT_EXPR:
            return *left > *right;
        case GE_EXPR:
            return *left >= *right;
        default:
            return std::nullopt;
    }
}

namespace {

constexpr std::size_t kMostBlocks = 256;  // that one way may lead through

/// The last of them in `block`; null: there is none.
gimple* last_in(basic_block block, const std::vector<gimple*>& writes) {
    gimple* last = nullptr;
    for (gimple_stmt_iterator at = gsi_start_nondebug_bb(block); !gsi_end_p(at);
         gsi_next_nondebug(&at)) {
        if (std::ranges::find(writes, gsi_stmt(at)) != writes.end()) last = gsi_stmt(at);
    }
    return last;
}

}  // namespace

bool leads_to(basic_block from, basic_block to, basic_block without) {
    std::unordered_set<basic_block> seen;
    std::vector<basic_block> open{from};
    while (!open.empty()) {
        basic_block block = open.back();
        open.pop_back();
        edge e = nullptr;
        edge_iterator at;
        FOR_EACH_EDGE(e, at, block->succs) {
            if (e->dest == to || seen.size() == kMostBlocks) return true;
            if (e->dest != without && seen.insert(e->dest).second) open.push_back(e->dest);
        }
    }
    return false;
}

/// The write that a variable has its value of at the end of `block`, whichever way has led there;
/// null: it is not known.
gimple* Skeleton::only_write_before(tree variable, basic_block block) {
    constexpr std::size_t most_writes = 8;
    const std::vector<gimple*>& writes = writes_of(variable);
    if (writes.empty() || writes.size() > most_writes) return nullptr;
    if (!dom_info_available_p(CDI_DOMINATORS)) {
        calculate_dominance_info(CDI_DOMINATORS);
        has_own_dominators_ = true;
    }
    basic_block dominator = block;
    gimple* write = nullptr;
    for (std::size_t i = 0; i < kMostBlocks && dominator != nullptr && write == nullptr; ++i) {
        if (dominator->index <= EXIT_BLOCK) return nullptr;
        write = last_in(dominator, writes);
        if (write == nullptr) dominator = get_immediate_dominator(CDI_DOMINATORS, dominator);
    }
    if (write == nullptr || dominator == block) return write;
    const bool is_overwritten = std::ranges::any_of(writes, [&](gimple* other) {
        basic_block there = gimple_bb(other);
        return there != dominator && leads_to(dominator, there, dominator) &&
               (there == block || leads_to(there, block, dominator));
    });
    return is_overwritten ? nullptr : write;
}

/// Which side the branch at the end of `block` always takes: it compares with a constant what has
/// been set to one.
std::optional<bool> Skeleton::side_behind_writes(basic_block block) {
    const gimple* branch = last_statement(block);
    const tree variable = gimple_cond_lhs(branch);
    if (!VAR_P(variable) || TREE_CODE(gimple_cond_rhs(branch)) != INTEGER_CST) return std::nullopt;
    gimple* write = only_write_before(variable, block);
    const auto known = write == nullptr ? std::nullopt : number_behind(write);
    return known && !known->is_or_more ? side_taken(*known, block) : std::nullopt;
}

/// Whether nobody comes along `e`.
bool Skeleton::is_never_taken(edge e) {
    if ((e->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE)) == 0) return false;
    const auto known = prepared_.fixed_sides.find(last_statement(e->src));
    const auto side = known != prepared_.fixed_sides.end() ? std::optional(known->second)
                                                           : side_behind_writes(e->src);
    const bool is_true = (e->flags & EDGE_TRUE_VALUE) != 0;
    return side && *side != is_true;
}

}  // namespace mqinspect::thread_level::plugin
