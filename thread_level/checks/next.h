/// The functions of other libraries in place of which this one has its own.
#pragma once

#include <atomic>

namespace mqinspect::thread_level::checks {

/// Where the next library has it; the process ends with a message if none has.
void* find_next(const char* name);
/// Of libgomp, which is loaded if the linker thought that nobody needs it.
void* find_in_openmp(const char* name);

/// One function; found when it is called first.
template <class Function, void* (*kFind)(const char*)>
class Next {
public:
    constexpr explicit Next(const char* name) : name_(name) {}

    template <class... Arguments>
    auto operator()(Arguments... arguments) {
        Function* function = function_.load(std::memory_order_relaxed);
        if (function == nullptr) [[unlikely]] {
            function = reinterpret_cast<Function*>(kFind(name_));
            function_.store(function, std::memory_order_relaxed);
        }
        return function(arguments...);
    }

private:
    const char* name_;
    std::atomic<Function*> function_{nullptr};
};

template <class Function>
using NextFunction = Next<Function, find_next>;
template <class Function>
using OpenmpFunction = Next<Function, find_in_openmp>;

}  // namespace mqinspect::thread_level::checks
