#include "thread_level/analysis/entry_locks.h"

namespace mqinspect::thread_level {
namespace {

bool has(StateSet states, int state) {
    return (states >> state & 1) != 0;
}

}  // namespace

EntryLocks::EntryLocks(const Program& program, const Contexts& contexts, Summaries& summaries)
    : program_(program), contexts_(contexts), summaries_(summaries), entries_(program.nodes()) {
    for (Node node = 0; node < program.nodes(); ++node) {
        for (int state = 0; state < kAllStates; ++state) {
            if (has(contexts.from_outside(node), state))
                entries_[node][static_cast<std::size_t>(state)].is_known = true;
        }
    }
    // Callers first; what only a cycle tells comes in the next round. Sets only shrink.
    const auto& components = program.components();
    for (bool changed = true; changed;) {
        changed = false;
        for (auto component = components.rbegin(); component != components.rend(); ++component) {
            for (const Node node : *component)
                changed = pass_on(node) || changed;
        }
    }
}

ExclusionSet EntryLocks::held(Node node, StateSet states) {
    bool is_first = true;
    ExclusionSet result = 0;
    for (int state = 0; state < kAllStates; ++state) {
        if (!has(static_cast<StateSet>(states & contexts_.entered(node)), state)) continue;
        const Entry& entry = entries_[node][static_cast<std::size_t>(state)];
        result = is_first ? entry.held : summaries_.exclusions().intersect(result, entry.held);
        is_first = false;
    }
    return result;
}

ExclusionSet EntryLocks::perhaps_held(Node node, StateSet states) {
    bool is_first = true;
    ExclusionSet result = 0;
    for (int state = 0; state < kAllStates; ++state) {
        if (!has(static_cast<StateSet>(states & contexts_.entered(node)), state)) continue;
        const Entry& entry = entries_[node][static_cast<std::size_t>(state)];
        result =
            is_first ? entry.perhaps : summaries_.exclusions().intersect(result, entry.perhaps);
        is_first = false;
    }
    return result;
}

bool EntryLocks::pass_on(Node node) {
    bool changed = false;
    for (const CallEdge& edge : program_.calls(node)) {
        // Nothing can be held by what all other threads have ended before.
        if ((contexts_.entered(edge.to) & ~set_of(State::Serial)) == 0) continue;
        for (int state = 0; state < kAllStates; ++state) {
            if (has(contexts_.entered(node), state))
                changed = pass_on(node, state, edge) || changed;
        }
    }
    return changed;
}

bool EntryLocks::pass_on(Node node, int state, const CallEdge& edge) {
    const Entry from = entries_[node][static_cast<std::size_t>(state)];
    HeldAtCall here;
    auto states = static_cast<StateSet>(1U << static_cast<unsigned>(state));
    if (edge.kind != CallKind::Dispatch) {
        here = summaries_.held_at(node, edge.step);
        const RegionId region = program_.steps(node)[edge.step].region;
        states =
            edge.kind == CallKind::Start ? kForeignSet : contexts_.states_in(node, region, states);
    }
    Exclusions& exclusions = summaries_.exclusions();
    ExclusionSet held = here.exclusions;
    ExclusionSet perhaps = exclusions.unite(here.exclusions, here.perhaps);
    if (!here.is_reset) {
        held = exclusions.unite(held, from.held);
        perhaps = exclusions.unite(perhaps, from.perhaps);
    }
    bool changed = false;
    for (int entered = 0; entered < kAllStates; ++entered) {
        if (has(states, entered)) {
            Entry& entry = entries_[edge.to][static_cast<std::size_t>(entered)];
            changed = lower(entry, held, perhaps) || changed;
        }
    }
    return changed;
}

bool EntryLocks::lower(Entry& entry, ExclusionSet held, ExclusionSet perhaps) {
    if (!entry.is_known) {
        entry = {.is_known = true, .held = held, .perhaps = perhaps};
        return true;
    }
    Exclusions& exclusions = summaries_.exclusions();
    const ExclusionSet both = exclusions.intersect(entry.held, held);
    const ExclusionSet both_perhaps = exclusions.intersect(entry.perhaps, perhaps);
    const bool changed = both != entry.held || both_perhaps != entry.perhaps;
    entry.held = both;
    entry.perhaps = both_perhaps;
    return changed;
}

}  // namespace mqinspect::thread_level
