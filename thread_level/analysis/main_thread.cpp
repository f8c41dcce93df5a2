#include "thread_level/analysis/main_thread.h"

#include <algorithm>
#include <vector>

#include "thread_level/analysis/loops.h"

namespace mqinspect::thread_level {
namespace {

bool initializes(const Program& program, Node node) {
    const std::span<const Step> steps = program.steps(node);
    return std::any_of(steps.begin(), steps.end(), [&program](const Step& step) {
        if (step.kind != StepKind::Mpi) return false;
        const Use use = program.procedure(step.name).use;
        return use == Use::Init || use == Use::InitThread;
    });
}

/// Also as one of several functions that it may be that is started.
bool is_started(const Program& program, Node node) {
    const std::span<const CallerEdge> callers = program.callers(node);
    return std::any_of(callers.begin(), callers.end(), [&program](const CallerEdge& caller) {
        return caller.kind == CallKind::Start ||
               (caller.kind == CallKind::Dispatch && is_started(program, caller.from));
    });
}

/// By the thread that comes in from outside.
std::vector<bool> called_from_outside(const Program& program, FunctionId main) {
    std::vector<bool> called(program.nodes(), false);
    if (main != kNone) program.add_executed(main, called);
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        const Function& function = program.unit().functions[id];
        const bool is_root = function.runs_at_start || (main == kNone && !function.is_local);
        if (is_root && !is_started(program, id)) program.add_executed(id, called);
    }
    return called;
}

}  // namespace

std::optional<CallerEdge> start_of_main_thread(const Program& program, FunctionId main) {
    if (!program.starts_threads()) return std::nullopt;
    const std::vector<bool> outside = called_from_outside(program, main);
    std::vector<bool> initializing(program.nodes(), false);
    for (Node node = 0; node < program.nodes(); ++node) {
        if (!initializes(program, node)) continue;
        if (outside[node]) return std::nullopt;
        initializing[node] = true;
    }
    std::optional<CallerEdge> start;
    for (Node node = 0; node < program.nodes(); ++node) {
        if (!is_started(program, node)) continue;
        std::vector<bool> called(program.nodes(), false);
        program.add_executed(node, called);
        bool is_owner = false;
        for (Node each = 0; each < program.nodes(); ++each)
            is_owner = is_owner || (called[each] && initializing[each]);
        if (!is_owner) continue;
        for (const CallerEdge& caller : program.callers(node)) {
            if (caller.kind != CallKind::Start) continue;
            if (start || !outside[caller.from]) return std::nullopt;
            start = caller;
        }
    }
    if (start && is_in_loop(program.steps(start->from), start->step)) return std::nullopt;
    return start;
}

FunctionId main_of(const Program& program) {
    const Strings& strings = program.unit().strings;
    for (const char* name : {"main", "MAIN__"}) {
        const StringId symbol = strings.find(name);
        const FunctionId main =
            symbol == Strings::kNoString ? FunctionId{kNone} : program.function(symbol);
        if (main != kNone) return main;
    }
    return kNone;
}

bool starts_main_thread(const Program& program, FunctionId from, StepId step) {
    const auto start = start_of_main_thread(program, main_of(program));
    return start && start->from == from && start->step == step;
}

}  // namespace mqinspect::thread_level
