#include "thread_level/gcc_plugin/turn_objects.h"

#include "thread_level/gcc_plugin/futures.h"
#include "thread_level/gcc_plugin/held_class.h"
#include "thread_level/gcc_plugin/lock_types.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {
namespace {

struct NamedMember {
    std::string_view name;  ///< behind that of the class
    CalleeKind kind;
};

constexpr NamedMember kSemaphoreMembers[] = {
    {"C1El", CalleeKind::SemaphoreInit},
    {"C2El", CalleeKind::SemaphoreInit},
    {"7acquireEv", CalleeKind::SemaphoreWait},
    {"7releaseEl", CalleeKind::SemaphorePost},
    {"11try_acquireEv", CalleeKind::TrySemaphore},
};

constexpr NamedMember kLatchMembers[] = {
    {"C1El", CalleeKind::Harmless},
    {"C2El", CalleeKind::Harmless},
    {"10count_downEl", CalleeKind::LatchCount},
    {"4waitEv", CalleeKind::LatchWait},
    {"8try_waitEv", CalleeKind::Harmless},
    {"15arrive_and_waitEl", CalleeKind::LatchCountAndWait},
};

constexpr NamedMember kBarrierMembers[] = {
    {"C1ElT_", CalleeKind::BarrierInit},
    {"C2ElT_", CalleeKind::BarrierInit},
    {"C1ElS0_", CalleeKind::BarrierInit},
    {"C2ElS0_", CalleeKind::BarrierInit},
    {"15arrive_and_waitEv", CalleeKind::BarrierWait},
    {"D1Ev", CalleeKind::Harmless},
    {"D2Ev", CalleeKind::Harmless},
};

template <std::size_t count>
CalleeKind kind_among(const NamedMember (&members)[count], std::string_view symbol) {
    for (const NamedMember& member : members) {
        if (symbol.ends_with(member.name)) return member.kind;
    }
    return CalleeKind::Other;
}

std::string_view name_of(tree type) {
    tree name = TYPE_NAME(type);
    if (name != NULL_TREE && TREE_CODE(name) == TYPE_DECL) name = DECL_NAME(name);
    return name != NULL_TREE && TREE_CODE(name) == IDENTIFIER_NODE ? IDENTIFIER_POINTER(name)
                                                                   : std::string_view();
}

bool is_name_of_object(std::string_view name) {
    return name == "sem_t" || name == "pthread_barrier_t" || name == "latch" ||
           name == "counting_semaphore" || name == "binary_semaphore" || name == "barrier";
}

bool is_condition_variable(std::string_view name) {
    return name == "pthread_cond_t" || name == "cnd_t" || name == "condition_variable" ||
           name == "condition_variable_any";
}

}  // namespace

bool is_turn_object(tree type) {
    if (!RECORD_OR_UNION_TYPE_P(type)) return false;
    return is_name_of_object(name_of(type)) ||
           is_name_of_object(name_of(TYPE_MAIN_VARIANT(type))) || is_promise(type) ||
           is_future(type);
}

bool is_semaphore(tree type) {
    return RECORD_OR_UNION_TYPE_P(type) &&
           (name_of(type) == "sem_t" || name_of(TYPE_MAIN_VARIANT(type)) == "sem_t");
}

bool has_number(tree type) {
    return INTEGRAL_TYPE_P(type) || is_atomic_record(type) || is_turn_object(type);
}

bool has_turn_object(tree type) {
    constexpr int most_levels = 3;
    for (int level = 0; level < most_levels && TREE_CODE(type) == ARRAY_TYPE; ++level)
        type = TREE_TYPE(type);
    if (!RECORD_OR_UNION_TYPE_P(type)) return false;
    if (is_turn_object(type)) return true;
    for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field)) {
        if (TREE_CODE(field) != FIELD_DECL) continue;
        const tree part = strip_array_types(TREE_TYPE(field));
        const bool is_base = DECL_NAME(field) == NULL_TREE && RECORD_OR_UNION_TYPE_P(part);
        if (is_base && has_turn_object(part)) return true;
        if (is_turn_object(part) || is_atomic_record(part) || TYPE_ATOMIC(part) ||
            TREE_THIS_VOLATILE(field) || is_lock_type(part) ||
            is_condition_variable(name_of(part)) || keeps_thread(part))
            return true;
    }
    return false;
}

bool is_handed_turn(tree parameter) {
    const tree type = TREE_TYPE(parameter);
    return POINTER_TYPE_P(type) &&
           (is_atomic_record(TREE_TYPE(type)) || is_turn_object(TREE_TYPE(type)));
}

bool is_followed_class(tree type) {
    if (!RECORD_OR_UNION_TYPE_P(type) || is_turn_object(type) || is_atomic_record(type) ||
        !has_turn_object(type))
        return false;
    const tree declaration = TYPE_STUB_DECL(TYPE_MAIN_VARIANT(type)) != NULL_TREE
                                 ? TYPE_STUB_DECL(TYPE_MAIN_VARIANT(type))
                                 : TYPE_NAME(type);
    return declaration != NULL_TREE && DECL_P(declaration) && is_of_this_source(declaration);
}

bool gets_turn_object(const gimple* statement) {
    const tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    if (callee != NULL_TREE && DECL_CXX_CONSTRUCTOR_P(callee))
        return has_turn_object(DECL_CONTEXT(callee));
    const tree left = gimple_get_lhs(statement);
    if (left == NULL_TREE || !POINTER_TYPE_P(TREE_TYPE(left)) ||
        !has_turn_object(TREE_TYPE(TREE_TYPE(left))))
        return false;
    const tree source = is_gimple_call(statement)
                            ? gimple_call_return_type(as_a<const gcall*>(statement))
                            : TREE_TYPE(gimple_assign_rhs1(statement));
    return POINTER_TYPE_P(source) && VOID_TYPE_P(TREE_TYPE(source));
}

bool writes_beside_turn_object(tree left) {
    return TREE_CODE(left) == COMPONENT_REF && INTEGRAL_TYPE_P(TREE_TYPE(left)) &&
           has_turn_object(TREE_TYPE(TREE_OPERAND(left, 0)));
}

bool uses_turn_object(CalleeKind kind) {
    switch (kind) {
        case CalleeKind::SemaphoreWait:
        case CalleeKind::TrySemaphore:
        case CalleeKind::TrySemaphoreZero:
        case CalleeKind::SemaphorePost:
        case CalleeKind::SemaphoreInit:
        case CalleeKind::SemaphoreOpen:
        case CalleeKind::LatchCount:
        case CalleeKind::LatchWait:
        case CalleeKind::LatchCountAndWait:
        case CalleeKind::BarrierInit:
        case CalleeKind::BarrierWait:
        case CalleeKind::FutureWait:
        case CalleeKind::FutureEnd:
            return true;
        default:
            return false;
    }
}

CalleeKind kind_of_turn_object_member(std::string_view symbol) {
    if (symbol.starts_with("_ZNSt18counting_semaphoreI")) {
        const bool is_timed = symbol.find("E15try_acquire_forI") != std::string_view::npos ||
                              symbol.find("E17try_acquire_untilI") != std::string_view::npos;
        return is_timed ? CalleeKind::TrySemaphore : kind_among(kSemaphoreMembers, symbol);
    }
    if (symbol.starts_with("_ZNSt5latch") || symbol.starts_with("_ZNKSt5latch"))
        return kind_among(kLatchMembers, symbol);
    if (symbol.starts_with("_ZNSt7barrierI")) return kind_among(kBarrierMembers, symbol);
    return CalleeKind::Other;
}

bool waits_for_predicate(std::string_view symbol) {
    for (const std::string_view variable :
         {"_ZNSt18condition_variable", "_ZNSt22condition_variable_any"}) {
        if (!symbol.starts_with(variable)) continue;
        const std::string_view member = symbol.substr(variable.size());
        return member.starts_with("4waitI") || member.starts_with("8wait_forI") ||
               member.starts_with("10wait_untilI");
    }
    return false;
}

StepKind order_of(const gimple* construct, const gimple* loop) {
    const tree clauses = gimple_omp_ordered_clauses(as_a<const gomp_ordered*>(construct));
    const tree depend = omp_find_clause(clauses, OMP_CLAUSE_DEPEND);
    if (depend == NULL_TREE || loop == nullptr || gimple_code(loop) != GIMPLE_OMP_FOR)
        return StepKind::Join;
    const tree ordered = omp_find_clause(gimple_omp_for_clauses(loop), OMP_CLAUSE_ORDERED);
    const tree depth = ordered == NULL_TREE ? NULL_TREE : OMP_CLAUSE_ORDERED_EXPR(ordered);
    if (depth == NULL_TREE || !integer_onep(depth)) return StepKind::Join;
    if (OMP_CLAUSE_DEPEND_KIND(depend) == OMP_CLAUSE_DEPEND_SOURCE) return StepKind::Release;
    const tree sink = OMP_CLAUSE_DECL(depend);
    if (OMP_CLAUSE_DEPEND_KIND(depend) != OMP_CLAUSE_DEPEND_SINK || sink == NULL_TREE ||
        TREE_CODE(sink) != TREE_LIST || OMP_CLAUSE_CHAIN(depend) != NULL_TREE)
        return StepKind::Join;
    const tree offset = TREE_PURPOSE(sink);
    const tree increment = gimple_omp_for_incr(loop, 0);
    const tree step = TREE_OPERAND(increment, 1);
    if (offset == NULL_TREE || TREE_CODE(offset) != INTEGER_CST || TREE_CODE(step) != INTEGER_CST)
        return StepKind::Join;
    // Of pointers these are sizes, and going back is to add a very large one.
    const auto signed_number = [](tree number) {
        return static_cast<HOST_WIDE_INT>(TREE_INT_CST_LOW(number));
    };
    HOST_WIDE_INT by = signed_number(step);
    if (TREE_CODE(increment) == MINUS_EXPR) by = -by;
    const bool is_negative = OMP_CLAUSE_DEPEND_SINK_NEGATIVE(sink);
    const HOST_WIDE_INT distance = is_negative ? -signed_number(offset) : signed_number(offset);
    return distance == -by ? StepKind::Acquire : StepKind::Join;
}

}  // namespace mqinspect::thread_level::plugin
