/// Teams of OpenMP threads, and what each thread executed since the last barrier of its team.
///
/// Everything that a thread writes is its own; the others read. Of two executions the later one
/// sees the earlier, so each pair is compared at least once, and no lock is needed.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "thread_level/checks/record.h"

namespace mqinspect::thread_level::checks {

/// Of a thread between two barriers. Those that are the same but for when they were are one.
struct Execution {
    static constexpr std::size_t kMostExclusions = 8;

    std::atomic<std::uint64_t> phase{0};  ///< written last; the rest holds in this phase
    const Site* site = nullptr;
    Communicator communicator;
    /// Something that is not understood orders it, or it holds more locks than have place here.
    bool is_unclear = false;
    std::uint32_t first_turn = 0;  ///< Frame::turn of the first one
    std::uint32_t last_turn = 0;   ///< for the thread itself
    std::uint32_t exclusion_count = 0;
    std::array<std::uintptr_t, kMostExclusions> exclusions{};
};

/// The executions of one thread as a part of one team.
struct ExecutionList {
    std::atomic<bool> in_use{false};
    ExecutionList* next_of_record = nullptr;
    ExecutionList* next = nullptr;  ///< of the team
    int thread = 0;                 ///< number in the team
    std::uint64_t path = 0;  ///< which thread of teams that the team's thread has made; 0: itself
    std::uint64_t phase = 0;
    std::atomic<std::uint32_t> count{0};
    std::array<Execution, 32> items;
};

/// Lives while its region runs, on the stack of the thread that has made it.
struct Team {
    std::atomic<ExecutionList*> lists{nullptr};
    Held inherited{};        ///< by the maker; keep each member from others of its outer teams
    Frame* outer = nullptr;  ///< the maker's; nullptr: none, or the maker is in a task
    std::uint32_t depth = 0;
    /// In which threads let each other go on by other means than barriers and locks.
    std::atomic<std::uint64_t> unclear_phase{0};
};

/// One thread as a part of its innermost team, on its stack.
struct Frame {
    static constexpr std::size_t kMostLevels = 4;

    Team* team = nullptr;
    int thread = 0;
    int size = 1;
    int level = 0;  ///< omp_get_level(): another one belongs to a region that is not known
    std::uint64_t phase = 1;  ///< goes up with each barrier
    std::uint32_t turn = 0;   ///< goes up with each `single` and `section` that the thread comes to
    std::uint64_t unclear_phase = 0;                  ///< in which it waited for another thread
    std::array<ExecutionList*, kMostLevels> lists{};  ///< of the team, and of those around it
};

/// The part of a thread in a region: from its construction on it is in the team.
class Membership {
public:
    explicit Membership(Team& team);
    ~Membership();
    Membership(const Membership&) = delete;
    Membership& operator=(const Membership&) = delete;

private:
    Frame frame_;
    Frame* frame_before_;
    unsigned tasks_before_;
};

/// To be called by the thread that makes the team, before and after.
void start_team(Team& team);
void end_team(Team& team);

/// The calling thread has passed a barrier of its team.
void pass_barrier();
/// It comes to a `single` or `section`.
void take_turn();
/// It has waited for another thread by other means than barriers and locks, or lets others go on
/// that may do so. Within MPI calls that means nothing.
void note_wait();
void note_signal();
/// Iterations of a loop that the team executes wait for each other.
void note_ordered_iterations();

/// The number of parallel regions around, with more than one thread.
int active_level();

/// Where the calling thread is, for people.
Party party_of(const Site& site);

/// Compares it with what the other threads of its teams executed since the last barrier.
void note_execution(Record& record, const Site& site, Communicator communicator);

}  // namespace mqinspect::thread_level::checks
