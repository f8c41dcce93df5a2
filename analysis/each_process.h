/// Work on every process of a recorded run, on all processors.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "model/execution.h"

namespace mqinspect::analysis {

/// Calls work(ProcessId) for each of `size` processes, in threads of its own and in this one. What
/// it writes must belong to its process alone.
template <class Work>
void for_each_process(std::size_t size, Work work) {
    std::atomic<std::size_t> next{0};
    const auto run = [&] {
        for (std::size_t at = next++; at < size; at = next++)
            work(model::ProcessId(static_cast<int>(at)));
    };
    std::vector<std::jthread> threads;
    const std::size_t workers =
        std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), size);
    for (std::size_t i = 1; i < workers; ++i)
        threads.emplace_back(run);
    run();
}

}  // namespace mqinspect::analysis
