#include "thread_level/analysis/initializations.h"

#include <algorithm>
#include <span>

#include "thread_level/analysis/guarding.h"
#include "thread_level/analysis/sure_bits.h"
#include "thread_level/facts/relations.h"

namespace mqinspect::thread_level {
namespace {

constexpr std::size_t kMostGuards = 63;

bool initializes(const Program& program, const Step& step) {
    if (step.kind != StepKind::Mpi) return false;
    const Use use = program.procedure(step.name).use;
    return use == Use::Init || use == Use::InitThread;
}

/// For a guard: by itself, or by a function.
bool asks(const Program& program, const Step& step, const Region& guard) {
    if (guard.wrapper != 0) return step.kind == StepKind::Call && step.name == guard.wrapper;
    return step.kind == StepKind::Mpi && program.unit().strings[step.name] == "MPI_Initialized";
}

}  // namespace

Initializations::Initializations(const Program& program) : program_(program) {
    find_guards();
    if (guards_.empty()) return;
    find_relevant();
    effects_.assign(program.nodes(), 0);
    for (const std::vector<Node>& component : program.components()) {
        for (const Node node : component) {
            if (program.is_function(node) && relevant_[node]) find_effect(node);
        }
    }
    const auto counts = [](const Guard& guard) { return guard.bit == 0 || guard.initializes; };
    if (std::ranges::none_of(guards_, counts)) guards_.clear();
}

void Initializations::find_guards() {
    std::size_t bits = 0;
    std::map<StringId, Done> by_flag;
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        const std::span<const Region> regions = program_.regions(id);
        for (RegionId region = 1; region < regions.size(); ++region) {
            const bool is_asked =
                may_ask_for_initialized(regions[region]) &&
                program_.condition(regions[region]).condition == Condition::NotInitialized;
            if (!is_asked &&
                (!is_until_initialized(regions[region]) || finds_no_thread(regions[region])))
                continue;
            Guard guard{.function = id, .region = region};
            if (has_flag(regions[region]) || makes_static(regions[region])) {
                const StringId flag = regions[region].tested.name;
                const auto known = by_flag.find(flag);
                if (known == by_flag.end() && bits == kMostGuards) continue;
                guard.bit = known == by_flag.end() ? Done{1} << ++bits : known->second;
                if (flag != 0) by_flag[flag] = guard.bit;
            }
            guards_of_[id].push_back(guards_.size());
            guards_.push_back(guard);
        }
    }
}

void Initializations::find_relevant() {
    relevant_.assign(program_.nodes(), false);
    std::vector<Node> open;
    const auto add = [&](Node node) {
        if (!relevant_[node]) open.push_back(node);
        relevant_[node] = true;
    };
    for (const Guard& guard : guards_)
        add(guard.function);
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        if (std::ranges::any_of(program_.steps(id),
                                [this](const Step& step) { return initializes(program_, step); }))
            add(id);
    }
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        for (const CallerEdge& caller : program_.callers(node))
            add(caller.from);
    }
}

/// Whether who comes by executes it, whichever thread that is.
bool Initializations::is_plain(FunctionId function, RegionId region) const {
    const std::span<const Region> regions = program_.regions(function);
    while (region != 0 && regions[region].kind == RegionKind::Guard)
        region = regions[region].parent;
    return region == 0;
}

Initializations::Done Initializations::done_by(FunctionId function, StepId id) const {
    const Step& step = program_.steps(function)[id];
    if (!is_plain(function, step.region)) return 0;
    if (initializes(program_, step)) return kInitialized;
    if (step.kind != StepKind::Call) return 0;
    const FunctionId callee = program_.function(step.name);
    return callee == kNone ? Done{0} : effects_[callee];
}

/// By the guards around.
Initializations::Done Initializations::known_in(FunctionId function, RegionId region) const {
    const auto own = guards_of_.find(function);
    if (own == guards_of_.end()) return 0;
    Done known = 0;
    const std::span<const Region> regions = program_.regions(function);
    for (; region != 0; region = regions[region].parent) {
        for (const std::size_t number : own->second) {
            const Guard& guard = guards_[number];
            if (!is_past(regions[region], regions[guard.region])) continue;
            known |= guard.bit;
            if (guard.bit == 0 || guard.initializes) known |= kInitialized;
        }
    }
    return known;
}

/// In front of each step; nothing: nobody comes there.
std::vector<std::optional<Initializations::Done>> Initializations::before_steps(
    FunctionId function, Done at_entry) const {
    const std::span<const Step> steps = program_.steps(function);
    const std::span<const Region> regions = program_.regions(function);
    const auto own = guards_of_.find(function);
    return sure_before(steps, at_entry, [&](StepId id, Done done) {
        const RegionId region = steps[id].region;
        Done behind = done | done_by(function, id) | known_in(function, region);
        if (own == guards_of_.end()) return behind;
        for (const std::size_t number : own->second) {
            if (is_inside(regions, region, guards_[number].region)) behind |= guards_[number].bit;
        }
        return behind;
    });
}

/// What is sure to be done when the function returns, and in its guards.
void Initializations::find_effect(FunctionId function) {
    const std::span<const Step> steps = program_.steps(function);
    if (const auto own = guards_of_.find(function); own != guards_of_.end()) {
        for (const std::size_t number : own->second) {
            Guard& guard = guards_[number];
            for (StepId id = 0; id < steps.size(); ++id) {
                const bool is_here = steps[id].region == guard.region;
                if (is_here && (done_by(function, id) & kInitialized) != 0)
                    guard.initializes = true;
            }
        }
    }
    const auto before = before_steps(function, 0);
    Done done = kAll;
    for (StepId id = 0; id < steps.size(); ++id) {
        if (steps[id].kind == StepKind::Exit && before[id]) done &= *before[id];
    }
    effects_[function] = done;
}

void Initializations::enter(Node node, int state, Done done) {
    if (!relevant_[node]) return;
    Entry& entry = entries_[node][static_cast<std::size_t>(state)];
    const Done joined = entry.done.value_or(kAll) & done;
    if (entry.done == joined) return;
    entry.done = joined;
    if (!entry.is_open) open_.emplace_back(node, state);
    entry.is_open = true;
}

void Initializations::follow(Node node, int state, const StatesOfCall& states) {
    const Done at_entry = *entries_[node][static_cast<std::size_t>(state)].done;
    const auto before = program_.is_function(node) ? before_steps(node, at_entry)
                                                   : std::vector<std::optional<Done>>();
    for (const CallEdge& edge : program_.calls(node)) {
        if (edge.kind == CallKind::Dispatch) {
            enter(edge.to, state, at_entry);
            continue;
        }
        if (!relevant_[edge.to] || !before[edge.step]) continue;
        const RegionId region = program_.steps(node)[edge.step].region;
        const Done done = *before[edge.step] | known_in(node, region);
        const StateSet into = states(node, state, edge);
        for (int to = 0; to < kAllStates; ++to) {
            if ((into >> to & 1) != 0) enter(edge.to, to, done);
        }
    }
}

/// MPI has been asked when all was done that the guard is until, or the way comes there then.
bool Initializations::is_passed(const Guard& guard, int state) const {
    const Entry& entry = entries_[guard.function][static_cast<std::size_t>(state)];
    // What makes other static variables has nothing to do with it.
    if (!entry.done || (guard.bit != 0 && !guard.initializes)) return false;
    const std::span<const Step> steps = program_.steps(guard.function);
    const std::span<const Region> regions = program_.regions(guard.function);
    const auto before = before_steps(guard.function, *entry.done);
    const Done asked_for = guard.bit != 0 ? guard.bit : kInitialized;
    bool is_asked = false;
    for (StepId id = 0; id < steps.size(); ++id) {
        const bool counts = guard.bit != 0 ? is_inside(regions, steps[id].region, guard.region)
                                           : asks(program_, steps[id], regions[guard.region]);
        if (!counts || !before[id]) continue;
        if ((*before[id] & asked_for) == 0) return false;
        is_asked = true;
    }
    return is_asked;
}

StatesByGuard Initializations::find_passed(const std::vector<ComingIn>& comings,
                                           const StatesOfCall& states) {
    StatesByGuard passed;
    if (guards_.empty()) return passed;
    entries_.assign(program_.nodes(), std::vector<Entry>(kAllStates));
    Done by_main = 0;
    for (const ComingIn& coming : comings) {
        if (program_.is_main(coming.function)) by_main = effects_[coming.function];
    }
    for (const ComingIn& coming : comings) {
        for (int state = 0; state < kAllStates; ++state) {
            if ((coming.states >> state & 1) != 0)
                enter(coming.function, state, coming.is_behind_main ? by_main : 0);
        }
    }
    while (!open_.empty()) {
        const auto [node, state] = open_.back();
        open_.pop_back();
        entries_[node][static_cast<std::size_t>(state)].is_open = false;
        follow(node, state, states);
    }
    for (const Guard& guard : guards_) {
        for (int state = 0; state < kAllStates; ++state) {
            if (!is_passed(guard, state)) continue;
            StateSet& all = passed[{guard.function, guard.region}];
            all = static_cast<StateSet>(all | 1U << static_cast<unsigned>(state));
        }
    }
    return passed;
}

}  // namespace mqinspect::thread_level
