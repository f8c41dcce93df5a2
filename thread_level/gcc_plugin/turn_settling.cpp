// Which variables hand on the turn, once all functions of the unit are known.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "thread_level/gcc_plugin/job_counts.h"
#include "thread_level/gcc_plugin/step_graph.h"
#include "thread_level/gcc_plugin/turn_variables.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// What is waited for gets what the predicate asks for.
void resolve_predicates(Gathering& gathering) {
    for (Function& function : gathering.unit.functions) {
        for (Step& step : function.steps) {
            if (step.turn != Turn::Is || step.value.kind != Value::Kind::Unknown) continue;
            const auto test = gathering.predicates.find(step.name);
            step.name = 0;
            if (test == gathering.predicates.end()) continue;
            step.turn = test->second.turn;
            step.value = test->second.value;
            step.name = test->second.name;
            step.arguments = test->second.arguments;
        }
    }
}

/// Members get the name of what the only object of their class has.
void resolve_parts(Gathering& gathering) {
    std::vector<StringId> parts;
    for (const auto& [name, local] : gathering.turn_locals) {
        if (local.of_class != 0) parts.push_back(name);
    }
    for (const StringId name : parts) {
        const TurnLocal part = gathering.turn_locals[name];
        const OnlyObject& object = gathering.only_objects[part.of_class];
        if (object.name == 0 || object.is_bad) continue;
        const Strings& strings = gathering.unit.strings;
        const StringId whole = gathering.intern(strings[object.name] + strings[part.member]);
        TurnLocal& target = gathering.turn_locals[whole];
        target.owner = object.owner;
        if (object.owner == 0) target.part_of = object.symbol;
        const std::string& text = strings[whole];
        target.local_name = gathering.intern(text.substr(text.find('/') + 1));
        gathering.turn_locals[name].refers_to = whole;
    }
    for (Function& function : gathering.unit.functions) {
        for (Step& step : function.steps) {
            const auto made = gathering.made_values.find(step.value.name);
            if (step.turn == Turn::Written && step.arguments.size() == 1 &&
                made != gathering.made_values.end())
                step.arguments.push_back(constant(made->second));
        }
    }
}

/// What all calls of a function hand to it; 0: they differ, or it is not known.
StringId handed_to(Gathering& gathering, const TurnLocal& parameter) {
    StringId handed = 0;
    for (const HandedTurn& one : gathering.handed_turns) {
        if (one.function != parameter.parameter_of || one.position != parameter.position) continue;
        if (handed != 0 && handed != one.name) return 0;
        handed = one.name;
    }
    std::size_t calls = 0;
    std::size_t known = 0;
    for (const Function& function : gathering.unit.functions) {
        for (const Step& step : function.steps) {
            const bool calls_it = step.kind == StepKind::Call || step.kind == StepKind::StartThread;
            if (calls_it && step.name == parameter.parameter_of) ++calls;
        }
    }
    for (const HandedTurn& one : gathering.handed_turns) {
        if (one.function == parameter.parameter_of && one.position == parameter.position) ++known;
    }
    return calls <= known ? handed : 0;
}

/// What functions are handed gets the name of what that is, and what is handed to others is lost.
void resolve_parameters(Gathering& gathering) {
    std::unordered_map<StringId, StringId> resolved;
    for (const auto& [name, local] : gathering.turn_locals) {
        if (local.parameter_of != 0) resolved[name] = handed_to(gathering, local);
    }
    for (const auto& [name, handed] : resolved)
        gathering.turn_locals[name].refers_to = handed;
    for (const HandedTurn& one : gathering.handed_turns) {
        const bool is_followed =
            std::any_of(resolved.begin(), resolved.end(), [&](const auto& each) {
                const TurnLocal& local = gathering.turn_locals[each.first];
                return each.second == one.name && local.parameter_of == one.function &&
                       local.position == one.position;
            });
        if (is_followed) continue;
        if (one.variable != 0) ++gathering.globals[one.variable].other_writes;
        if (one.variable == 0) gathering.turn_locals[one.name].is_bad = true;
    }
}

/// Whatever variable it is that values call so.
void spoil(Gathering& gathering, StringId name) {
    const auto local = gathering.turn_locals.find(name);
    if (local != gathering.turn_locals.end()) {
        local->second.is_bad = true;
        return;
    }
    for (auto& [uid, use] : gathering.globals) {
        if (gathering.symbol(use.declaration) == name) ++use.other_writes;
    }
}

/// Of a static variable, that a step tells of.
void count_write(Gathering& gathering, StringId name) {
    for (auto& [uid, use] : gathering.globals) {
        if (gathering.symbol(use.declaration) != name) continue;
        ++use.turn_writes;
        ++use.other_writes;
    }
}

/// The step speaks of what was captured.
void rename(Gathering& gathering,
            const std::unordered_map<StringId, StringId>& resolved,
            Step& step) {
    const auto found = resolved.find(step.value.name);
    if (step.value.kind != Value::Kind::Global || found == resolved.end()) return;
    step.value.name = found->second;
    if (step.turn == Turn::No) return;
    const auto local = gathering.turn_locals.find(found->second);
    const bool is_static = local == gathering.turn_locals.end();
    step.name = is_static ? 0 : local->second.owner;
    if (is_static && step.kind == StepKind::Release) count_write(gathering, found->second);
}

/// What lambdas have captured, and the like, gets the name of what that is.
void resolve_captures(Gathering& gathering) {
    std::unordered_map<StringId, TurnLocal>& locals = gathering.turn_locals;
    const auto resolve = [&](StringId name) {
        constexpr int most = 16;  // lambdas in each other
        for (int depth = 0; depth < most; ++depth) {
            const auto local = locals.find(name);
            if (local == locals.end() || local->second.refers_to == 0) break;
            name = local->second.refers_to;
        }
        return name;
    };
    std::unordered_map<StringId, StringId> resolved;
    for (auto& [name, local] : locals) {
        const bool is_lost = local.owner == 0 && local.part_of == 0 && local.refers_to == 0;
        local.is_bad = local.is_bad || is_lost;
        if (local.refers_to != 0) resolved.emplace(name, 0);
    }
    for (auto& [name, to] : resolved) {
        to = resolve(name);
        if (locals[name].is_bad) spoil(gathering, to);
    }
    for (Function& function : gathering.unit.functions) {
        for (Step& step : function.steps)
            rename(gathering, resolved, step);
    }
    for (const auto& [name, to] : resolved) {
        if (gathering.spin_locks.erase(name) != 0) gathering.spin_locks.insert(to);
        if (gathering.counted.erase(name) != 0) gathering.counted.insert(to);
        const auto [first, last] = gathering.relaxed_writes.equal_range(name);
        std::vector<std::optional<std::int64_t>> written;
        for (auto at = first; at != last; ++at)
            written.push_back(at->second);
        for (const auto& number : written)
            gathering.relaxed_writes.emplace(to, number);
    }
}

bool passes(const Step& test, std::optional<std::int64_t> written) {
    if (!written || test.arguments.front().kind != Value::Kind::Constant) return true;
    return (test.arguments.front().number == *written) == (test.turn == Turn::Is);
}

/// Variables that may be found to be what is waited for, though what was done before is not.
void drop_relaxed(const Gathering& gathering, std::unordered_set<StringId>& good) {
    for (const Function& function : gathering.unit.functions) {
        for (const Step& step : function.steps) {
            if (step.kind != StepKind::Acquire || step.turn == Turn::No) continue;
            const auto [first, last] = gathering.relaxed_writes.equal_range(step.value.name);
            if (std::any_of(
                    first, last, [&](const auto& write) { return passes(step, write.second); }))
                good.erase(step.value.name);
        }
    }
}

/// Whether the function has to do with threads: it makes them, or something that is for them.
bool has_threads_in(const Function& function) {
    return std::any_of(function.regions.begin(),
                       function.regions.end(),
                       [](const Region& region) { return region.kind == RegionKind::Parallel; }) ||
           std::any_of(function.steps.begin(), function.steps.end(), [](const Step& step) {
               return step.kind == StepKind::StartThread || step.turn == Turn::Posted ||
                      (step.kind == StepKind::Acquire && step.turn == Turn::No);
           });
}

bool starts_threads(const Function& function) {
    return std::any_of(function.steps.begin(), function.steps.end(), [](const Step& step) {
        return step.kind == StepKind::StartThread;
    });
}

/// Names of those that only plain values are written to, and that are tested; or that are
/// `job_counts`.
std::unordered_set<StringId> good_variables(Gathering& gathering, const JobCounts& job_counts) {
    std::unordered_set<StringId> tested;
    const std::vector<Function>& functions = gathering.unit.functions;
    bool has_threads = std::any_of(functions.begin(), functions.end(), has_threads_in);
    for (const Function& function : functions) {
        for (const Step& step : function.steps) {
            if (step.turn == Turn::No || step.kind != StepKind::Acquire) continue;
            if (!is_only_of_count(step) || job_counts.contains(step.value.name))
                tested.insert(step.value.name);
        }
    }
    std::unordered_set<StringId> good;
    if (tested.empty()) has_threads = false;
    // Nobody else writes to a plain variable of a program in one file.
    const bool is_main = has_main(gathering);
    const auto is_miscounted = [&](StringId name) {
        return gathering.counted.contains(name) && !job_counts.contains(name);
    };
    for (const auto& [uid, use] : gathering.globals) {
        if (!is_own_variable(use.declaration)) continue;
        // What all units write is known to the whole program only.
        const StringId name = gathering.symbol(use.declaration);
        const bool is_for_threads = plugin::is_for_threads(use.declaration);
        const bool is_known = (has_threads || is_for_threads) && use.turn_writes != 0 &&
                              use.turn_writes == use.other_writes && use.creations == 0 &&
                              tested.count(name) != 0;
        const bool is_of_all = is_of_all_units(use.declaration);
        const bool is_of_others = is_of_all && !is_main && job_counts.contains(name);
        if (is_of_others || is_miscounted(name)) continue;
        if (is_for_threads ? is_known || is_of_all : is_known && (!is_of_all || is_main))
            good.insert(name);
    }
    if (!has_threads) return good;
    for (const auto& [name, local] : gathering.turn_locals) {
        const bool is_known =
            !local.is_bad && !is_miscounted(name) && gathering.escaped.count(local.part_of) == 0;
        if (is_known && tested.count(name) != 0) good.insert(name);
    }
    // Other threads than those of teams may be there in front of regions.
    if (std::any_of(functions.begin(), functions.end(), starts_threads)) {
        for (const StringId name : gathering.computed_turns) {
            if (!job_counts.contains(name)) good.erase(name);
        }
    }
    return good;
}

bool sets_to_zero(const Step& step) {
    return step.turn == Turn::Written && step.arguments.front().kind == Value::Kind::Constant &&
           step.arguments.front().number == 0;
}

/// Variables that are set to find out whether they were, and to 0. Local ones by their own function
/// only: others may speak of the variable of another call.
std::unordered_set<StringId> spin_locks_of(Gathering& gathering) {
    std::unordered_set<StringId> locks = gathering.spin_locks;
    if (locks.empty()) return locks;
    for (const auto& [uid, use] : gathering.globals) {
        if (use.turn_writes != use.other_writes) locks.erase(gathering.symbol(use.declaration));
    }
    for (const auto& [name, value] : gathering.relaxed_writes)
        locks.erase(name);
    for (const Function& function : gathering.unit.functions) {
        for (const Step& step : function.steps) {
            const StringId name = step.value.name;
            if (gathering.spin_locks.count(name) == 0) continue;
            const auto local = gathering.turn_locals.find(name);
            const bool is_elsewhere =
                local != gathering.turn_locals.end() &&
                (local->second.is_bad || local->second.owner != function.symbol);
            const bool sets = step.turn == Turn::Written && !sets_to_zero(step);
            if (is_elsewhere || sets) locks.erase(name);
        }
    }
    return locks;
}

class Settling {
public:
    explicit Settling(Gathering& gathering) : gathering_(gathering) {
        resolve_predicates(gathering);
        resolve_parts(gathering);
        resolve_parameters(gathering);
        resolve_captures(gathering);
        job_counts_ = job_counts_of(gathering);
        good_ = good_variables(gathering, job_counts_);
        drop_relaxed(gathering, good_);
        spin_locks_ = spin_locks_of(gathering);
    }

    void settle_teams() const {
        for (const TeamTest& test : gathering_.team_tests) {
            Region& region = gathering_.unit.functions[test.function].regions[test.region];
            const bool is_static = test.step.turn != Turn::No && test.step.name == 0;
            if (region.condition != Condition::None || !is_static || is_only_of_count(test.step) ||
                !good_.contains(test.step.value.name) ||
                test.step.arguments.front().kind != Value::Kind::Constant)
                continue;
            region.condition =
                test.step.turn == Turn::Is ? Condition::ArgumentIs : Condition::ArgumentIsNot;
            region.tested = test.step.value;
            region.limit = test.step.arguments.front();
        }
    }

    void settle(Function& function) const {
        bool changed = false;
        for (Step& step : function.steps) {
            join_future(step);
            const bool is_spin =
                step.value.kind == Value::Kind::Global &&
                (step.kind == StepKind::Acquire || step.kind == StepKind::Release) &&
                gathering_.spin_locks.count(step.value.name) != 0;
            const bool stays =
                is_spin ? settle_spin_lock(step)
                        : settle_turn(step) && settle_spin_member(step) && settle_future(step);
            if (step.kind == StepKind::JoinThread && stays) step.is_by_type = false;
            if (stays) continue;
            Step idle;
            idle.region = step.region;
            idle.next = std::move(step.next);
            step = std::move(idle);
            changed = true;
        }
        if (changed) reduce(function.steps);
    }

private:
    /// False: the step says nothing.
    bool settle_spin_lock(Step& step) const {
        if (spin_locks_.count(step.value.name) == 0) return false;
        if (step.turn != Turn::No && !sets_to_zero(step)) return false;
        const auto local = gathering_.turn_locals.find(step.value.name);
        if (local != gathering_.turn_locals.end()) {
            step.value.kind = Value::Kind::Local;
            step.value.name = local->second.local_name;
        }
        step.turn = Turn::No;
        step.name = 0;
        step.arguments.clear();
        return true;
    }

    /// Of a static future that is of no promise, who waits for it waits for a thread.
    void join_future(Step& step) const {
        const auto found = gathering_.async_futures.find(step.value.name);
        if (found == gathering_.async_futures.end()) return;
        if (step.kind == StepKind::StartThread && !found->second.is_alone())
            step.value = constant(1);
        const bool waits = step.kind == StepKind::Acquire && step.turn == Turn::Is;
        if (!waits || good_.count(step.value.name) != 0) return;
        const std::vector<StringId>& threads = found->second.threads;
        step.kind = StepKind::JoinThread;
        step.turn = Turn::No;
        step.is_by_type = found->second.is_other;
        step.name = threads.size() == 1 && !step.is_by_type ? threads.front() : 0;
        if (!found->second.is_alone()) step.value = constant(1);
        step.arguments.clear();
    }

    bool settle_turn(Step& step) const {
        if (step.turn == Turn::No || step.turn == Turn::InOrder) return true;
        if (good_.count(step.value.name) == 0) return false;
        const auto count = job_counts_.find(step.value.name);
        return count == job_counts_.end() ? !is_only_of_count(step)
                                          : settle_job_count(step, count->second);
    }

    /// Who waits for a future that is not known may wait for a promise: that ends no thread.
    bool settle_future(const Step& step) const {
        return step.kind != StepKind::JoinThread || !step.is_by_type ||
               !gathering_.has_futures_of_promises;
    }

    bool settle_spin_member(const Step& step) const {
        const bool is_lock = (step.kind == StepKind::Acquire || step.kind == StepKind::Release) &&
                             step.turn == Turn::No;
        const auto member = gathering_.spin_members.find(step.value.name);
        if (!is_lock || step.value.name == 0 || member == gathering_.spin_members.end())
            return true;
        const SpinMember& use = gathering_.spin_member_uses[member->second];
        return use.is_taken && !use.is_bad;
    }

    Gathering& gathering_;
    JobCounts job_counts_;
    std::unordered_set<StringId> good_;
    std::unordered_set<StringId> spin_locks_;
};

}  // namespace

void settle_turns(Gathering& gathering) {
    const Settling settling(gathering);
    settling.settle_teams();
    for (Function& function : gathering.unit.functions)
        settling.settle(function);
}

}  // namespace mqinspect::thread_level::plugin
