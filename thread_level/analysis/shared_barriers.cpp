#include "thread_level/analysis/shared_barriers.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "thread_level/analysis/loops.h"
#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {
namespace {

/// Of one barrier.
struct BarrierUse {
    std::vector<FunctionId> passed_in;
    std::optional<std::int64_t> most;  ///< threads that it is for, of all that initialize it
    std::int64_t threads = 0;          ///< at least so many wait at it
    std::vector<FunctionId> roots;     ///< that they begin with
};

std::map<StringId, BarrierUse> uses_of(const Program& program) {
    std::map<StringId, BarrierUse> uses;
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        for (const Step& step : program.steps(id)) {
            if (step.turn != Turn::Passed) continue;
            BarrierUse& use = uses[step.value.name];
            if (step.kind == StepKind::Acquire) {
                use.passed_in.push_back(id);
                continue;
            }
            constexpr std::int64_t unknown = INT64_MAX;
            const bool is_known =
                !step.arguments.empty() && step.arguments.front().kind == Value::Kind::Constant;
            const std::int64_t number = is_known ? step.arguments.front().number : unknown;
            if (!use.most || *use.most < number) use.most = number;
        }
    }
    return uses;
}

/// Threads that enter the program at `root`, or start there.
void add_threads(const Program& program,
                 FunctionId root,
                 std::int64_t threads,
                 std::map<StringId, BarrierUse>& uses) {
    std::vector<bool> executed(program.nodes(), false);
    program.add_executed(root, executed);
    for (auto& [barrier, use] : uses) {
        for (const FunctionId id : use.passed_in) {
            if (!executed[id]) continue;
            use.threads += threads;
            use.roots.push_back(root);
            break;
        }
    }
}

/// Of all that are `shared` so far, and this one.
void add_shared(StringId barrier,
                const std::map<StringId, BarrierUse>& uses,
                SharedBarriers& shared) {
    constexpr StringId together = 0x8000'0000;  // no text of a unit has such a number
    const BarrierUse& use = uses.at(barrier);
    shared[barrier] = 0;
    for (const auto& [other, other_use] : uses) {
        const auto known = shared.find(other);
        const bool is_like = other != barrier && known != shared.end() &&
                             other_use.roots == use.roots && other_use.most == use.most;
        if (!is_like) continue;
        if (known->second == 0) known->second = together | other;
        shared[barrier] = known->second;
        return;
    }
}

}  // namespace

SharedBarriers shared_barriers(const Program& program) {
    std::map<StringId, BarrierUse> uses = uses_of(program);
    if (uses.empty()) return {};
    const Unit& unit = program.unit();
    for (FunctionId id = 0; id < unit.functions.size(); ++id) {
        std::int64_t threads = program.is_main(id) ? 1 : 0;
        for (const CallerEdge& edge : program.callers(id)) {
            if (edge.kind != CallKind::Start) continue;
            const bool is_repeated =
                !program.is_function(edge.from) || is_in_loop(program.steps(edge.from), edge.step);
            threads += is_repeated ? 2 : 1;
        }
        if (threads != 0) add_threads(program, id, threads, uses);
    }
    SharedBarriers shared;
    for (const auto& [barrier, use] : uses) {
        if (!use.most || use.threads <= *use.most) add_shared(barrier, uses, shared);
    }
    return shared;
}

}  // namespace mqinspect::thread_level
