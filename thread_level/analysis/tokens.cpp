#include "thread_level/analysis/tokens.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "thread_level/analysis/loops.h"
#include "thread_level/analysis/possessions.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/team_holders.h"
#include "thread_level/analysis/turn_values.h"

namespace mqinspect::thread_level {
namespace {

using Semaphores = std::set<StringId>;

/// What a thread executes that the program starts, or the one that begins with main(); in a unit
/// without that, what the main thread calls from outside.
struct Role {
    std::vector<FunctionId> roots;
    bool is_one = false;         ///< there is only one such thread
    bool is_repeated = false;    ///< it may call the roots in any order, and again
    std::vector<bool> executed;  ///< by node
};

/// Who has the token at first, by index or region; else a semaphore.
struct Holder {
    std::optional<std::size_t> role;
    PartOfTeam part = {};
};

std::optional<std::int64_t> constant_in(const Step& step, std::size_t position) {
    if (step.arguments.size() <= position || step.arguments[position].kind != Value::Kind::Constant)
        return std::nullopt;
    return step.arguments[position].number;
}

/// Whether who has waited may go on to the end without a post, and without anything else that
/// matters: then a condition tells who of those that get in does something.
bool may_do_nothing(std::span<const Step> steps, const Semaphores& semaphores) {
    std::vector<bool> seen(steps.size(), false);
    std::vector<StepId> open;
    for (const Step& step : steps) {
        if (step.kind == StepKind::Acquire && is_of(step, semaphores))
            open.insert(open.end(), step.next.begin(), step.next.end());
    }
    while (!open.empty()) {
        const StepId at = open.back();
        open.pop_back();
        if (seen[at]) continue;
        seen[at] = true;
        const Step& step = steps[at];
        if (step.kind == StepKind::Exit) return true;
        const bool is_test = tests_turn(step) && !is_of(step, semaphores);
        const bool is_idle = is_test || step.kind == StepKind::Join || step.kind == StepKind::Way;
        if (is_idle) open.insert(open.end(), step.next.begin(), step.next.end());
    }
    return false;
}

class Finder {
public:
    Finder(const Program& program, const std::unordered_set<StringId>& unsure)
        : program_(program), unsure_(unsure) {}
    Tokens run();

private:
    bool find_semaphores();
    void find_roles();
    void add_threads();
    void add_outside();
    void add_role(std::vector<FunctionId> roots, bool is_one, bool is_repeated = false);
    bool is_executed(FunctionId id) const;
    bool uses(const Role& role, const Semaphores& semaphores, StepKind kind) const;
    std::vector<Holder> possible_firsts(const Semaphores& semaphores, std::int64_t sum) const;
    void try_token(const Semaphores& semaphores);
    bool try_holder(const Semaphores& semaphores, const Holder& holder, bool is_in_order);
    bool is_in_order(const Semaphores& semaphores) const;
    bool is_lock(StringId semaphore) const;
    bool is_posted_in_loop(const Semaphores& semaphores) const;
    std::vector<Semaphores> candidates() const;

    const Program& program_;
    const std::unordered_set<StringId>& unsure_;
    std::map<StringId, std::optional<std::int64_t>> first_;  // what semaphores are at first
    std::vector<Role> roles_;
    std::vector<FunctionId> forgotten_;  // other units may call them, whoever does
    Tokens tokens_;
};

Tokens Finder::run() {
    if (!find_semaphores()) return {};
    find_roles();
    for (const Semaphores& semaphores : candidates())
        try_token(semaphores);
    for (const auto& [semaphore, first] : first_) {
        if (first == 1 && !tokens_.of_semaphore.contains(semaphore))
            (is_lock(semaphore) ? tokens_.locks : tokens_.overfull).insert(semaphore);
    }
    return std::move(tokens_);
}

/// What they are initialized with goes before what the variable is at first.
bool Finder::find_semaphores() {
    const auto note = [this](Turn turn, std::size_t position) {
        std::map<StringId, std::optional<std::int64_t>> found;
        for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
            for (const Step& step : program_.steps(id)) {
                const auto number = constant_in(step, position);
                if (step.turn != turn || unsure_.contains(step.value.name)) continue;
                const auto [at, is_new] = found.try_emplace(step.value.name, number);
                if (!is_new && at->second != number) at->second.reset();
            }
        }
        first_.merge(found);
    };
    note(Turn::Begun, 0);
    note(Turn::Posted, 1);
    return !first_.empty();
}

void Finder::find_roles() {
    const Unit& unit = program_.unit();
    FunctionId main = kNone;
    for (FunctionId id = 0; id < unit.functions.size(); ++id) {
        if (program_.is_main(id)) main = id;
    }
    if (main != kNone) add_role({main}, true);
    add_threads();
    if (main == kNone) add_outside();
    if (main != kNone && unit.source == 0) return;
    for (FunctionId id = 0; id < unit.functions.size(); ++id) {
        const Function& function = unit.functions[id];
        if ((!function.is_local || function.address_taken) && !is_executed(id))
            forgotten_.push_back(id);
    }
}

void Finder::add_threads() {
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        std::size_t starts = 0;
        bool is_one = true;
        for (const CallerEdge& edge : program_.callers(id)) {
            if (edge.kind != CallKind::Start) continue;
            ++starts;
            is_one = is_one && program_.is_function(edge.from) &&
                     !is_in_loop(program_.steps(edge.from), edge.step) &&
                     !is_in_team(program_, edge.from, program_.steps(edge.from)[edge.step].region);
        }
        if (starts != 0) add_role({id}, starts == 1 && is_one);
    }
}

void Finder::add_outside() {
    std::vector<FunctionId> roots;
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        const auto callers = program_.callers(id);
        const bool is_started = std::any_of(callers.begin(), callers.end(), [](const auto& edge) {
            return edge.kind == CallKind::Start;
        });
        if (!program_.unit().functions[id].is_local && !is_started) roots.push_back(id);
    }
    if (!roots.empty()) add_role(std::move(roots), true, true);
}

void Finder::add_role(std::vector<FunctionId> roots, bool is_one, bool is_repeated) {
    Role role{.roots = std::move(roots),
              .is_one = is_one,
              .is_repeated = is_repeated,
              .executed = std::vector(program_.nodes(), false)};
    for (const FunctionId root : role.roots)
        program_.add_executed(root, role.executed);
    roles_.push_back(std::move(role));
}

bool Finder::is_executed(FunctionId id) const {
    return std::any_of(
        roles_.begin(), roles_.end(), [id](const Role& role) { return role.executed[id]; });
}

bool Finder::uses(const Role& role, const Semaphores& semaphores, StepKind kind) const {
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        if (!role.executed[id]) continue;
        const std::span<const Step> steps = program_.steps(id);
        if (std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
                return step.kind == kind && is_of(step, semaphores);
            }))
            return true;
    }
    return false;
}

/// Each semaphore, each two, and all of them.
std::vector<Semaphores> Finder::candidates() const {
    constexpr std::size_t most_semaphores = 8;
    std::vector<StringId> names;
    for (const auto& [semaphore, first] : first_) {
        if (first && (*first == 0 || *first == 1)) names.push_back(semaphore);
    }
    std::vector<Semaphores> sets;
    if (names.size() > most_semaphores) names.resize(most_semaphores);
    for (std::size_t i = 0; i < names.size(); ++i) {
        sets.push_back({names[i]});
        for (std::size_t j = i + 1; j < names.size(); ++j)
            sets.push_back({names[i], names[j]});
    }
    if (names.size() > 2) sets.emplace_back(names.begin(), names.end());
    return sets;
}

/// There is one token: a semaphore that is 1 has it at first, or else who posts.
void Finder::try_token(const Semaphores& semaphores) {
    std::int64_t sum = 0;
    for (const StringId semaphore : semaphores)
        sum += first_.at(semaphore).value_or(2);
    const bool is_lock = sum == 1 && semaphores.size() == 1;
    if (sum > 1 || is_lock) return;
    const bool in_order = is_in_order(semaphores);
    for (const Holder& holder : possible_firsts(semaphores, sum)) {
        if (try_holder(semaphores, holder, in_order)) return;
    }
}

std::vector<Holder> Finder::possible_firsts(const Semaphores& semaphores, std::int64_t sum) const {
    if (sum == 1) return {Holder{}};
    std::vector<Holder> firsts;
    for (std::size_t i = 0; i < roles_.size(); ++i) {
        if (roles_[i].is_one && uses(roles_[i], semaphores, StepKind::Release))
            firsts.push_back({.role = i, .part = {}});
    }
    for (const PartOfTeam& part : possible_holders(program_, semaphores))
        firsts.push_back({.role = std::nullopt, .part = part});
    return firsts;
}

/// Who has had the token at first, and left its part of a team, has to have it there when it comes
/// back.
bool Finder::try_holder(const Semaphores& semaphores, const Holder& holder, bool is_in_order) {
    Possessions possessions(program_, semaphores, holder.part);
    for (std::size_t i = 0; i < roles_.size() && possessions.is_kept(); ++i) {
        Possession possession = holder.role == i ? kWith : kWithout;
        for (Possession before = 0; before != possession;) {
            before = possession;
            for (const FunctionId root : roles_[i].roots)
                possession |= possessions.run(root, before);
            if (!roles_[i].is_repeated) break;
        }
    }
    for (const FunctionId id : forgotten_)
        possessions.run(id, kEither);
    const bool is_part = holder.part.function != kNone;
    const bool comes_back = (possessions.left() & kWithout) == 0;
    if (!possessions.is_kept() ||
        (is_part && !comes_back && !is_entered_once(program_, holder.part)))
        return false;
    const auto number = static_cast<std::uint32_t>(tokens_.all.size());
    tokens_.all.push_back({semaphores, possessions.holders(), possessions.places(), is_in_order});
    for (const StringId semaphore : semaphores)
        tokens_.of_semaphore[semaphore].push_back(number);
    return true;
}

/// Whether nobody posts a semaphore that is 1 at first who can't have waited for it since the last
/// post. Conditions are not looked at: whether a wait and a post are under the same one.
bool Finder::is_lock(StringId semaphore) const {
    const Semaphores semaphores{semaphore};
    const Variable* variable = program_.variable(semaphore);
    const bool is_of_others =
        program_.unit().source != 0 && variable != nullptr && !variable->is_local;
    Possessions possessions(program_, semaphores);
    for (const Role& role : roles_) {
        const Possession first = role.is_repeated || is_of_others ? kEither : kWithout;
        for (const FunctionId root : role.roots) {
            possessions.run(root, first);
            if (!possessions.may_be_kept(root, first)) return false;
        }
    }
    for (const FunctionId id : forgotten_) {
        possessions.run(id, kEither);
        if (!possessions.may_be_kept(id, kEither)) return false;
    }
    return !is_posted_in_loop(semaphores);
}

/// Whether a loop posts it time and again, and waits for nothing.
bool Finder::is_posted_in_loop(const Semaphores& semaphores) const {
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        const std::span<const Step> steps = program_.steps(id);
        std::vector<StepId> posts;
        std::vector<StepId> waits;
        for (StepId step = 0; step < steps.size(); ++step) {
            const StepKind kind = steps[step].kind;
            // What is called may wait.
            const bool is_call = kind == StepKind::Call || kind == StepKind::Indirect;
            const bool is_use = is_of(steps[step], semaphores);
            if (is_use && kind == StepKind::Release) posts.push_back(step);
            if (is_call || (is_use && kind == StepKind::Acquire)) waits.push_back(step);
        }
        const bool is_in_loop = std::ranges::any_of(
            posts, [&](StepId post) { return is_in_loop_without(steps, post, waits); });
        if (is_in_loop && !may_do_nothing(steps, semaphores)) return true;
    }
    return false;
}

/// Whether one thread, or part of a team, waits for each.
bool Finder::is_in_order(const Semaphores& semaphores) const {
    using Waiting = std::tuple<const Role*, FunctionId, RegionId>;
    for (const StringId semaphore : semaphores) {
        std::set<Waiting> waiting;
        for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
            const std::span<const Step> steps = program_.steps(id);
            for (StepId step = 0; step < steps.size(); ++step) {
                if (steps[step].kind != StepKind::Acquire || !is_of(steps[step], {semaphore}))
                    continue;
                const bool is_in_team = thread_level::is_in_team(program_, id, steps[step].region);
                const auto part =
                    is_in_team ? part_of_team(program_, id, step) : std::optional<RegionId>(0);
                for (const Role& role : roles_) {
                    if (!role.executed[id]) continue;
                    if (!role.is_one || !part) return false;
                    waiting.emplace(&role, is_in_team ? id : kNone, *part);
                }
            }
        }
        if (waiting.size() > 1) return false;
    }
    return true;
}

}  // namespace

Tokens tokens_of(const Program& program, const std::unordered_set<StringId>& unsure) {
    return Finder(program, unsure).run();
}

}  // namespace mqinspect::thread_level
