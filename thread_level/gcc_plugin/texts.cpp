#include "thread_level/gcc_plugin/texts.h"

#include <string_view>

#include "thread_level/facts/values.h"

namespace mqinspect::thread_level::plugin {
namespace {

std::string_view name_of_callee(const gimple* call) {
    const tree declaration = gimple_call_fndecl(call);
    if (declaration == NULL_TREE || DECL_NAME(declaration) == NULL_TREE) return {};
    std::string_view name = IDENTIFIER_POINTER(DECL_NAME(declaration));
    constexpr std::string_view builtin = "__builtin_";
    if (name.starts_with(builtin)) name.remove_prefix(builtin.size());
    return name;
}

/// A field of a constructor by its position.
tree field_of(tree constructor, unsigned position) {
    if (TREE_CODE(constructor) != CONSTRUCTOR || CONSTRUCTOR_NELTS(constructor) <= position)
        return NULL_TREE;
    return CONSTRUCTOR_ELT(constructor, position)->value;
}

}  // namespace

std::string_view text_of(tree text) {
    std::string_view letters(TREE_STRING_POINTER(text),
                             static_cast<std::size_t>(TREE_STRING_LENGTH(text)));
    while (!letters.empty() && (letters.back() == '\0' || letters.back() == ' '))
        letters.remove_suffix(1);
    return letters;
}

std::optional<std::string_view> text_at(tree address) {
    address = strip(address);
    if (TREE_CODE(address) != ADDR_EXPR) return std::nullopt;
    tree text = TREE_OPERAND(address, 0);
    if (TREE_CODE(text) == ARRAY_REF) text = TREE_OPERAND(text, 0);
    if (TREE_CODE(text) != STRING_CST) return std::nullopt;
    return text_of(text);
}

std::optional<std::int64_t> text_number(tree address) {
    const auto letters = text_at(address);
    if (!letters) return std::nullopt;
    return kFirstText | static_cast<std::int64_t>(hash_of(*letters) >> 2U);
}

TextTest text_test(gimple* call, Values& values, ContextId context) {
    const std::string_view name = name_of_callee(call);
    if (name != "strcmp" && name != "strncmp" && name != "strcasecmp" && name != "strncasecmp" &&
        name != "memcmp" && name != "_gfortran_compare_string")
        return {};
    TextTest test;
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        const tree argument = gimple_call_arg(call, i);
        if (!POINTER_TYPE_P(TREE_TYPE(argument))) continue;
        if (const auto number = text_number(argument)) {
            test.number = number;
        } else {
            test.tested = values.of(argument, context);
        }
    }
    if (!is_whole_parameter(test.tested)) test.number.reset();
    return test;
}

TextTable text_table(tree index, Values& values, ContextId context) {
    const Located* definition = is_local_name(index) ? values.only_definition(index) : nullptr;
    if (definition == nullptr || !is_gimple_call(definition->statement)) return {};
    gimple* call = definition->statement;
    if (name_of_callee(call) != "_gfortran_select_string" || gimple_call_num_args(call) < 3)
        return {};
    TextTable table;
    table.tested = values.of(gimple_call_arg(call, 2), context);
    tree entries = strip(gimple_call_arg(call, 0));
    if (TREE_CODE(entries) == ADDR_EXPR) entries = TREE_OPERAND(entries, 0);
    if (TREE_CODE(entries) == ARRAY_REF) entries = TREE_OPERAND(entries, 0);
    if (!VAR_P(entries) || DECL_INITIAL(entries) == NULL_TREE || !is_whole_parameter(table.tested))
        return {};
    const tree cases = DECL_INITIAL(entries);
    for (unsigned i = 0; field_of(cases, i) != NULL_TREE; ++i) {
        // The lowest text and its length, the highest and its length, the number.
        const tree entry = field_of(cases, i);
        const tree low = field_of(entry, 0);
        const tree high = field_of(entry, 2);
        const tree target = field_of(entry, 4);
        if (low == NULL_TREE || high == NULL_TREE || target == NULL_TREE) return {};
        const auto text = text_number(low);
        if (!text || text != text_number(high) || TREE_CODE(target) != INTEGER_CST) continue;
        table.texts.emplace(tree_to_shwi(target), *text);
    }
    return table;
}

}  // namespace mqinspect::thread_level::plugin
