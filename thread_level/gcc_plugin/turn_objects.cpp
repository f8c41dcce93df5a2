#include "thread_level/gcc_plugin/turn_objects.h"

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

}  // namespace

bool is_turn_object(tree type) {
    if (!RECORD_OR_UNION_TYPE_P(type)) return false;
    return is_name_of_object(name_of(type)) || is_name_of_object(name_of(TYPE_MAIN_VARIANT(type)));
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
        if (is_turn_object(part)) return true;
    }
    return false;
}

bool uses_turn_object(CalleeKind kind) {
    switch (kind) {
        case CalleeKind::SemaphoreWait:
        case CalleeKind::SemaphorePost:
        case CalleeKind::SemaphoreInit:
        case CalleeKind::LatchCount:
        case CalleeKind::LatchWait:
        case CalleeKind::LatchCountAndWait:
        case CalleeKind::BarrierInit:
        case CalleeKind::BarrierWait:
            return true;
        default:
            return false;
    }
}

CalleeKind kind_of_turn_object_member(std::string_view symbol) {
    if (symbol.starts_with("_ZNSt18counting_semaphoreI"))
        return kind_among(kSemaphoreMembers, symbol);
    if (symbol.starts_with("_ZNSt5latch") || symbol.starts_with("_ZNKSt5latch"))
        return kind_among(kLatchMembers, symbol);
    if (symbol.starts_with("_ZNSt7barrierI")) return kind_among(kBarrierMembers, symbol);
    return CalleeKind::Other;
}

bool waits_for_predicate(std::string_view symbol) {
    return symbol.starts_with("_ZNSt18condition_variable4waitI") ||
           (symbol.starts_with("_ZNSt22condition_variable_any4waitI") && symbol.ends_with("T0_"));
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
    HOST_WIDE_INT by = tree_to_shwi(step);
    if (TREE_CODE(increment) == MINUS_EXPR) by = -by;
    const bool is_negative = OMP_CLAUSE_DEPEND_SINK_NEGATIVE(sink);
    const HOST_WIDE_INT distance = is_negative ? -tree_to_shwi(offset) : tree_to_shwi(offset);
    return distance == -by ? StepKind::Acquire : StepKind::Join;
}

}  // namespace mqinspect::thread_level::plugin
