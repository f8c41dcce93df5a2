// Calls that may lock, as far as their look tells: Preparation, another part.
#include <string>

#include "thread_level/gcc_plugin/prepared.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool is_elsewhere(tree function) {
    return DECL_EXTERNAL(function) && !gimple_has_body_p(function);
}

/// A lock is an object, or a whole number; what is sent is not.
bool may_point_to_lock(tree argument) {
    tree type = TREE_TYPE(TREE_TYPE(argument));
    if (TREE_CODE(argument) == ADDR_EXPR) type = TREE_TYPE(TREE_OPERAND(argument, 0));
    return RECORD_OR_UNION_TYPE_P(type) || VOID_TYPE_P(type) || INTEGRAL_TYPE_P(type) ||
           POINTER_TYPE_P(type);
}

/// Whether several threads may mean one and the same by it.
bool may_be_shared(const Value& value) {
    switch (value.kind) {
        case Value::Kind::Constant:
        case Value::Kind::Global:
        case Value::Kind::Parameter:
            return true;
        case Value::Kind::Local:
            return value.is_shared;
        case Value::Kind::Element:
            return value.number == 0;
        default:
            return false;
    }
}

}  // namespace

/// "()" if nothing is handed over, else what comes first; 0: it does not look so.
StringId Preparation::lock_look(const LocatedCall& at) {
    constexpr unsigned most_arguments = 2;
    const tree callee = gimple_call_fndecl(at.call);
    const unsigned count = gimple_call_num_args(at.call);
    if (callee == NULL_TREE || !is_elsewhere(callee) || count > most_arguments ||
        at.callee->kind != CalleeKind::Other)
        return 0;
    const tree result = TREE_TYPE(TREE_TYPE(callee));
    if (!VOID_TYPE_P(result) && !INTEGRAL_TYPE_P(result)) return 0;
    if (count == 0) return gathering_.intern("()");
    const tree first = gimple_call_arg(at.call, 0);
    const Value value = values_.object_at(first, at.context);
    const bool is_number = INTEGRAL_TYPE_P(TREE_TYPE(first));
    const bool may_lock = value.kind == Value::Kind::Constant ||
                          (POINTER_TYPE_P(TREE_TYPE(first)) && may_point_to_lock(first));
    if (!may_lock || !may_be_shared(value) || (is_number && value.kind != Value::Kind::Constant))
        return 0;
    return gathering_.intern(std::to_string(static_cast<int>(value.kind)) + ' ' +
                             gathering_.unit.strings[value.name] + ' ' +
                             std::to_string(value.number));
}

}  // namespace mqinspect::thread_level::plugin
