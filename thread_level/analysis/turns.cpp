#include "thread_level/analysis/turns.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <unordered_set>

#include "thread_level/analysis/hasty_writes.h"
#include "thread_level/analysis/latches.h"
#include "thread_level/analysis/loops.h"
#include "thread_level/analysis/possible_values.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/states.h"
#include "thread_level/analysis/turn_values.h"

namespace mqinspect::thread_level {
namespace {

class TurnFinder {
public:
    explicit TurnFinder(const Program& program) : program_(program), writes_(program) {}

    Turns run();

private:
    void note(const Step& step);
    void find_unsure();
    void find_either();
    void add_thread(FunctionId id);
    bool starts_behind(std::span<const CallerEdge> callers, StringId latch) const;
    void find_job_counts();
    void add_job_counts(FunctionId id);
    void add_latches(FunctionId id);
    void add_starts(FunctionId id);
    void add_writes(FunctionId id);
    void add_hasty_writes(StringId variable, const Starters& starters);
    void add_teams(FunctionId id);
    bool is_own(FunctionId id,
                const CallerEdge& start,
                const std::vector<bool>& executed,
                StringId variable,
                std::int64_t value,
                bool is_known) const;
    bool is_of_starter(StringId variable, std::int64_t value) const;
    bool is_in_turn(TurnWrite at,
                    StringId variable,
                    std::int64_t value,
                    bool by_starter = false,
                    int depth = 0) const;
    bool is_in_turn(const std::vector<TurnWrite>& way,
                    StringId variable,
                    std::optional<std::int64_t> value) const;
    bool is_number(StringId variable) const { return thread_level::is_number(turns_, variable); }
    const TurnValues& values_of(FunctionId id);
    TurnValues::State values_at_start(FunctionId id);

    const Program& program_;
    TurnWrites writes_;
    std::unordered_map<FunctionId, TurnValues> values_;
    Turns turns_;
    std::unordered_set<FunctionId> asked_;  // whose callers are being asked
};

Turns TurnFinder::run() {
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        for (const Step& step : program_.steps(id))
            note(step);
    }
    find_unsure();
    find_job_counts();
    find_either();
    turns_.barriers = shared_barriers(program_);
    turns_.latches_before = latches_before(program_);
    for (const StringId variable : turns_.unsure)
        turns_.barriers.erase(variable);
    turns_.tokens = tokens_of(program_, turns_.unsure);
    turns_.unsure.insert(turns_.tokens.overfull.begin(), turns_.tokens.overfull.end());
    for (FunctionId id = 0; id < program_.unit().functions.size() && !writes_.all().empty(); ++id) {
        if (program_.starts_threads()) {
            add_thread(id);
            add_latches(id);
            add_job_counts(id);
            add_starts(id);
        }
        add_teams(id);
    }
    if (!program_.starts_threads()) return std::move(turns_);
    const Starters starters(program_);
    for (const auto& [variable, all] : writes_.all()) {
        if (is_number(variable)) add_hasty_writes(variable, starters);
    }
    return std::move(turns_);
}

/// Of what units have in common, each counts how often it writes to it.
void TurnFinder::find_unsure() {
    std::unordered_map<StringId, std::uint32_t> known;
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        for (const Step& step : program_.steps(id)) {
            if (step.turn != Turn::No && step.turn != Turn::InOrder)
                known[step.value.name] += writes_turn(step) || step.turn == Turn::Passed ? 1U : 0U;
        }
    }
    for (const auto& [name, writes] : known) {
        const Variable* variable = program_.variable(name);
        if (variable != nullptr && !variable->is_local && variable->other_writes > writes)
            turns_.unsure.insert(name);
    }
    for (const auto& [variable, all] : writes_.all()) {
        const bool is_computed = std::ranges::any_of(all, [this](const TurnWrite& at) {
            const Step& step = program_.steps(at.function)[at.step];
            const bool is_known = !step.arguments.empty() && step.arguments.front() != Value{};
            return step.turn == Turn::Written && !is_known &&
                   (program_.starts_threads() || !is_serial(program_, at.function));
        });
        if (is_computed) turns_.unsure.insert(variable);
    }
    // Each thread that calls the function has variables of its own.
    for (const auto& [name, owner] : turns_.owners) {
        if (owner != kNone && !is_serial(program_, owner)) turns_.unsure.insert(name);
    }
}

void TurnFinder::note(const Step& step) {
    if (step.turn == Turn::No) return;
    if (step.name != 0) turns_.owners[step.value.name] = program_.function(step.name);
    if (step.turn == Turn::Counted) turns_.latches.insert(step.value.name);
}

const TurnValues& TurnFinder::values_of(FunctionId id) {
    const auto known = values_.find(id);
    if (known != values_.end()) return known->second;
    TurnValues values(program_, writes_, id, values_at_start(id));
    return values_.emplace(id, std::move(values)).first->second;
}

/// Static variables are as they are at first where the program begins, and others as all that call
/// the function have left them.
TurnValues::State TurnFinder::values_at_start(FunctionId id) {
    TurnValues::State state;
    const Unit& unit = program_.unit();
    if (program_.is_main(id)) {
        for (const auto& [variable, all] : writes_.all()) {
            const auto first = writes_.first_value(variable);
            if (first) state.known.emplace(variable, *first);
        }
        return state;
    }
    constexpr std::size_t most_callers = 8;
    const std::span<const CallerEdge> callers = program_.callers(id);
    const bool is_called =
        !callers.empty() && callers.size() <= most_callers && unit.functions[id].is_local &&
        std::all_of(callers.begin(), callers.end(), [this](const CallerEdge& edge) {
            return edge.kind == CallKind::Call && program_.is_function(edge.from);
        });
    if (!is_called || !asked_.insert(id).second) return state;
    for (const CallerEdge& edge : callers) {
        const TurnValues::State& before = values_of(edge.from).before(edge.step);
        if (before.is_reached) TurnValues::merge(state, before);
    }
    asked_.erase(id);
    return state;
}

/// Only the thread writes something else to the variable while it is `value`, but for what is
/// written before: that is the same, unless it `is_known` what it is then.
bool TurnFinder::is_own(FunctionId id,
                        const CallerEdge& start,
                        const std::vector<bool>& executed,
                        StringId variable,
                        std::int64_t value,
                        bool is_known) const {
    const std::vector<TurnWrite>& all = writes_.all().at(variable);
    const std::span<const Step> steps = program_.steps(start.from);
    const auto is_before = [&](const TurnWrite& write) {
        if (write.function != start.from || leads_to(steps, start.step, write.step)) return false;
        return is_known || written_value(program_, write) == value;
    };
    const auto is_same = [&](const TurnWrite& write) {
        return program_.steps(write.function)[write.step].turn == Turn::Written &&
               written_value(program_, write) == value;
    };
    return writes_.may_write(id, variable) &&
           std::all_of(all.begin(), all.end(), [&](const TurnWrite& write) {
               return executed[write.function] || is_before(write) || is_same(write) ||
                      is_in_turn(write, variable, value);
           });
}

void TurnFinder::add_thread(FunctionId id) {
    const std::span<const CallerEdge> callers = program_.callers(id);
    if (callers.size() != 1 || callers.front().kind != CallKind::Start ||
        !program_.is_function(callers.front().from))
        return;
    const CallerEdge& start = callers.front();
    if (is_in_loop(program_.steps(start.from), start.step)) return;
    std::vector<bool> executed(program_.nodes(), false);
    program_.add_executed(id, executed);
    for (const auto& [variable, all] : writes_.all()) {
        if (!is_number(variable)) continue;
        const std::optional<std::int64_t> known =
            values_of(start.from).before(start.step, variable);
        const std::optional<std::int64_t> value = known ? known : writes_.first_value(variable);
        if (value && is_own(id, start, executed, variable, *value, known.has_value()))
            turns_.of_thread[id].emplace_back(variable, static_cast<std::uint32_t>(*value));
    }
}

/// Who has not counted a latch down yet keeps it shut, however many there are.
/// Whether only who has waited for the latch starts the thread, and once.
bool TurnFinder::starts_behind(std::span<const CallerEdge> callers, StringId latch) const {
    if (callers.size() != 1 || !program_.is_function(callers.front().from)) return false;
    const CallerEdge& start = callers.front();
    const std::span<const Step> steps = program_.steps(start.from);
    return !is_in_loop(steps, start.step) && has_waited(steps, start.step, latch);
}

void TurnFinder::add_latches(FunctionId id) {
    const std::span<const CallerEdge> callers = program_.callers(id);
    const bool is_started = std::any_of(callers.begin(), callers.end(), [](const auto& edge) {
        return edge.kind == CallKind::Start;
    });
    if (!is_started) return;
    for (const StringId latch : turns_.latches) {
        if (turns_.unsure.contains(latch)) continue;
        if (writes_.may_write(id, latch)) {
            turns_.of_thread[id].emplace_back(latch, 0);
        } else if (starts_behind(callers, latch)) {
            turns_.of_thread[id].emplace_back(latch, 1);
        }
    }
}

/// By all that is ever written to them.
void TurnFinder::find_either() {
    for (const auto& [variable, all] : writes_.all()) {
        std::set<std::int64_t> numbers;
        bool is_known = !turns_.unsure.contains(variable) && !turns_.latches.contains(variable);
        for (const TurnWrite& write : all) {
            const auto number = written_value(program_, write);
            const Turn turn = program_.steps(write.function)[write.step].turn;
            is_known = is_known && number && turn == Turn::Written;
            if (number) numbers.insert(*number);
        }
        const auto owner = turns_.owners.find(variable);
        const bool is_static = owner == turns_.owners.end() || owner->second == kNone;
        const auto first = writes_.first_value(variable);
        if (first) numbers.insert(*first);
        if (is_known && (first || !is_static) && numbers.size() == 2)
            turns_.either[variable] = {*numbers.begin(), *numbers.rbegin()};
    }
}

/// Latches that something is written to. Who has found such a one open relies on that nobody else
/// shuts it.
void TurnFinder::find_job_counts() {
    for (const StringId latch : turns_.latches) {
        const std::vector<TurnWrite>& all = writes_.all().at(latch);
        const auto is_plain = [this](const TurnWrite& at) {
            return program_.steps(at.function)[at.step].turn != Turn::Counted;
        };
        if (std::none_of(all.begin(), all.end(), is_plain)) continue;
        turns_.job_counts.insert(latch);
        const bool is_shut_by_starter =
            std::all_of(all.begin(), all.end(), [&](const TurnWrite& at) {
                const RegionId region = program_.steps(at.function)[at.step].region;
                return !is_plain(at) || (is_serial(program_, at.function) &&
                                         !is_in_team(program_, at.function, region));
            });
        if (!is_shut_by_starter) turns_.unsure.insert(latch);
    }
}

/// Who has yet to count one down keeps it shut, as often as that may be.
void TurnFinder::add_job_counts(FunctionId id) {
    const bool is_serial = thread_level::is_serial(program_, id);
    for (const StringId latch : turns_.job_counts) {
        if (turns_.unsure.contains(latch)) continue;
        if (!is_serial && writes_.may_write(id, latch)) {
            turns_.of_thread[id].emplace_back(latch, 0);
        } else if (program_.is_main(id) && writes_.first_value(latch) == 1) {
            turns_.of_thread[id].emplace_back(latch, 1);
        }
        if (!is_serial) continue;
        for (const TurnWrite& at : writes_.all().at(latch)) {
            if (at.function == id && written_value(program_, at) == 1 &&
                program_.steps(id)[at.step].turn == Turn::Written)
                turns_.of_starter[{id, at.step}].emplace_back(latch, 1);
        }
    }
}

void TurnFinder::add_starts(FunctionId id) {
    if (!is_serial(program_, id)) return;
    add_writes(id);
    for (const CallEdge& edge : program_.calls(id)) {
        const RegionId region = program_.steps(id)[edge.step].region;
        if (edge.kind != CallKind::Start || is_in_team(program_, id, region)) continue;
        FirstTurns& turns = turns_.of_starter[{id, edge.step}];
        for (const auto& [variable, all] : writes_.all()) {
            if (turns_.unsure.contains(variable)) continue;
            if (turns_.latches.contains(variable) && !turns_.job_counts.contains(variable) &&
                !has_waited(program_.steps(id), edge.step, variable))
                turns.emplace_back(variable, 0);
            if (!is_number(variable)) continue;
            const auto value = values_of(id).before(edge.step, variable);
            if (value && is_of_starter(variable, *value))
                turns.emplace_back(variable, static_cast<std::uint32_t>(*value));
        }
    }
}

/// What it writes itself, it knows, and what is there when the program begins. A semaphore that is
/// posted may be waited for at once.
void TurnFinder::add_writes(FunctionId id) {
    const std::span<const Step> steps = program_.steps(id);
    for (const auto& [variable, all] : writes_.all()) {
        const auto first = program_.is_main(id) ? writes_.first_value(variable) : std::nullopt;
        if (first && is_number(variable) && is_of_starter(variable, *first))
            turns_.of_thread[id].emplace_back(variable, static_cast<std::uint32_t>(*first));
    }
    for (StepId step = 0; step < steps.size(); ++step) {
        const StringId variable = steps[step].value.name;
        const bool is_write = steps[step].turn == Turn::Written || steps[step].turn == Turn::Begun;
        if (!is_write || !is_number(variable) || is_in_team(program_, id, steps[step].region))
            continue;
        const std::optional<std::int64_t> number = written_value(program_, {id, step});
        if (!number || !is_of_starter(variable, *number)) continue;
        turns_.of_starter[{id, step}].emplace_back(variable, static_cast<std::uint32_t>(*number));
    }
}

/// Who starts threads writes to a variable as soon as it likes, unless it has found out first that
/// the variable is not what others may have found it to be.
void TurnFinder::add_hasty_writes(StringId variable, const Starters& starters) {
    PossibleValues values(program_, writes_, variable);
    for (const WayToWrite& by : values.ways()) {
        const TurnWrite write = by.way.front();
        const TurnWrite outermost = by.way.back();
        const bool is_written = program_.steps(write.function)[write.step].turn == Turn::Written;
        if (!is_written || !by.is_of_starter) continue;
        // Threads that know of a variable of the function are started in it.
        const auto owner = turns_.owners.find(variable);
        const bool is_own = owner != turns_.owners.end() && owner->second == outermost.function;
        const bool is_beside =
            is_own ? starters.may_be_beside_own(outermost) : starters.may_be_beside(outermost);
        if (!is_beside) continue;
        HastyWrite hasty;
        hasty.to = by.to;
        hasty.is_locked = holds_lock(program_, by.way);
        for (const PossibleValue from : values.before(outermost)) {
            hasty.from = from;
            const bool changes = !from || from != hasty.to;
            if (changes && !is_in_turn(by.way, variable, from))
                turns_.hasty[variable].push_back(hasty);
        }
    }
}

/// Only the thread that starts others writes to the variable while it is `value`.
bool TurnFinder::is_of_starter(StringId variable, std::int64_t value) const {
    const std::vector<TurnWrite>& all = writes_.all().at(variable);
    return std::all_of(all.begin(), all.end(), [&](const TurnWrite& write) {
        return is_in_turn(write, variable, value, true);
    });
}

/// Who comes there has found that the variable is not `value`, here or before it has called the
/// function; or, `by_starter`, is the one thread that is neither started nor of a team.
bool TurnFinder::is_in_turn(
    TurnWrite at, StringId variable, std::int64_t value, bool by_starter, int depth) const {
    constexpr int most_calls = 4;
    constexpr std::size_t most_callers = 16;
    const RegionId region = program_.steps(at.function)[at.step].region;
    if (by_starter && !is_in_team(program_, at.function, region) &&
        is_serial(program_, at.function))
        return true;
    if (comes_in_turn(program_, writes_, at, variable, value)) return true;
    const std::span<const CallerEdge> callers = program_.callers(at.function);
    if (depth == most_calls || callers.empty() || callers.size() > most_callers) return false;
    return std::all_of(callers.begin(), callers.end(), [&](const CallerEdge& edge) {
        if (edge.kind != CallKind::Call || !program_.is_function(edge.from)) return false;
        const TurnWrite call{.function = edge.from, .step = edge.step};
        return is_in_turn(call, variable, value, by_starter, depth + 1);
    });
}

/// The same, of who comes there by the calls on the way.
bool TurnFinder::is_in_turn(const std::vector<TurnWrite>& way,
                            StringId variable,
                            std::optional<std::int64_t> value) const {
    constexpr std::int64_t other = std::numeric_limits<std::int64_t>::min();
    const std::int64_t number = value.value_or(other);
    const bool is_inside = std::any_of(way.begin(), std::prev(way.end()), [&](TurnWrite at) {
        return comes_in_turn(program_, writes_, at, variable, number);
    });
    return is_inside || is_in_turn(way.back(), variable, number);
}

void TurnFinder::add_teams(FunctionId id) {
    const std::span<const Step> steps = program_.steps(id);
    for (StepId step = 0; step < steps.size(); ++step) {
        const RegionId team = steps[step].target;
        if (steps[step].kind != StepKind::Enter || !makes_team(program_.regions(id)[team]) ||
            is_in_team(program_, id, steps[step].region))
            continue;
        for (const auto& [variable, all] : writes_.all()) {
            const auto value = values_of(id).before(step, variable);
            if (!value || !is_number(variable) ||
                !is_written_by_team(program_, writes_, turns_, {id, team}, variable))
                continue;
            turns_.of_team[{id, team}].emplace_back(variable, static_cast<std::uint32_t>(*value));
        }
    }
}

}  // namespace

Turns turns_of(const Program& program) {
    return TurnFinder(program).run();
}

bool is_number(const Turns& turns, StringId variable) {
    return !turns.unsure.contains(variable) && !turns.latches.contains(variable) &&
           !turns.tokens.locks.contains(variable);
}

bool is_written_by_team(const Program& program,
                        const TurnWrites& writes,
                        const Turns& turns,
                        std::pair<FunctionId, RegionId> team,
                        StringId variable) {
    const auto [id, region] = team;
    if (!turns.owners.contains(variable) && !is_serial(program, id)) return false;
    const auto all = writes.all().find(variable);
    if (all == writes.all().end()) return true;
    for (const TurnWrite& write : all->second) {
        const RegionId around = program.steps(write.function)[write.step].region;
        if (write.function != id && is_in_team(program, write.function, around)) return false;
    }
    for (const CallEdge& edge : program.calls(id)) {
        const RegionId around = program.steps(id)[edge.step].region;
        if (edge.kind == CallKind::Start && is_inside(program.regions(id), around, region) &&
            writes.may_write(edge.to, variable))
            return false;
    }
    return true;
}

}  // namespace mqinspect::thread_level
