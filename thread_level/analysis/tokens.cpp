#include "thread_level/analysis/tokens.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "thread_level/analysis/loops.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/turn_values.h"

namespace mqinspect::thread_level {
namespace {

/// What a thread may have, as bits.
using Possession = std::uint8_t;
constexpr Possession kWithout = 1;
constexpr Possession kWith = 2;

using Semaphores = std::set<StringId>;

bool is_of(const Step& step, const Semaphores& semaphores) {
    const bool is_use = step.turn == Turn::Is || step.turn == Turn::Posted;
    return is_use && semaphores.contains(step.value.name);
}

/// Whether `node` uses some of them.
bool reaches(const Program& program, Node node, const Semaphores& semaphores) {
    std::vector<bool> executed(program.nodes(), false);
    program.add_executed(node, executed);
    for (FunctionId id = 0; id < program.unit().functions.size(); ++id) {
        const std::span<const Step> steps = program.steps(id);
        if (executed[id] && std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
                return is_of(step, semaphores);
            }))
            return true;
    }
    return false;
}

/// Whether each post of some semaphores is by who has the token: a data-flow over functions, with
/// what they call.
class Possessions {
public:
    Possessions(const Program& program, const Semaphores& semaphores)
        : program_(program), semaphores_(semaphores) {}

    /// Of a thread that begins at `root`.
    void add_thread(Node root, Possession at_first) { run(root, at_first); }
    bool is_kept() const { return is_kept_; }
    /// Functions that only who has the token enters.
    std::set<FunctionId> holders() const;

private:
    Possession run(Node node, Possession at_first);
    Possession run_function(FunctionId id, Possession at_first);
    Possession after(FunctionId id, StepId step, Possession before);

    const Program& program_;
    const Semaphores& semaphores_;
    std::map<std::pair<Node, Possession>, Possession> known_;
    bool is_kept_ = true;
};

std::set<FunctionId> Possessions::holders() const {
    std::map<Node, Possession> entered;
    for (const auto& [entry, end] : known_)
        entered[entry.first] |= entry.second;
    std::set<FunctionId> holders;
    for (const auto& [node, possession] : entered) {
        if (possession == kWith && program_.is_function(node)) holders.insert(node);
    }
    return holders;
}

/// In a cycle of calls: what comes out of it, but for it.
Possession Possessions::run(Node node, Possession at_first) {
    const auto [known, is_new] = known_.try_emplace({node, at_first}, 0);
    if (!is_new) return known->second;
    Possession end = 0;
    if (program_.is_function(node)) {
        end = run_function(node, at_first);
    } else {
        for (const CallEdge& edge : program_.calls(node))
            end |= run(edge.to, at_first);
    }
    return known_[{node, at_first}] = end;
}

Possession Possessions::run_function(FunctionId id, Possession at_first) {
    const std::span<const Step> steps = program_.steps(id);
    if (steps.empty()) return at_first;
    std::vector<Possession> before(steps.size(), 0);
    before.front() = at_first;
    std::vector<StepId> open{0};
    Possession end = 0;
    while (!open.empty()) {
        const StepId step = open.back();
        open.pop_back();
        const Possession then = after(id, step, before[step]);
        if (steps[step].next.empty()) end |= then;
        for (const StepId next : steps[step].next) {
            if ((before[next] | then) == before[next]) continue;
            before[next] |= then;
            open.push_back(next);
        }
    }
    return end;
}

Possession Possessions::after(FunctionId id, StepId at, Possession before) {
    const Step& step = program_.steps(id)[at];
    if (is_of(step, semaphores_)) {
        const bool waits = step.kind == StepKind::Acquire;
        if (thread_level::is_in_team(program_, id, step.region) ||
            (!waits && (before & kWithout) != 0))
            is_kept_ = false;
        return waits ? kWith : kWithout;
    }
    Possession end = 0;
    bool calls = false;
    const bool is_in_team = thread_level::is_in_team(program_, id, step.region);
    for (const CallEdge& edge : program_.calls_of(id, at)) {
        if (edge.kind != CallKind::Call) continue;
        calls = true;
        if (is_in_team && reaches(program_, edge.to, semaphores_)) is_kept_ = false;
        end |= run(edge.to, before);
    }
    return calls ? end : before;
}

/// What a thread executes that the program starts, or the one that begins with main().
struct Role {
    FunctionId root = 0;
    bool is_one = false;  ///< there is only one such thread
    std::vector<bool> executed;
};

std::optional<std::int64_t> constant_in(const Step& step, std::size_t position) {
    if (step.arguments.size() <= position || step.arguments[position].kind != Value::Kind::Constant)
        return std::nullopt;
    return step.arguments[position].number;
}

class Finder {
public:
    Finder(const Program& program, const std::unordered_set<StringId>& unsure)
        : program_(program), unsure_(unsure) {}
    Tokens run();

private:
    bool find_semaphores();
    void find_roles();
    void add_role(FunctionId root, bool is_one);
    bool uses(const Role& role, const Semaphores& semaphores, StepKind kind) const;
    bool is_used_elsewhere(const Semaphores& semaphores) const;
    void try_token(const Semaphores& semaphores);
    bool is_in_order(const Semaphores& semaphores) const;
    std::vector<Semaphores> candidates() const;

    const Program& program_;
    const std::unordered_set<StringId>& unsure_;
    std::map<StringId, std::optional<std::int64_t>> first_;  // what semaphores are at first
    std::vector<Role> roles_;
    Tokens tokens_;
};

Tokens Finder::run() {
    if (!find_semaphores()) return {};
    find_roles();
    for (const Semaphores& semaphores : candidates())
        try_token(semaphores);
    for (const auto& [semaphore, first] : first_) {
        if (first == 1 && !tokens_.of_semaphore.contains(semaphore))
            tokens_.locks.insert(semaphore);
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
    for (FunctionId id = 0; id < unit.functions.size(); ++id) {
        const std::string& symbol = unit.strings[unit.functions[id].symbol];
        if (symbol == "main" || symbol == "MAIN__") add_role(id, true);
        std::size_t starts = 0;
        bool is_one = true;
        for (const CallerEdge& edge : program_.callers(id)) {
            if (edge.kind != CallKind::Start) continue;
            ++starts;
            is_one = is_one && program_.is_function(edge.from) &&
                     !is_in_loop(program_.steps(edge.from), edge.step) &&
                     !is_in_team(program_, edge.from, program_.steps(edge.from)[edge.step].region);
        }
        if (starts != 0) add_role(id, starts == 1 && is_one);
    }
}

void Finder::add_role(FunctionId root, bool is_one) {
    Role role{.root = root, .is_one = is_one, .executed = std::vector(program_.nodes(), false)};
    program_.add_executed(root, role.executed);
    roles_.push_back(std::move(role));
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

/// By functions that no thread is known to execute.
bool Finder::is_used_elsewhere(const Semaphores& semaphores) const {
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        if (std::any_of(
                roles_.begin(), roles_.end(), [id](const Role& role) { return role.executed[id]; }))
            continue;
        const std::span<const Step> steps = program_.steps(id);
        if (std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
                return is_of(step, semaphores);
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

/// There is one token: a semaphore that is 1 has it at first, or else a thread that posts.
void Finder::try_token(const Semaphores& semaphores) {
    std::int64_t sum = 0;
    for (const StringId semaphore : semaphores)
        sum += first_.at(semaphore).value_or(2);
    const bool is_lock = sum == 1 && semaphores.size() == 1;
    if (sum > 1 || is_lock || is_used_elsewhere(semaphores)) return;
    std::vector<FunctionId> holders;
    if (sum == 1) holders.push_back(kNone);
    for (const Role& role : roles_) {
        if (sum == 0 && role.is_one && uses(role, semaphores, StepKind::Release))
            holders.push_back(role.root);
    }
    for (const FunctionId holder : holders) {
        Possessions possessions(program_, semaphores);
        for (const Role& role : roles_)
            possessions.add_thread(role.root, role.root == holder ? kWith : kWithout);
        if (!possessions.is_kept()) continue;
        const auto number = static_cast<std::uint32_t>(tokens_.all.size());
        tokens_.all.push_back({semaphores, possessions.holders(), is_in_order(semaphores)});
        for (const StringId semaphore : semaphores)
            tokens_.of_semaphore[semaphore].push_back(number);
        return;
    }
}

bool Finder::is_in_order(const Semaphores& semaphores) const {
    return std::all_of(semaphores.begin(), semaphores.end(), [this](StringId semaphore) {
        const Role* waiting = nullptr;
        for (const Role& role : roles_) {
            if (!uses(role, {semaphore}, StepKind::Acquire)) continue;
            if (waiting != nullptr || !role.is_one) return false;
            waiting = &role;
        }
        return true;
    });
}

}  // namespace

Tokens tokens_of(const Program& program, const std::unordered_set<StringId>& unsure) {
    return Finder(program, unsure).run();
}

}  // namespace mqinspect::thread_level
