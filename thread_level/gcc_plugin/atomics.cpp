#include "thread_level/gcc_plugin/atomics.h"

#include "thread_level/facts/strings.h"

namespace mqinspect::thread_level::plugin {
namespace {

struct NamedKind {
    std::string_view name;
    AtomicKind kind;
};

/// Of members, and of functions of the same name behind "atomic_" or "atomic_flag_".
constexpr NamedKind kMembers[] = {
    {"load", AtomicKind::Load},
    {"test", AtomicKind::Load},
    {"store", AtomicKind::Store},
    {"operator=", AtomicKind::Store},
    {"clear", AtomicKind::Store},
    {"exchange", AtomicKind::Exchange},
    {"test_and_set", AtomicKind::Exchange},
    {"compare_exchange_weak", AtomicKind::CompareExchange},
    {"compare_exchange_strong", AtomicKind::CompareExchange},
    {"wait", AtomicKind::Wait},
};

constexpr NamedKind kBuiltins[] = {
    {"__atomic_load_", AtomicKind::Load},
    {"__atomic_store_", AtomicKind::Store},
    {"__atomic_clear", AtomicKind::Store},
    {"__atomic_exchange_", AtomicKind::Exchange},
    {"__atomic_test_and_set", AtomicKind::Exchange},
    {"__atomic_compare_exchange_", AtomicKind::CompareExchange},
    {"__sync_lock_test_and_set", AtomicKind::Exchange},
    {"__sync_lock_release", AtomicKind::Store},
    {"__sync_bool_compare_and_swap", AtomicKind::CompareExchange},
    {"__atomic_thread_fence", AtomicKind::Fence},
    {"__sync_synchronize", AtomicKind::Fence},
    {"sync_synchronize", AtomicKind::Fence},  // __builtin_, for `omp flush`
};

std::string_view name_of(const gimple* call) {
    const tree declaration = gimple_call_fndecl(call);
    return declaration == NULL_TREE || DECL_NAME(declaration) == NULL_TREE
               ? std::string_view()
               : IDENTIFIER_POINTER(DECL_NAME(declaration));
}

/// Whether an argument of a call is an order of memory that hands something on.
bool orders(tree argument, bool as_store) {
    if (TREE_CODE(argument) != INTEGER_CST) return false;
    const auto order = static_cast<memmodel>(TREE_INT_CST_LOW(argument) & MEMMODEL_BASE_MASK);
    if (order == MEMMODEL_RELAXED) return false;
    return order != (as_store ? MEMMODEL_ACQUIRE : MEMMODEL_RELEASE);
}

/// "St6atomicIbE5storeEbSt12memory_order" of a member of the library's.
bool is_member(std::string_view symbol) {
    if (!symbol.starts_with("_ZN")) return false;
    symbol.remove_prefix(3);
    while (symbol.starts_with('V') || symbol.starts_with('K'))
        symbol.remove_prefix(1);
    return symbol.starts_with("St6atomicI") || symbol.starts_with("St13__atomic_baseI") ||
           symbol.starts_with("St11atomic_flag");
}

AtomicKind kind_of_member(std::string_view name, std::string_view symbol) {
    for (const NamedKind& known : kMembers) {
        if (name == known.name) return known.kind;
    }
    if (name.starts_with("notify_") || name == "is_lock_free") return AtomicKind::Load;
    if (contains(symbol, "C1E") || contains(symbol, "C2E")) return AtomicKind::Store;
    return contains(symbol, "Ecv") ? AtomicKind::Load : AtomicKind::Other;
}

/// "store" of "atomic_store_explicit"; empty: it is another function.
std::string_view member_of(std::string_view name) {
    for (const std::string_view prefix : {"atomic_flag_", "atomic_"}) {
        if (!name.starts_with(prefix)) continue;
        name.remove_prefix(prefix.size());
        const std::string_view suffix = "_explicit";
        if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
        return name;
    }
    return {};
}

}  // namespace

AtomicKind atomic_kind(std::string_view name, tree function_declaration) {
    for (const NamedKind& known : kBuiltins) {
        if (name.starts_with(known.name)) return known.kind;
    }
    if (name.starts_with("__atomic_") || name.starts_with("__sync_")) return AtomicKind::Other;
    const std::string_view symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function_declaration));
    if (is_member(symbol)) return kind_of_member(name, symbol);
    if (name == "atomic_thread_fence") return AtomicKind::Fence;
    const std::string_view member = symbol.starts_with("_ZSt") ? member_of(name) : "";
    for (const NamedKind& known : kMembers) {
        if (member == known.name) return known.kind;
    }
    return AtomicKind::None;
}

bool is_ordered(const gimple* call, AtomicKind kind, bool as_store) {
    const unsigned count = gimple_call_num_args(call);
    const std::string_view name = name_of(call);
    if (kind == AtomicKind::CompareExchange) {
        const unsigned position = name.starts_with("__atomic_") ? 4 : 3;  // of where it writes
        return count <= position || orders(gimple_call_arg(call, position), as_store);
    }
    const tree last = count == 0 ? NULL_TREE : gimple_call_arg(call, count - 1);
    const bool is_flag = name.ends_with("clear") || name.ends_with("test_and_set");
    const unsigned expected = kind == AtomicKind::Load || is_flag ? 2 : 3;
    if (count != expected || TREE_CODE(last) != INTEGER_CST) return count < expected;
    return orders(last, as_store);
}

tree written_by(const gimple* call) {
    const std::string_view name = name_of(call);
    if (name.ends_with("test_and_set") || name.ends_with("test_and_set_explicit")) return NULL_TREE;
    if (contains(name, "clear") || name.starts_with("__sync_lock_release"))
        return integer_zero_node;
    const unsigned position = contains(name, "compare_") ? 2 : 1;
    return gimple_call_num_args(call) > position ? gimple_call_arg(call, position)
                                                 : error_mark_node;
}

tree expected_by(const gimple* call) {
    return gimple_call_num_args(call) > 1 ? gimple_call_arg(call, 1) : error_mark_node;
}

bool is_atomic_record(tree type) {
    if (TREE_CODE(type) != RECORD_TYPE) return false;
    for (tree each : {type, TYPE_MAIN_VARIANT(type)}) {
        tree name = TYPE_NAME(each);
        if (name != NULL_TREE && TREE_CODE(name) == TYPE_DECL) name = DECL_NAME(name);
        if (name == NULL_TREE || TREE_CODE(name) != IDENTIFIER_NODE) continue;
        const std::string_view text = IDENTIFIER_POINTER(name);
        if (text == "atomic" || text == "atomic_flag") return true;
    }
    return false;
}

tree atomic_around(tree object) {
    while (TREE_CODE(object) == COMPONENT_REF &&
           is_atomic_record(TREE_TYPE(TREE_OPERAND(object, 0))))
        object = TREE_OPERAND(object, 0);
    return object;
}

}  // namespace mqinspect::thread_level::plugin
