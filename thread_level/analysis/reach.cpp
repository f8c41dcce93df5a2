#include "thread_level/analysis/reach.h"

#include <span>

#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {

Reach::Reach(const Program& program, FunctionId function, StepId step)
    : program_(program), reached_(program.nodes()), returns_(program.nodes(), false) {
    const std::span<const Region> regions = program.regions(function);
    for (RegionId region = program.steps(function)[step].region; region != 0;
         region = regions[region].parent)
        is_open_ = is_open_ || has_own_team(regions[region]);
    returns_[function] = true;
    for (const StepId next : program.steps(function)[step].next)
        add_steps(function, next);
    walk();
}

bool Reach::has(FunctionId function, StepId step) const {
    return step < reached_[function].size() && reached_[function][step];
}

void Reach::add(Node function) {
    add_steps(function, 0);
    walk();
}

void Reach::add_steps(Node node, StepId step) {
    std::vector<bool>& reached = reached_[node];
    const std::size_t count = program_.is_function(node) ? program_.steps(node).size() : 1;
    reached.resize(count, false);
    if (step >= count || reached[step]) return;
    reached[step] = true;
    left_.emplace_back(node, step);
}

/// To where the node is called: of functions whose end is reached, and that were entered before.
void Reach::return_from(Node node) {
    const bool is_main = program_.is_function(node) && program_.is_main(node);
    if (is_main) return;
    if (program_.callers(node).empty()) is_open_ = true;
    for (const CallerEdge& caller : program_.callers(node)) {
        if (caller.kind == CallKind::Start) is_open_ = true;
        if (caller.kind == CallKind::Call) {
            for (const StepId next : program_.steps(caller.from)[caller.step].next)
                add_steps(caller.from, next);
        }
        if (returns_[caller.from]) continue;
        returns_[caller.from] = true;
        if (caller.kind == CallKind::Dispatch || has_end(caller.from)) return_from(caller.from);
    }
}

/// Whether the end of the function is reached.
bool Reach::has_end(Node node) const {
    const std::span<const Step> steps = program_.steps(node);
    for (StepId step = 0; step < steps.size(); ++step) {
        if (steps[step].kind == StepKind::Exit && has(node, step)) return true;
    }
    return false;
}

void Reach::walk() {
    while (!left_.empty()) {
        const auto [node, step] = left_.back();
        left_.pop_back();
        const bool is_function = program_.is_function(node);
        if (is_function && program_.is_way_out(node, step)) continue;
        for (const CallEdge& edge :
             is_function ? program_.calls_of(node, step) : program_.calls(node))
            add_steps(edge.to, 0);
        if (!is_function) continue;
        for (const StepId next : program_.steps(node)[step].next)
            add_steps(node, next);
        if (program_.steps(node)[step].kind == StepKind::Exit && returns_[node]) return_from(node);
    }
}

}  // namespace mqinspect::thread_level
