/// MPI calls in the source, by the strings that the plugin has put beside them.
#pragma once

#include <atomic>
#include <cstdint>

namespace mqinspect::thread_level::checks {

/// One for all strings that read the same. Lives as long as the process.
struct Site {
    std::uint32_t id = 0;
    std::uint32_t hash = 0;
    const char* text = nullptr;  ///< all of it; not the program's, whose library may be unloaded
    bool is_usable = false;      ///< false: of a version that is not ours
    bool is_collective = false;
    bool is_by_chance = false;  ///< which thread executes it
    char communicator = '-';
    const char* procedure = "";
    const char* function = "";
    const char* line = "";
    const char* column = "";
    const char* file = "";
    Site* next = nullptr;

    std::atomic<bool> is_announced{false};  ///< in the run report
    std::atomic<int> highest{-1};           ///< level of a context
    std::atomic<bool> is_said{false};       ///< that the level is too low
};

/// nullptr: not usable, which is said once, or no memory. Takes no lock but for a new address.
Site* find_site(const char* text);

/// In the child: nothing is announced or said.
void forget_sites_after_fork();

}  // namespace mqinspect::thread_level::checks
