#include "thread_level/gcc_plugin/only_objects.h"

#include <string_view>
#include <unordered_set>

#include "thread_level/facts/library_functions.h"
#include "thread_level/gcc_plugin/turn_objects.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// By what values call them: variables.
std::unordered_map<StringId, StringId> settled_parts(Gathering& gathering) {
    std::unordered_map<StringId, StringId> settled;
    for (const auto& [name, part] : gathering.lock_parts) {
        const OnlyObject& object = gathering.only_objects[part.of_class];
        if (part.is_bad || object.is_bad || object.name == 0 ||
            (object.owner != 0 && !is_main_program(gathering.unit.strings[object.owner])))
            continue;
        const Strings& strings = gathering.unit.strings;
        const std::string variable = strings[object.name] + strings[part.member];
        settled[name] = gathering.intern(variable);
    }
    return settled;
}

}  // namespace

bool is_in_cycle(basic_block block, basic_block without) {
    std::unordered_set<int> seen;
    if (without != nullptr) seen.insert(without->index);
    if (block == without) return false;
    std::vector<basic_block> open{block};
    while (!open.empty()) {
        basic_block from = open.back();
        open.pop_back();
        edge e = nullptr;
        edge_iterator at;
        FOR_EACH_EDGE(e, at, from->succs) {
            if (e->dest == block) return true;
            if (seen.insert(e->dest->index).second) open.push_back(e->dest);
        }
    }
    return false;
}

unsigned class_number(tree type) {
    return TYPE_UID(TYPE_MAIN_VARIANT(type));
}

Part part_in(tree reference) {
    Part part;
    while (TREE_CODE(reference) == COMPONENT_REF) {
        part.path.insert(0, std::string(".") + own_name(TREE_OPERAND(reference, 1)));
        reference = TREE_OPERAND(reference, 0);
    }
    const bool is_object =
        TREE_CODE(reference) == MEM_REF && integer_zerop(TREE_OPERAND(reference, 1));
    if (is_object || VAR_P(reference)) part.whole = reference;
    return part;
}

void lose_objects_of_loops(Gathering& gathering,
                           const std::vector<TurnUses::Allocation>& allocations) {
    const Strings& strings = gathering.unit.strings;
    for (const TurnUses::Allocation& one : allocations) {
        basic_block block = gimple_bb(one.call);
        if (block != nullptr && !is_in_cycle(block)) continue;
        const std::string base = strings[one.name] + '.';
        for (auto& [number, object] : gathering.only_objects) {
            if (object.name == one.name || strings[object.name].starts_with(base))
                object.is_bad = true;
        }
    }
}

void note_lock_part(Gathering& gathering, tree reference, StringId name) {
    const Part found = part_in(reference);
    if (found.whole == NULL_TREE || TREE_CODE(found.whole) != MEM_REF) return;
    LockPart part;
    part.of_class = class_number(TREE_TYPE(found.whole));
    part.member = gathering.intern(found.path);
    part.is_bad = !is_followed_class(TREE_TYPE(found.whole));
    const auto [known, is_new] = gathering.lock_parts.try_emplace(name, part);
    if (is_new) return;
    known->second.is_bad = known->second.is_bad || part.is_bad ||
                           known->second.of_class != part.of_class ||
                           known->second.member != part.member;
}

void settle_lock_parts(Gathering& gathering) {
    const std::unordered_map<StringId, StringId> settled = settled_parts(gathering);
    std::unordered_set<StringId> variables;
    for (const auto& [name, variable] : settled)
        variables.insert(variable);
    for (Function& function : gathering.unit.functions) {
        const std::string start = gathering.unit.strings[function.symbol] + '/';
        for (Step& step : function.steps) {
            const bool is_lock = step.kind == StepKind::Acquire || step.kind == StepKind::Release;
            if (!is_lock || step.turn != Turn::No || step.value.name == 0) continue;
            StringId variable = 0;
            if (step.value.kind == Value::Kind::Local) {
                variable = gathering.intern(start + gathering.unit.strings[step.value.name]);
                if (variables.count(variable) == 0) continue;
            } else if (const auto part = settled.find(step.value.name); part != settled.end()) {
                variable = part->second;
            } else {
                continue;
            }
            step.value = {};
            step.value.kind = Value::Kind::Global;
            step.value.name = variable;
        }
    }
}

}  // namespace mqinspect::thread_level::plugin
