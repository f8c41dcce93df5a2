/// What libgomp has for one thread at a time: locks, critical sections, ordered regions.
#include "thread_level/checks/locks.h"
#include "thread_level/checks/next.h"
#include "thread_level/checks/team.h"

// libgomp has chosen the names.
// NOLINTBEGIN(readability-identifier-naming)

using mqinspect::thread_level::checks::exclusion_of;
using mqinspect::thread_level::checks::here;
using mqinspect::thread_level::checks::hold;
using mqinspect::thread_level::checks::kOrderedBit;
using mqinspect::thread_level::checks::leave_call;
using mqinspect::thread_level::checks::OpenmpFunction;
using mqinspect::thread_level::checks::release;

namespace {

/// Stands for the critical sections without a name. The low bits of its address are not its own.
alignas(8) constinit char unnamed;

/// An ordered region binds to a loop, and the team executes one such loop at a time.
std::uintptr_t ordered_region() {
    return exclusion_of(
        here.frame != nullptr ? static_cast<const void*>(here.frame->team) : &unnamed, kOrderedBit);
}

}  // namespace

#define EXPORTED __attribute__((visibility("default")))

#define SET(name)                                                 \
    EXPORTED void name(void* lock) {                              \
        static constinit OpenmpFunction<void(void*)> next(#name); \
        leave_call(__builtin_frame_address(0));                   \
        next(lock);                                               \
        hold(exclusion_of(lock));                                 \
    }
#define UNSET(name)                                               \
    EXPORTED void name(void* lock) {                              \
        static constinit OpenmpFunction<void(void*)> next(#name); \
        leave_call(__builtin_frame_address(0));                   \
        release(exclusion_of(lock));                              \
        next(lock);                                               \
    }
#define TEST(name)                                               \
    EXPORTED int name(void* lock) {                              \
        static constinit OpenmpFunction<int(void*)> next(#name); \
        leave_call(__builtin_frame_address(0));                  \
        const int is_set = next(lock);                           \
        if (is_set != 0) hold(exclusion_of(lock));               \
        return is_set;                                           \
    }

extern "C" {

SET(omp_set_lock)
UNSET(omp_unset_lock)
TEST(omp_test_lock)
SET(omp_set_nest_lock)
UNSET(omp_unset_nest_lock)
TEST(omp_test_nest_lock)
// Fortran's: the variable itself is the lock, or has its address.
SET(omp_set_lock_)
UNSET(omp_unset_lock_)
TEST(omp_test_lock_)
SET(omp_set_nest_lock_)
UNSET(omp_unset_nest_lock_)
TEST(omp_test_nest_lock_)

// The address of the variable that stands for the name.
SET(GOMP_critical_name_start)
UNSET(GOMP_critical_name_end)

EXPORTED void GOMP_critical_start() {
    static constinit OpenmpFunction<void()> next("GOMP_critical_start");
    leave_call(__builtin_frame_address(0));
    next();
    hold(exclusion_of(&unnamed));
}

EXPORTED void GOMP_critical_end() {
    static constinit OpenmpFunction<void()> next("GOMP_critical_end");
    leave_call(__builtin_frame_address(0));
    release(exclusion_of(&unnamed));
    next();
}

EXPORTED void GOMP_ordered_start() {
    static constinit OpenmpFunction<void()> next("GOMP_ordered_start");
    leave_call(__builtin_frame_address(0));
    next();
    hold(ordered_region());
}

EXPORTED void GOMP_ordered_end() {
    static constinit OpenmpFunction<void()> next("GOMP_ordered_end");
    leave_call(__builtin_frame_address(0));
    release(ordered_region());
    next();
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
