#include "thread_level/gcc_plugin/captured_handles.h"

#include <string>
#include <string_view>
#include <unordered_set>

namespace mqinspect::thread_level::plugin {
namespace {

bool points_to_handle(tree type) {
    return POINTER_TYPE_P(type) && !POINTER_TYPE_P(TREE_TYPE(type)) &&
           TREE_CODE(TREE_TYPE(type)) != ARRAY_TYPE && is_handle_type(TREE_TYPE(type)) &&
           !is_lock_type(TREE_TYPE(type));
}

Value in_main(StringId local) {
    Value value;
    value.kind = Value::Kind::Global;
    value.name = local;
    return value;
}

}  // namespace

void note_captured_handles(Gathering& gathering, SourceWalk& source, Values& values) {
    for (const Located& at : source.pointer_writes) {
        const tree member = gimple_assign_lhs(at.statement);
        if (!is_field_of_function(member) || !points_to_handle(TREE_TYPE(member))) continue;
        const Value value = is_copying(at.statement)
                                ? values.of(gimple_assign_rhs1(at.statement), at.context)
                                : Value{};
        const bool is_one =
            value.kind == Value::Kind::Local && (at.context == 0 || value.is_shared);
        const bool is_of_main = is_one && MAIN_NAME_P(DECL_NAME(current_function_decl));
        const StringId local = is_of_main ? value.name : 0;
        const auto [known, is_new] =
            gathering.captured_handles.try_emplace(gathering.intern(member_name(member)), local);
        if (!is_new && known->second != local) known->second = 0;
    }
}

void settle_captured_handles(Gathering& gathering) {
    std::unordered_set<StringId> locals;
    for (const auto& [member, local] : gathering.captured_handles) {
        if (local != 0) locals.insert(local);
    }
    if (locals.empty()) return;
    for (FunctionId id = 0; id < gathering.unit.functions.size(); ++id) {
        const bool is_main = MAIN_NAME_P(DECL_NAME(gathering.declarations[id]));
        for (Step& step : gathering.unit.functions[id].steps) {
            Value& object = step.mpi.object;
            if (is_main && object.kind == Value::Kind::Local && object.number == 0 &&
                locals.count(object.name) != 0)
                object = in_main(object.name);
            if (object.kind != Value::Kind::Parameter || object.number != 0) continue;
            const auto member = gathering.captured_handles.find(object.name);
            if (member != gathering.captured_handles.end() && member->second != 0)
                object = in_main(member->second);
        }
    }
}

}  // namespace mqinspect::thread_level::plugin
