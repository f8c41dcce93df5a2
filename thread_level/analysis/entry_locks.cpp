#include "thread_level/analysis/entry_locks.h"

#include <algorithm>

namespace mqinspect::thread_level {
namespace {

bool has(StateSet states, int state) {
    return (states >> state & 1) != 0;
}

std::size_t index(int state) {
    return static_cast<std::size_t>(state);
}

}  // namespace

EntryLocks::EntryLocks(const Program& program,
                       const Contexts& contexts,
                       Summaries& summaries,
                       const Handles& handles,
                       bool or_assured)
    : program_(program),
      contexts_(contexts),
      summaries_(summaries),
      handles_(handles),
      or_assured_(or_assured),
      entries_(program.nodes()) {
    for (Node node = 0; node < program.nodes(); ++node) {
        // Nothing is held by what all other threads have ended before.
        const bool is_serial = (contexts.entered(node) & ~set_of(State::Serial)) == 0;
        for (int state = 0; state < kAllStates; ++state) {
            const bool is_start = has(contexts.from_outside(node), state) ||
                                  contexts.witness(node, state).from == kNone;
            entries_[node][index(state)] = is_serial || is_start ? Hold::None : Hold::Sure;
        }
    }
    // Callers first. It only gets less, so that few nodes come again.
    is_open_.assign(program.nodes(), true);
    const auto& components = program.components();
    for (auto component = components.rbegin(); component != components.rend(); ++component)
        open_.insert(open_.end(), component->begin(), component->end());
    while (!open_.empty()) {
        const Node node = open_.front();
        open_.pop_front();
        is_open_[node] = false;
        pass_on(node);
    }
}

Hold EntryLocks::held(Node node, StateSet states) const {
    const auto entered = static_cast<StateSet>(states & contexts_.entered(node));
    if (entered == 0) return Hold::None;
    Hold least = Hold::Sure;
    for (int state = 0; state < kAllStates; ++state) {
        if (has(entered, state)) least = std::min(least, entries_[node][index(state)]);
    }
    return least;
}

void EntryLocks::pass_on(Node node) {
    for (const CallEdge& edge : program_.calls(node)) {
        for (int state = 0; state < kAllStates; ++state) {
            if (has(contexts_.entered(node), state)) pass_on(node, state, edge);
        }
    }
}

void EntryLocks::pass_on(Node node, int state, const CallEdge& edge) {
    auto states = static_cast<StateSet>(1U << static_cast<unsigned>(state));
    Hold hold = entries_[node][index(state)];
    if (edge.kind != CallKind::Dispatch) {
        const RegionId region = program_.steps(node)[edge.step].region;
        states = edge.kind == CallKind::Start ? contexts_.state_of_thread(node, edge.step)
                                              : contexts_.states_in(node, region, states);
        const Hold here = held_at(node, state, edge.step);
        hold = summaries_.held_at(node, edge.step).is_reset ? here : std::max(here, hold);
        const bool is_serial = state == static_cast<int>(State::Serial);
        const Level assured =
            std::max(contexts_.assured(node, state), contexts_.assured_in(node, region, is_serial));
        if (or_assured_ && assured == Level::Multiple) hold = Hold::Sure;
    }
    for (int entered = 0; entered < kAllStates; ++entered) {
        Hold& entry = entries_[edge.to][index(entered)];
        if (!has(states, entered) || entry <= hold) continue;
        entry = hold;
        if (is_open_[edge.to]) continue;
        is_open_[edge.to] = true;
        open_.push_back(edge.to);
    }
}

Hold EntryLocks::held_at(Node node, int state, StepId step) const {
    const HeldAtCall here = summaries_.held_at(node, step);
    const Hold sure = strength_of(here.exclusions, node, state);
    if (sure != Hold::None) return sure;
    if (here.perhaps != 0) return Hold::Perhaps;
    return here.presumed != 0 ? Hold::Presumed : Hold::None;
}

/// Of what `node`, entered in that state, holds.
Hold EntryLocks::strength_of(ExclusionSet exclusions, Node node, int state) const {
    if (exclusions == 0) return Hold::None;
    Hold most = Hold::None;
    for (const ExclusionId id : summaries_.exclusions().members(exclusions)) {
        const Sameness same =
            handles_.same_lock(summaries_.exclusions()[id], node, has(kInTeam, state));
        Hold one = Hold::Sure;
        if (same == Sameness::Unknown) one = Hold::Perhaps;
        if (same == Sameness::Different) one = Hold::None;
        most = std::max(most, one);
    }
    return most;
}

}  // namespace mqinspect::thread_level
