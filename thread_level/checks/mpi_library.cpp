#include "thread_level/checks/mpi_library.h"

#include <cstdint>
#include <cstdlib>

#include "thread_level/checks/run_report.h"

// The program's MPI library, or none.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
[[gnu::weak]] int PMPI_Initialized(int*);
[[gnu::weak]] int PMPI_Finalized(int*);
[[gnu::weak]] int PMPI_Query_thread(int*);
[[gnu::weak]] int PMPI_Is_thread_main(int*);
[[gnu::weak]] int PMPI_Comm_rank(std::uintptr_t, int*);
[[gnu::weak]] extern char ompi_mpi_comm_world;
}
// NOLINTEND(readability-identifier-naming)

namespace mqinspect::thread_level::checks {
namespace {

constexpr const char* kNames[] = {
    "MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"};
constexpr std::uintptr_t kMpichWorld = 0x44000000;  // MPI_COMM_WORLD of MPICH and its kin

constinit std::atomic<int> level{-1};
constinit std::atomic<int> rank{-1};
constinit std::atomic<bool> is_rank_asked{false};
constinit std::atomic<bool> is_reported{false};

/// Whether it may be asked more than whether it may be asked.
bool is_running() {
    int flag = 0;
    if (PMPI_Initialized != nullptr && (PMPI_Initialized(&flag) != 0 || flag == 0)) return false;
    flag = 0;
    return PMPI_Finalized == nullptr || (PMPI_Finalized(&flag) == 0 && flag == 0);
}

/// What the launcher says: needs no call.
int rank_in_environment() {
    for (const char* name : {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK"}) {
        const char* const value = std::getenv(name);
        if (value == nullptr || *value == '\0') continue;
        char* end = nullptr;
        const long number = std::strtol(value, &end, 10);
        if (*end == '\0' && number >= 0 && number <= INT32_MAX) return static_cast<int>(number);
    }
    return -1;
}

/// To be called by the main thread, which may call MPI at each level.
int rank_in_library() {
    if (PMPI_Comm_rank == nullptr) return -1;
    const std::uintptr_t world = &ompi_mpi_comm_world != nullptr
                                     ? reinterpret_cast<std::uintptr_t>(&ompi_mpi_comm_world)
                                     : kMpichWorld;
    int found = -1;
    return PMPI_Comm_rank(world, &found) == 0 ? found : -1;
}

void learn_level() {
    int found = -1;
    if (PMPI_Query_thread == nullptr || !is_running() || PMPI_Query_thread(&found) != 0) return;
    if (found < kSingle || found > kMultiple) return;
    int expected = -1;
    if (rank.load() < 0) rank.store(rank_in_environment());
    level.compare_exchange_strong(expected, found);
}

}  // namespace

const char* name_of_level(int number) {
    return kNames[number];
}

int provided_level() {
    return level.load(std::memory_order_relaxed);
}

int own_rank() {
    return rank.load(std::memory_order_relaxed);
}

int is_main_thread(Record& record) {
    if (record.is_main >= 0 || provided_level() < 0) return record.is_main;
    int flag = 0;
    if (PMPI_Is_thread_main != nullptr && is_running() && PMPI_Is_thread_main(&flag) == 0)
        record.is_main = flag != 0 ? 1 : 0;
    return record.is_main;
}

void learn(Record& record) {
    if (provided_level() < 0) learn_level();
    if (provided_level() < 0) return;
    if (is_main_thread(record) == 1 && own_rank() < 0 && !is_rank_asked.exchange(true)) {
        rank.store(is_running() ? rank_in_library() : -1);
        if (own_rank() >= 0 && is_reported) report_number("rank", own_rank());
    }
    if (!is_reported.load(std::memory_order_relaxed) && !is_reported.exchange(true)) {
        if (own_rank() >= 0) report_number("rank", own_rank());
        report_number("provided", provided_level());
    }
}

void forget_library_after_fork() {
    is_reported = false;
}

}  // namespace mqinspect::thread_level::checks
