/// The C library's locks, which are C++'s, too; and what has a thread wait for another one.
#include "thread_level/checks/locks.h"

#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include <cerrno>

#include "thread_level/checks/next.h"
#include "thread_level/checks/team.h"

namespace mqinspect::thread_level::checks {

void hold(std::uintptr_t exclusion) {
    here.held.add(exclusion, here.frame != nullptr ? here.frame->team->depth : 0);
}

namespace {

/// The last owner has died.
bool is_taken(int result) {
    return result == 0 || result == EOWNERDEAD;
}

}  // namespace
}  // namespace mqinspect::thread_level::checks

using mqinspect::thread_level::checks::exclusion_of;
using mqinspect::thread_level::checks::hold;
using mqinspect::thread_level::checks::is_taken;
using mqinspect::thread_level::checks::kSharedBit;
using mqinspect::thread_level::checks::leave_call;
using mqinspect::thread_level::checks::NextFunction;
using mqinspect::thread_level::checks::note_wait;
using mqinspect::thread_level::checks::release;

#define EXPORTED __attribute__((visibility("default")))

// Takes the lock if it succeeds.
#define TAKE(name, bits, parameters, types, arguments)        \
    EXPORTED int name parameters {                            \
        static constinit NextFunction<int types> next(#name); \
        leave_call(__builtin_frame_address(0));               \
        const int result = next arguments;                    \
        if (is_taken(result)) hold(exclusion_of(lock, bits)); \
        return result;                                        \
    }
#define GIVE(name, Lock)                                       \
    EXPORTED int name(Lock* lock) {                            \
        static constinit NextFunction<int(Lock*)> next(#name); \
        leave_call(__builtin_frame_address(0));                \
        release(exclusion_of(lock));                           \
        return next(lock);                                     \
    }
// Comes back when another thread has done something.
#define WAIT(name, parameters, types, arguments)              \
    EXPORTED int name parameters {                            \
        static constinit NextFunction<int types> next(#name); \
        leave_call(__builtin_frame_address(0));               \
        const int result = next arguments;                    \
        note_wait();                                          \
        return result;                                        \
    }

using Mutex = pthread_mutex_t;
using ReadersLock = pthread_rwlock_t;
using Condition = pthread_cond_t;
using Time = const struct timespec;

extern "C" {

TAKE(pthread_mutex_lock, 0, (Mutex * lock), (Mutex*), (lock))
TAKE(pthread_mutex_trylock, 0, (Mutex * lock), (Mutex*), (lock))
TAKE(pthread_mutex_timedlock, 0, (Mutex * lock, Time* end), (Mutex*, Time*), (lock, end))
TAKE(pthread_mutex_clocklock,
     0,
     (Mutex * lock, clockid_t clock, Time* end),
     (Mutex*, clockid_t, Time*),
     (lock, clock, end))
GIVE(pthread_mutex_unlock, Mutex)

}  // extern "C"
