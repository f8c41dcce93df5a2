/// Semaphores that together are one token: who has waited for one of them has the token until it
/// posts one of them (Dijkstra's split binary semaphore).
#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;
using Node = std::uint32_t;

/// A region of a function that one thread of a team executes.
struct PartOfTeam {
    FunctionId function = kNone;
    RegionId region = 0;
};

using TokenPlaces = std::set<std::pair<FunctionId, StepId>>;

struct Token {
    std::set<StringId> semaphores;
    std::set<FunctionId> holders;  ///< functions that only who has it enters
    TokenPlaces places;            ///< steps that only who has it comes to
    /// Each semaphore has one thread that waits for it, so that it is known who is next.
    bool is_in_order = true;
};

struct Tokens {
    std::vector<Token> all;
    std::unordered_map<StringId, std::vector<std::uint32_t>> of_semaphore;
    /// Semaphores that are 1 at first, and nothing but locks, as far as is known.
    std::unordered_set<StringId> locks;
    /// Those that are posted more often than they are waited for: they let several in.
    std::unordered_set<StringId> overfull;
};

/// `unsure`: semaphores of which not all is known.
Tokens tokens_of(const Program& program, const std::unordered_set<StringId>& unsure);

}  // namespace mqinspect::thread_level
