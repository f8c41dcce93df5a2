// Elements of arrays, by what their index is: Values, second part.
#include <algorithm>
#include <string_view>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

namespace {

constexpr int kMostIndexCopies = 32;  // of copies that are followed
constexpr int kMostIndices = 200;     // that are looked at for one element

bool is_member_of_container(gimple* statement, std::string_view member, unsigned arguments) {
    const tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    if (callee == NULL_TREE || gimple_call_num_args(statement) != arguments ||
        DECL_NAME(callee) == NULL_TREE || IDENTIFIER_POINTER(DECL_NAME(callee)) != member)
        return false;
    const tree type = DECL_CONTEXT(callee);
    return type != NULL_TREE && TYPE_P(type) && is_container(type);
}

/// One, if all do the same: of a temporary there may be hundreds.
std::vector<Located> different(const SourceWalk& source, const VariableUse& use) {
    const Located* one = source.one_definition(use);
    return one != nullptr ? std::vector<Located>{*one} : use.definitions;
}

}  // namespace

bool is_container(tree type) {
    if (!RECORD_OR_UNION_TYPE_P(type)) return false;
    const std::string_view name = name_of_type(type);
    return name == "vector" || name == "array" || name == "deque";
}

bool is_index_of_container(gimple* statement) {
    return is_member_of_container(statement, "operator[]", 2);
}

bool is_same_object(gimple* statement) {
    const tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    if (callee == NULL_TREE || DECL_NAME(callee) == NULL_TREE) return false;
    if (std::string_view(IDENTIFIER_POINTER(DECL_NAME(callee))) != "forward")
        return is_member_of_container(statement, "data", 1);
    const std::string_view symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(callee));
    return symbol.starts_with("_ZSt7forwardI");
}

std::optional<std::int64_t> constant_index(const gimple* statement) {
    const tree address = gimple_assign_rhs1(statement);
    const tree offset = gimple_assign_rhs2(statement);
    if (!POINTER_TYPE_P(TREE_TYPE(address)) || !tree_fits_shwi_p(offset)) return std::nullopt;
    const bool is_array = TREE_CODE(address) == ADDR_EXPR;
    const tree array =
        is_array ? TREE_TYPE(TREE_OPERAND(address, 0)) : TREE_TYPE(TREE_TYPE(address));
    if (is_array && TREE_CODE(array) != ARRAY_TYPE) return std::nullopt;
    const tree size = TYPE_SIZE_UNIT(is_array ? TREE_TYPE(array) : array);
    if (size == NULL_TREE || !tree_fits_shwi_p(size) || integer_zerop(size)) return std::nullopt;
    const std::int64_t bytes = tree_to_shwi(offset);
    const bool is_element = bytes >= 0 && bytes % tree_to_shwi(size) == 0;
    return is_element ? std::optional(bytes / tree_to_shwi(size)) : std::nullopt;
}

bool Values::is_thread_number(tree operand) {
    indices_left_ = kMostIndices;
    return is_thread_number(operand, kMostIndexCopies);
}

Value Values::element_of(const Value& array, tree index, std::int64_t unit) {
    Value value;
    if (array.kind == Value::Kind::Unknown || array.kind == Value::Kind::Constant) return value;
    value.kind = Value::Kind::Element;
    value.name = array.name;
    last_index_ = {.index = index,
                   .unit = unit,
                   .is_of_one = array.kind == Value::Kind::Global ||
                                (array.kind == Value::Kind::Local && array.is_shared),
                   .is_of_program = array.kind == Value::Kind::Global};
    indices_left_ = kMostIndices;
    value.number = is_thread_number(index, kMostIndexCopies) ? 1 : 0;
    indices_left_ = kMostIndices;
    if (value.number == 0 && is_counter(index, kMostIndexCopies)) {
        indices_left_ = kMostIndices;
        value.number =
            begins_with_constant(index, kMostIndexCopies) ? kCounted : kCountedFromUnknown;
    }
    return value;
}

/// The first element of a member array is called as that is: who gets the array gets it first.
Value Values::numbered(Value array, std::int64_t index) {
    if (array.kind == Value::Kind::Parameter && index == 0) return array;
    const std::string& name = gathering_.unit.strings[array.name];
    array.name = gathering_.intern(name + '.' + std::to_string(index));
    array.created_once = false;
    return array;
}

/// Whether a loop counts `index` from a constant on.
bool Values::begins_with_constant(tree index, int depth) {
    if (depth <= 0 || --indices_left_ < 0) return false;
    index = strip(index);
    if (TREE_CODE(index) == INTEGER_CST) return true;
    if (TREE_CODE(index) == MULT_EXPR || TREE_CODE(index) == PLUS_EXPR)
        return begins_with_constant(TREE_OPERAND(index, 0), depth - 1);
    if (!is_local_name(index)) return false;
    if (const tree first = source_.first_of_loop(index); first != NULL_TREE)
        return begins_with_constant(first, depth - 1);
    const VariableUse* use = source_.use_of(index);
    if (use == nullptr) return false;
    const std::vector<Located> definitions = different(source_, *use);
    return std::any_of(definitions.begin(), definitions.end(), [&](const Located& at) {
        if (!is_gimple_assign(at.statement)) return false;
        const tree first = gimple_assign_rhs1(at.statement);
        return first != index && !is_next(index, first) && begins_with_constant(first, depth - 1);
    });
}

/// Whether `index` is another one each time: that of a loop, scaled and shifted.
bool Values::is_counter(tree index, int depth) {
    if (depth <= 0 || --indices_left_ < 0) return false;
    index = strip(index);
    if (TREE_CODE(index) == MULT_EXPR || TREE_CODE(index) == PLUS_EXPR) {
        return TREE_CODE(TREE_OPERAND(index, 1)) == INTEGER_CST &&
               is_counter(TREE_OPERAND(index, 0), depth - 1);
    }
    if (!is_local_name(index)) return false;
    if (source_.is_loop_index(index)) return true;
    const VariableUse* use = source_.use_of(index);
    if (use == nullptr || use->escapes) return false;
    // A temporary of the compiler is set before each use.
    const bool is_set_once = use->definitions.size() == 1 || DECL_NAME(index) == NULL_TREE;
    const std::vector<Located> definitions = different(source_, *use);
    return std::any_of(definitions.begin(), definitions.end(), [&](const Located& at) {
        if (!is_gimple_assign(at.statement)) return false;
        const tree_code code = gimple_assign_rhs_code(at.statement);
        const tree first = gimple_assign_rhs1(at.statement);
        const bool is_linear =
            (code == MULT_EXPR || code == PLUS_EXPR || code == LSHIFT_EXPR || code == MINUS_EXPR) &&
            TREE_CODE(gimple_assign_rhs2(at.statement)) == INTEGER_CST;
        if (is_linear && first == index) return code == PLUS_EXPR;
        if (!is_linear && !is_copying(at.statement)) return false;
        return is_set_once ? is_counter(first, depth - 1) : is_next(index, first);
    });
}

/// Whether `value`, which is assigned to `counter`, is that plus a number.
bool Values::is_next(tree counter, tree value) {
    const Located* definition = is_local_name(value) ? only_definition(value) : nullptr;
    return definition != nullptr && is_gimple_assign(definition->statement) &&
           gimple_assign_rhs_code(definition->statement) == PLUS_EXPR &&
           gimple_assign_rhs1(definition->statement) == counter &&
           TREE_CODE(gimple_assign_rhs2(definition->statement)) == INTEGER_CST;
}

/// Whether `index` differs for all threads of a team: the thread number, scaled and shifted.
bool Values::is_thread_number(tree index, int depth) {
    if (depth <= 0 || --indices_left_ < 0) return false;
    index = strip(index);
    if (TREE_CODE(index) == MULT_EXPR || TREE_CODE(index) == PLUS_EXPR) {
        return TREE_CODE(TREE_OPERAND(index, 1)) == INTEGER_CST &&
               is_thread_number(TREE_OPERAND(index, 0), depth - 1);
    }
    if (!is_local_name(index)) return false;
    const VariableUse* use = source_.use_of(index);
    if (use == nullptr || use->definitions.empty() || use->escapes) return false;
    const bool is_kept = std::ranges::all_of(use->handed_over, [&](const Located& at) {
        const tree callee = gimple_call_fndecl(at.statement);
        return callee != NULL_TREE && is_only_read(at.statement, callees_.of(callee), index);
    });
    if (!is_kept) return false;
    const std::vector<Located> definitions = use->definitions;
    for (const Located& at : definitions) {
        if (is_gimple_call(at.statement)) {
            const tree callee = gimple_call_fndecl(at.statement);
            if (callee == NULL_TREE || callees_.of(callee).kind != CalleeKind::ThreadNumber)
                return false;
            continue;
        }
        if (!is_gimple_assign(at.statement)) return false;
        const tree_code code = gimple_assign_rhs_code(at.statement);
        const bool is_linear =
            code == MULT_EXPR || code == PLUS_EXPR || code == LSHIFT_EXPR || code == MINUS_EXPR;
        if (is_linear && TREE_CODE(gimple_assign_rhs2(at.statement)) != INTEGER_CST) return false;
        if (!is_linear && !is_copying(at.statement)) return false;
        if (!is_thread_number(gimple_assign_rhs1(at.statement), depth - 1)) return false;
    }
    return true;
}

}  // namespace mqinspect::thread_level::plugin
