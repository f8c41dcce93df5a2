#include "thread_level/gcc_plugin/packaged_tasks.h"

#include <algorithm>
#include <unordered_set>

#include "thread_level/analysis/joined_threads.h"
#include "thread_level/facts/library_functions.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool is_of_library(const Gathering& gathering, StringId symbol) {
    return is_of_standard_library(gathering.unit.strings[symbol]);
}

/// Types of tasks that functions of the program call.
std::unordered_set<StringId> called_types(const Gathering& gathering) {
    std::unordered_set<StringId> types;
    for (const Task& task : gathering.tasks)
        types.insert(task.type);
    std::unordered_set<StringId> called;
    for (const Function& function : gathering.unit.functions) {
        if (is_of_library(gathering, function.symbol)) continue;
        for (const Step& step : function.steps) {
            if (step.kind == StepKind::Indirect && step.is_virtual && types.contains(step.name))
                called.insert(step.name);
        }
    }
    for (const StringId type : gathering.started_tasks)
        called.erase(type);
    return called;
}

/// The functions in tasks of those types, but for what is in several tasks of different types.
std::unordered_map<StringId, StringId> executed_by_calls(const Gathering& gathering) {
    const std::unordered_set<StringId> called = called_types(gathering);
    std::unordered_map<StringId, StringId> types;
    std::unordered_set<StringId> others;
    for (const Task& task : gathering.tasks) {
        const auto [known, is_new] = types.try_emplace(task.function, task.type);
        if (!called.contains(task.type) || known->second != task.type ||
            is_of_library(gathering, task.function))
            others.insert(task.function);
    }
    for (const StringId function : others)
        types.erase(function);
    return types;
}

}  // namespace

std::string_view task_slot(std::string_view symbol) {
    return symbol.substr(std::string_view("_Z").size());
}

StringId task_slot(Gathering& gathering, tree task_type) {
    for (tree member = TYPE_FIELDS(task_type); member != NULL_TREE; member = DECL_CHAIN(member)) {
        if (TREE_CODE(member) != FUNCTION_DECL) continue;
        const std::string& symbol = gathering.unit.strings[gathering.symbol(member)];
        if (calls_task(symbol)) return gathering.intern(std::string(task_slot(symbol)));
    }
    return 0;
}

bool calls_task(std::string_view symbol) {
    return symbol.starts_with("_ZNSt13packaged_taskI") &&
           symbol.find("EEclE") != std::string_view::npos;
}

void settle_packaged_tasks(Gathering& gathering) {
    if (gathering.tasks.empty()) return;
    const std::unordered_map<StringId, StringId> executed = executed_by_calls(gathering);
    for (Function& function : gathering.unit.functions) {
        for (Step& step : function.steps) {
            if (step.kind != StepKind::StartThread || !step.is_virtual) continue;
            step.is_virtual = executed.contains(step.name);
            if (!step.is_virtual) continue;
            step.value = {};
            step.value.kind = Value::Kind::Constant;
            step.value.number = kPackagedTask;
        }
        if (const auto task = executed.find(function.symbol); task != executed.end())
            function.overrides.push_back(task->second);
    }
}

}  // namespace mqinspect::thread_level::plugin
