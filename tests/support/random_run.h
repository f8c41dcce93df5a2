/// Random runs with what is true of them, worked out by a simple simulation.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mqinspect::test {

/// A run in which every send was buffered and everything was received. Each call has its own
/// place "x:ID".
struct RandomRun {
    int processes = 0;
    std::string statements;
    std::set<std::pair<int, int>> pairs;  ///< places of each send and its receive

    /// One step of a process, for a play under strict rules.
    struct Step {
        enum class Kind { Send, Receive, Isend, Irecv, Wait, Barrier } kind = Kind::Send;
        int id = 0;  ///< its place; of Wait: the place of what it waits for
    };
    std::vector<std::vector<Step>> steps;  ///< by process

    /// Plays it with sends that wait for their receive, by trying again and again.
    bool gets_stuck() const;
};

RandomRun make_random_run(std::uint32_t seed);

}  // namespace mqinspect::test
