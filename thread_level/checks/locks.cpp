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
using mqinspect::thread_level::checks::note_signal;
using mqinspect::thread_level::checks::note_wait;
using mqinspect::thread_level::checks::release;

#define EXPORTED __attribute__((visibility("default")))

// Parts of declarations are no expressions.
// NOLINTBEGIN(bugprone-macro-parentheses)
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

// Lets another thread go on.
#define SIGNAL(name, Object)                                     \
    EXPORTED int name(Object* object) {                          \
        static constinit NextFunction<int(Object*)> next(#name); \
        leave_call(__builtin_frame_address(0));                  \
        note_signal();                                           \
        return next(object);                                     \
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

TAKE(mtx_lock, 0, (mtx_t * lock), (mtx_t*), (lock))
TAKE(mtx_trylock, 0, (mtx_t * lock), (mtx_t*), (lock))
TAKE(mtx_timedlock, 0, (mtx_t * lock, Time* end), (mtx_t*, Time*), (lock, end))
GIVE(mtx_unlock, mtx_t)

TAKE(pthread_spin_lock, 0, (pthread_spinlock_t * lock), (pthread_spinlock_t*), (lock))
TAKE(pthread_spin_trylock, 0, (pthread_spinlock_t * lock), (pthread_spinlock_t*), (lock))
GIVE(pthread_spin_unlock, pthread_spinlock_t)

TAKE(pthread_rwlock_wrlock, 0, (ReadersLock * lock), (ReadersLock*), (lock))
TAKE(pthread_rwlock_trywrlock, 0, (ReadersLock * lock), (ReadersLock*), (lock))
TAKE(pthread_rwlock_timedwrlock,
     0,
     (ReadersLock * lock, Time* end),
     (ReadersLock*, Time*),
     (lock, end))
TAKE(pthread_rwlock_clockwrlock,
     0,
     (ReadersLock * lock, clockid_t clock, Time* end),
     (ReadersLock*, clockid_t, Time*),
     (lock, clock, end))
TAKE(pthread_rwlock_rdlock, kSharedBit, (ReadersLock * lock), (ReadersLock*), (lock))
TAKE(pthread_rwlock_tryrdlock, kSharedBit, (ReadersLock * lock), (ReadersLock*), (lock))
TAKE(pthread_rwlock_timedrdlock,
     kSharedBit,
     (ReadersLock * lock, Time* end),
     (ReadersLock*, Time*),
     (lock, end))
TAKE(pthread_rwlock_clockrdlock,
     kSharedBit,
     (ReadersLock * lock, clockid_t clock, Time* end),
     (ReadersLock*, clockid_t, Time*),
     (lock, clock, end))
GIVE(pthread_rwlock_unlock, ReadersLock)

// A condition's lock is held again when it comes back.
WAIT(pthread_cond_wait,
     (Condition * condition, Mutex* lock),
     (Condition*, Mutex*),
     (condition, lock))
WAIT(pthread_cond_timedwait,
     (Condition * condition, Mutex* lock, Time* end),
     (Condition*, Mutex*, Time*),
     (condition, lock, end))
WAIT(pthread_cond_clockwait,
     (Condition * condition, Mutex* lock, clockid_t clock, Time* end),
     (Condition*, Mutex*, clockid_t, Time*),
     (condition, lock, clock, end))
WAIT(cnd_wait, (cnd_t * condition, mtx_t* lock), (cnd_t*, mtx_t*), (condition, lock))
WAIT(cnd_timedwait,
     (cnd_t * condition, mtx_t* lock, Time* end),
     (cnd_t*, mtx_t*, Time*),
     (condition, lock, end))
WAIT(sem_wait, (sem_t * semaphore), (sem_t*), (semaphore))
WAIT(sem_trywait, (sem_t * semaphore), (sem_t*), (semaphore))
WAIT(sem_timedwait, (sem_t * semaphore, Time* end), (sem_t*, Time*), (semaphore, end))
WAIT(sem_clockwait,
     (sem_t * semaphore, clockid_t clock, Time* end),
     (sem_t*, clockid_t, Time*),
     (semaphore, clock, end))
SIGNAL(pthread_cond_signal, Condition)
SIGNAL(pthread_cond_broadcast, Condition)
SIGNAL(cnd_signal, cnd_t)
SIGNAL(cnd_broadcast, cnd_t)
SIGNAL(sem_post, sem_t)
WAIT(pthread_barrier_wait, (pthread_barrier_t * barrier), (pthread_barrier_t*), (barrier))
WAIT(pthread_join, (pthread_t thread, void** value), (pthread_t, void**), (thread, value))

}  // extern "C"
// NOLINTEND(bugprone-macro-parentheses)
