#include "thread_level/gcc_plugin/step_graph.h"

#include <algorithm>
#include <utility>

namespace mqinspect::thread_level::plugin {
namespace {

class Reduction {
public:
    explicit Reduction(std::vector<Step>& steps) : steps_(steps) {}

    std::vector<StepId> run() {
        find_reachable();
        find_predecessors();
        for (StepId step = 1; step < steps_.size(); ++step)
            waiting_.push_back(step);
        while (!waiting_.empty()) {
            const StepId step = waiting_.back();
            waiting_.pop_back();
            if (is_idle(step)) bypass(step);
        }
        return renumber();
    }

private:
    void find_reachable() {
        alive_.assign(steps_.size(), false);
        std::vector<StepId> open{0};
        alive_[0] = true;
        while (!open.empty()) {
            const StepId step = open.back();
            open.pop_back();
            for (const StepId next : steps_[step].next) {
                if (alive_[next]) continue;
                alive_[next] = true;
                open.push_back(next);
            }
        }
    }

    void find_predecessors() {
        predecessors_.assign(steps_.size(), {});
        for (StepId step = 0; step < steps_.size(); ++step) {
            std::vector<StepId>& next = steps_[step].next;
            std::sort(next.begin(), next.end());
            next.erase(std::unique(next.begin(), next.end()), next.end());
            if (!alive_[step]) continue;
            for (const StepId successor : next)
                predecessors_[successor].push_back(step);
        }
    }

    bool is_idle(StepId step) const {
        if (!alive_[step] || steps_[step].kind != StepKind::Join) return false;
        const std::size_t in = predecessors_[step].size();
        const std::size_t out = steps_[step].next.size();
        return in * out <= in + out;
    }

    static void remove(std::vector<StepId>& list, StepId step) {
        list.erase(std::remove(list.begin(), list.end(), step), list.end());
    }
    static void insert(std::vector<StepId>& list, StepId step) {
        if (std::find(list.begin(), list.end(), step) == list.end()) list.push_back(step);
    }

    void bypass(StepId step) {
        alive_[step] = false;
        std::vector<StepId> next = std::move(steps_[step].next);
        std::vector<StepId> before = std::move(predecessors_[step]);
        remove(next, step);
        remove(before, step);
        for (const StepId successor : next)
            remove(predecessors_[successor], step);
        for (const StepId predecessor : before) {
            remove(steps_[predecessor].next, step);
            for (const StepId successor : next) {
                // A step that does nothing needs no way back to itself.
                if (predecessor == successor && steps_[predecessor].kind == StepKind::Join)
                    continue;
                insert(steps_[predecessor].next, successor);
                insert(predecessors_[successor], predecessor);
            }
        }
        for (const auto* list : {&next, &before}) {
            for (const StepId neighbour : *list)
                if (neighbour != 0) waiting_.push_back(neighbour);
        }
    }

    std::vector<StepId> renumber() {
        std::vector<StepId> numbers(steps_.size(), kNone);
        StepId count = 0;
        for (StepId step = 0; step < steps_.size(); ++step)
            if (alive_[step]) numbers[step] = count++;
        for (StepId step = 0; step < steps_.size(); ++step) {
            if (!alive_[step]) continue;
            for (StepId& next : steps_[step].next)
                next = numbers[next];
            std::sort(steps_[step].next.begin(), steps_[step].next.end());
            if (numbers[step] != step) steps_[numbers[step]] = std::move(steps_[step]);
        }
        steps_.resize(count);
        return numbers;
    }

    std::vector<Step>& steps_;
    std::vector<bool> alive_;
    std::vector<std::vector<StepId>> predecessors_;
    std::vector<StepId> waiting_;
};

bool is_inside(const Function& function, RegionId region, RegionId outer) {
    while (region != outer && region != 0)
        region = function.regions[region].parent;
    return region == outer;
}

}  // namespace

std::vector<StepId> reduce(std::vector<Step>& steps) {
    return steps.empty() ? std::vector<StepId>{} : Reduction(steps).run();
}

void drop_level_tests(Function& function) {
    const std::vector<Step>& steps = function.steps;
    const auto ends = [&](StepId step) {
        return steps[step].kind == StepKind::Exit ||
               (steps[step].kind == StepKind::Join && steps[step].next.empty());
    };
    for (RegionId guard = 1; guard < function.regions.size(); ++guard) {
        if (function.regions[guard].condition != Condition::LevelAtLeast) continue;
        const bool goes_on = std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
            return is_inside(function, step.region, guard) &&
                   std::any_of(step.next.begin(), step.next.end(), [&](StepId next) {
                       return !is_inside(function, steps[next].region, guard) && !ends(next);
                   });
        });
        if (!goes_on) function.regions[guard].condition = Condition::None;
    }
}

void drop_idle_guards(Function& function) {
    std::vector<Region>& regions = function.regions;
    std::vector<bool> used(regions.size(), false);
    for (const Step& step : function.steps) {
        if (step.kind != StepKind::Join) used[step.region] = true;
    }
    for (RegionId region = static_cast<RegionId>(regions.size()); region-- > 1;) {
        const Region& r = regions[region];
        if (r.kind == RegionKind::Guard && r.condition == Condition::None) used[region] = false;
        if (r.kind != RegionKind::Guard) used[region] = true;
        if (used[region]) used[r.parent] = true;
    }
    std::vector<RegionId> numbers(regions.size(), 0);
    RegionId count = 1;
    for (RegionId region = 1; region < regions.size(); ++region) {
        Region& r = regions[region];
        if (r.kind == RegionKind::Guard && (!used[region] || r.condition == Condition::None)) {
            numbers[region] = numbers[r.parent];
            continue;
        }
        numbers[region] = count;
        r.parent = numbers[r.parent];
        if (count != region) regions[count] = std::move(r);
        ++count;
    }
    regions.resize(count);
    for (Step& step : function.steps) {
        step.region = numbers[step.region];
        if (step.target != kNone) step.target = numbers[step.target];
    }
}

}  // namespace mqinspect::thread_level::plugin
