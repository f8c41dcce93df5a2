/// Semaphores that together are one token: who has waited for one of them has the token until it
/// posts one of them (Dijkstra's split binary semaphore).
#pragma once

#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;

struct Token {
    std::set<StringId> semaphores;
    std::set<FunctionId> holders;  ///< functions that only who has it enters
    /// Each semaphore has one thread that waits for it, so that it is known who is next.
    bool is_in_order = true;
};

struct Tokens {
    std::vector<Token> all;
    std::unordered_map<StringId, std::vector<std::uint32_t>> of_semaphore;
    /// Semaphores that are 1 at first, and nothing but locks, as far as is known.
    std::unordered_set<StringId> locks;
};

/// `unsure`: semaphores of which not all is known.
Tokens tokens_of(const Program& program, const std::unordered_set<StringId>& unsure);

}  // namespace mqinspect::thread_level
