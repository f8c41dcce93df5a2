// Conditions that go one way each time: `if (status == 0)` of a local variable that is 1.
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

/// Whether nobody comes along `e`.
bool Skeleton::is_never_taken(edge e) const {
    if ((e->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE)) == 0) return false;
    const auto side = prepared_.fixed_sides.find(last_statement(e->src));
    const bool is_true = (e->flags & EDGE_TRUE_VALUE) != 0;
    return side != prepared_.fixed_sides.end() && side->second != is_true;
}

}  // namespace mqinspect::thread_level::plugin
