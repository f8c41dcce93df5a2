#include <algorithm>

#include "thread_level/analysis/barrier_bits.h"
#include "thread_level/analysis/flow.h"

namespace mqinspect::thread_level {

/// OpenMP: "The sequence of worksharing regions and barrier regions encountered must be the same
/// for every thread in a team." So threads between the same two barriers come to the same next one:
/// who is still in a loop with a barrier never meets who has left it.
bool Flow::share_barrier_ahead(Ahead a, Ahead b) {
    const std::uint32_t scope = shape_.scope_of(shape_.steps()[a.step].region);
    if (!has_barrier(scope)) return true;
    look_ahead_once(scope);
    const std::vector<std::uint64_t> first = barriers_ahead(a);
    const std::vector<std::uint64_t> second = barriers_ahead(b);
    // Who never comes to a barrier again may be anywhere while others go on.
    return is_empty(first) || is_empty(second) || meet(first, second);
}

bool Flow::may_end_next(StepId step) {
    const std::uint32_t scope = shape_.scope_of(shape_.steps()[step].region);
    if (!has_barrier(scope)) return true;
    look_ahead_once(scope);
    return has_bit(ahead_[step], 0);
}

void Flow::look_ahead_once(std::uint32_t scope) {
    is_ahead_known_.resize(shape_.scopes().size(), false);
    if (!is_ahead_known_[scope]) look_ahead(scope);
}

std::vector<std::uint64_t> Flow::barriers_ahead(Ahead from) const {
    std::vector<std::uint64_t> bits(ahead_[from.step].size(), 0);
    if (from.is_behind) bits = ahead_[from.step];
    if (from.is_inside && barrier_ids_[from.step] != 0) set_bit(bits, barrier_ids_[from.step]);
    return bits;
}

/// A backward data-flow: what may be the first barrier behind each step.
void Flow::look_ahead(std::uint32_t id) {
    const Scope& scope = shape_.scopes()[id];
    is_ahead_known_[id] = true;
    ahead_.resize(shape_.steps().size());
    for (const StepId step : scope.steps) {
        ahead_[step].assign(words_for(barriers_[id]), 0);
        if (is_scope_end(step, id)) set_bit(ahead_[step], 0);
    }
    const std::uint32_t count = barriers_[id];
    const auto pass = [this, count](StepId step, StepId next) {
        const std::uint32_t barrier = barrier_ids_[next];
        if (barrier == 0) return unite(ahead_[step], ahead_[next]);
        bool changed = !has_bit(ahead_[step], barrier);
        set_bit(ahead_[step], barrier);
        const CallEffect* effect = effect_of(next);
        const bool is_sure = effect == nullptr || effect->must_pass_barrier;
        // Threads that wait at barriers of their own, on ways of their own, are not told apart.
        const Who who = shape_.path(shape_.steps()[next].region).executor.who;
        if (who != Who::All) {
            for (std::uint32_t bit = 0; bit < count; ++bit)
                set_bit(ahead_[step], bit);
        }
        if (!is_sure) changed = unite(ahead_[step], ahead_[next]) || changed;
        return changed;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (auto step = scope.steps.rbegin(); step != scope.steps.rend(); ++step) {
            for (const StepId next : shape_.next(*step)) {
                if (is_excluded_[shape_.steps()[next].region]) continue;
                changed = pass(*step, next) || changed;
            }
        }
    }
}

}  // namespace mqinspect::thread_level
