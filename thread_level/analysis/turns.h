/// Threads that hand the turn on by a variable, from what it is when they start.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "thread_level/analysis/shared_barriers.h"
#include "thread_level/analysis/tokens.h"
#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;
class TurnWrites;

/// Variables, and what they are when threads start, and until they are written to.
using FirstTurns = std::vector<std::pair<StringId, std::uint32_t>>;

/// By the thread that starts others, which has not waited for the variable; see hasty_writes.h.
struct HastyWrite {
    /// What the variable may be in front of it; nothing: what it is not compared with.
    std::optional<std::int64_t> from;
    std::optional<std::int64_t> to;  ///< nothing: not known
    bool is_locked = false;          ///< not while others hold the lock
};

struct Turns {
    /// Of functions that one thread executes, by the only one call that starts it, and of main():
    /// variables that this thread alone writes to from there on.
    std::unordered_map<FunctionId, FirstTurns> of_thread;
    /// Of steps outside of teams, by the thread that starts others: variables that nobody else
    /// writes to from there on. It starts one there, or has written that itself.
    std::map<std::pair<FunctionId, StepId>, FirstTurns> of_starter;
    /// Of parallel regions: variables that nobody but their team writes to meanwhile.
    std::map<std::pair<FunctionId, RegionId>, FirstTurns> of_team;
    /// By variable.
    std::unordered_map<StringId, std::vector<HastyWrite>> hasty;
    /// The function whose own a variable is. Static ones are not in it.
    std::unordered_map<StringId, FunctionId> owners;
    /// Variables that are one of two numbers.
    std::unordered_map<StringId, std::pair<std::int64_t, std::int64_t>> either;
    /// Variables of several units that something writes to which steps don't tell of.
    std::unordered_set<StringId> unsure;
    Tokens tokens;
    /// 0 until all have come that it waits for, and 1 then.
    std::unordered_set<StringId> latches;
    /// Of latches: those that are shut again and again, by who starts threads; see
    /// gcc_plugin/job_counts.h.
    std::unordered_set<StringId> job_counts;
    /// Of a latch: others that are 1 once it is, for who counts it down has waited for them.
    std::map<StringId, std::vector<StringId>> latches_before;
    /// Barriers that threads wait at which the program starts itself.
    SharedBarriers barriers;
};

Turns turns_of(const Program& program);

/// Whether what is written to the variable counts as a number, and steps tell of all of that.
bool is_number(const Turns& turns, StringId variable);

/// Whatever writes to the variable while the team of the function's region executes that, its steps
/// say so.
bool is_written_by_team(const Program& program,
                        const TurnWrites& writes,
                        const Turns& turns,
                        std::pair<FunctionId, RegionId> team,
                        StringId variable);

}  // namespace mqinspect::thread_level
