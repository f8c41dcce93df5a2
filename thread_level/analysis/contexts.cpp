#include "thread_level/analysis/contexts.h"

#include <algorithm>

#include "thread_level/analysis/initializations.h"
#include "thread_level/analysis/main_thread.h"
#include "thread_level/facts/relations.h"

namespace mqinspect::thread_level {
Contexts::Contexts(const Program& program, const Settings& settings)
    : program_(program),
      entered_(program.nodes(), 0),
      outside_(program.nodes(), 0),
      is_below_outside_(program.nodes(), false),
      entries_(program.nodes()),
      transfers_(program.nodes()) {
    main_ = main_of(program);
    main_thread_ = start_of_main_thread(program, main_);
    run(settings);
    find_refuted();
    find_passed();
    if (refuted_.empty()) return;
    std::fill(entered_.begin(), entered_.end(), 0);
    std::fill(outside_.begin(), outside_.end(), 0);
    std::fill(is_below_outside_.begin(), is_below_outside_.end(), false);
    std::fill(entries_.begin(), entries_.end(), std::array<Entry, kAllStates>());
    run(settings);
}

void Contexts::run(const Settings& settings) {
    const int state_of_main = main_thread_ ? kForeign : 0;
    if (main_ != kNone) enter(main_, state_of_main, {}, Level::Single);
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        if (program_.unit().functions[id].runs_at_start)
            enter(id, state_of_main, {}, Level::Single);
    }
    if (!settings.whole_program || main_ == kNone) enter_from_outside(settings);
    propagate();
    if (!settings.whole_program || main_ == kNone) {
        enter_forgotten(settings);
        propagate();
        find_below_outside();
    }
}

/// By what is known of all states in which calls may come.
void Contexts::find_refuted() {
    AskedArguments asked = asked_arguments();
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        if (entered_[id] == 0) continue;
        const std::span<const Region> regions = program_.regions(id);
        for (RegionId region = 1; region < regions.size(); ++region) {
            if (!asks_argument(regions[region])) continue;
            const StateSet may_be = asked.may_be_entered(id, asked.asked_in(id, region));
            const auto refuted = static_cast<StateSet>(entered_[id] & ~may_be);
            if (refuted != 0) refuted_[{id, region}] = refuted;
        }
    }
}

/// Where nothing is initialized any more. Who comes in from outside does so behind main().
void Contexts::find_passed() {
    std::vector<ComingIn> comings;
    const int state_of_main = main_thread_ ? kForeign : 0;
    const auto first = static_cast<StateSet>(1U << static_cast<unsigned>(state_of_main));
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        const bool is_root = id == main_ || program_.unit().functions[id].runs_at_start;
        if (is_root) comings.push_back({.function = id, .states = first});
        if (outside_[id] != 0)
            comings.push_back({.function = id, .states = outside_[id], .is_behind_main = true});
    }
    const auto states_of = [this](Node from, int state, const CallEdge& edge) {
        return states_of_call({.node = from, .state = static_cast<std::uint8_t>(state)}, edge);
    };
    for (const auto& [guard, states] : Initializations(program_).find_passed(comings, states_of)) {
        StateSet& refuted = refuted_[guard];
        refuted = static_cast<StateSet>(refuted | states);
    }
}

AskedArguments Contexts::asked_arguments() const {
    return {program_,
            entered_,
            outside_,
            [this](const CallerEdge& caller, FunctionId function, StateSet states) {
                return states_by(caller, function, states);
            }};
}

/// In which the function is entered by one call, of a caller that is entered in `entry`.
StateSet Contexts::states_by(const CallerEdge& caller, FunctionId function, StateSet entry) const {
    const CallEdge edge{.step = caller.step, .to = function, .kind = caller.kind};
    // Where the level is lower, a region may have no team.
    StateSet states = set_of(State::Serial);
    for (int state = 0; state < kAllStates; ++state) {
        if ((entry >> state & 1) == 0) continue;
        const Pending from{.node = caller.from, .state = static_cast<std::uint8_t>(state)};
        states = static_cast<StateSet>(states | states_of_call(from, edge));
    }
    return states;
}

StateSet Contexts::without_refuted(FunctionId function, RegionId region, StateSet entry) const {
    if (refuted_.empty()) return entry;
    const std::span<const Region> regions = program_.regions(function);
    for (; region != 0 && region < regions.size(); region = regions[region].parent) {
        const auto found = refuted_.find({function, region});
        if (found != refuted_.end()) entry = static_cast<StateSet>(entry & ~found->second);
    }
    return entry;
}

StateSet Contexts::states_in(FunctionId function, RegionId region, StateSet entry) const {
    entry = without_refuted(function, region, entry);
    if (entry == 0) return 0;
    const std::vector<Transfer>& all = transfers(function);
    return region < all.size() ? all[region].apply(entry) : StateSet{0};
}

Level Contexts::assured_in(FunctionId function, RegionId region, bool is_serial) const {
    Level level = Level::Single;
    Level in_team = Level::Single;
    int teams = 0;
    const std::span<const Region> regions = program_.regions(function);
    for (RegionId i = region; i < regions.size(); i = regions[i].parent) {
        level = std::max(level, level_from(program_.assured_by(regions[i])));
        if (!makes_team(regions[i])) continue;
        ++teams;
        in_team = level_from(program_.assured_in_team(regions[i]));
    }
    // Of regions in each other, one may have threads where the other has not.
    return is_serial && teams == 1 ? std::max(level, in_team) : level;
}

void Contexts::enter_from_outside(const Settings& settings) {
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        if (id == main_ || program_.unit().functions[id].is_local) continue;
        outside_[id] = settings.entry_states;
        for (int state = 0; state < kStates; ++state) {
            if ((settings.entry_states >> state & 1) != 0) enter(id, state, {}, Level::Single);
        }
    }
}

/// What is local, but whose address goes somewhere that can't be followed.
void Contexts::enter_forgotten(const Settings& settings) {
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        if (entered_[id] != 0 || !program_.unit().functions[id].address_taken) continue;
        outside_[id] = settings.entry_states;
        for (int state = 0; state < kStates; ++state) {
            if ((settings.entry_states >> state & 1) != 0) enter(id, state, {}, Level::Single);
        }
    }
}

/// Who has the address of a function may call it, whoever else does here.
void Contexts::find_below_outside() {
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        if (outside_[id] != 0 || program_.unit().functions[id].address_taken)
            program_.add_executed(id, is_below_outside_);
    }
}

void Contexts::enter(Node node, int state, const Witness& by, Level assured) {
    Entry& entry = entries_[node][index(state)];
    const auto bit = static_cast<StateSet>(1U << static_cast<unsigned>(state));
    const bool is_new = (entered_[node] & bit) == 0;
    if (!is_new && entry.assured <= assured) return;
    if (is_new || assured < entry.assured) entry.assured = assured;
    if (is_new) entry.by = by;
    entered_[node] = static_cast<StateSet>(entered_[node] | bit);
    pending_.push_back({.node = node, .state = static_cast<std::uint8_t>(state)});
}

void Contexts::propagate() {
    while (!pending_.empty()) {
        const Pending next = pending_.front();
        pending_.pop_front();
        follow(next);
    }
}

void Contexts::follow(const Pending& from) {
    const Level assured = entries_[from.node][from.state].assured;
    const std::span<const Step> steps = program_.steps(from.node);
    for (const CallEdge& edge : program_.calls(from.node)) {
        Witness by{.from = from.node, .step = edge.step, .state = from.state};
        if (edge.kind == CallKind::Dispatch) {
            enter(edge.to, from.state, by, assured);
            continue;
        }
        const StateSet states = states_of_call(from, edge);
        const RegionId region = steps[edge.step].region;
        const bool is_serial = set_of(State::Serial) == (1U << from.state);
        const Level by_guards = std::max(assured, assured_in(from.node, region, false));
        const Level here = std::max(by_guards, assured_in(from.node, region, is_serial));
        // Where the level is lower, the region has no team.
        if (here != by_guards && edge.kind == CallKind::Call && states != 0)
            enter(edge.to, 0, by, by_guards);
        for (int state = 0; state < kAllStates; ++state) {
            if ((states >> state & 1) != 0) enter(edge.to, state, by, here);
        }
    }
}

StateSet Contexts::state_of_thread(Node from, StepId step) const {
    const bool is_main = main_thread_ && main_thread_->from == from && main_thread_->step == step;
    return is_main ? set_of(State::Serial) : kForeignSet;
}

StateSet Contexts::states_of_call(const Pending& from, const CallEdge& edge) const {
    const RegionId region = program_.steps(from.node)[edge.step].region;
    const auto entry = static_cast<StateSet>(1U << from.state);
    if (program_.is_function(from.node) && without_refuted(from.node, region, entry) == 0) return 0;
    const StateSet states = transfers(from.node)[region].from(from.state);
    if (edge.kind == CallKind::Start)
        return states == 0 ? states : state_of_thread(from.node, edge.step);
    const bool ends = edge.kind == CallKind::Call &&
                      (program_.is_way_out(from.node, edge.step) || program_.ends_process(edge.to));
    return ends ? static_cast<StateSet>(states & kOutsideOfTeams) : states;
}

/// Of a guard in a team, as if that were made under `if (omp_get_thread_num() == 0)`.
Transfer Contexts::transfer_of_first(std::span<const Region> regions,
                                     RegionId guard,
                                     const std::vector<Transfer>& all) const {
    std::vector<RegionId> inside;
    RegionId team = regions[guard].parent;
    for (; team != 0 && !has_own_team(regions[team]); team = regions[team].parent)
        inside.push_back(team);
    if (team == 0) return all[regions[guard].parent];
    inside.push_back(team);
    Region zero;
    zero.kind = RegionKind::Guard;
    Transfer transfer = all[regions[team].parent].then(Transfer(zero, Condition::ThreadIsZero, 0));
    for (auto id = inside.rbegin(); id != inside.rend(); ++id) {
        const ResolvedCondition said = program_.condition(regions[*id]);
        transfer = transfer.then(Transfer(regions[*id], said.condition, said.number));
    }
    return transfer;
}

const std::vector<Transfer>& Contexts::transfers(Node node) const {
    std::vector<Transfer>& all = transfers_[node];
    if (!all.empty()) return all;
    const std::span<const Region> regions = program_.regions(node);
    all.resize(std::max<std::size_t>(regions.size(), 1));
    for (std::size_t i = 1; i < regions.size(); ++i) {
        const ResolvedCondition said = program_.condition(regions[i]);
        all[i] =
            said.condition == Condition::OuterIsZero
                ? transfer_of_first(regions, static_cast<RegionId>(i), all)
                : all[regions[i].parent].then(Transfer(regions[i], said.condition, said.number));
    }
    return all;
}

}  // namespace mqinspect::thread_level
