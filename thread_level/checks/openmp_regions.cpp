/// libgomp's functions that start teams, have them wait at a barrier, or share work out.
#include <cstdint>

#include "thread_level/checks/next.h"
#include "thread_level/checks/team.h"

// libgomp has chosen the names.
// NOLINTBEGIN(readability-identifier-naming)

namespace mqinspect::thread_level::checks {
namespace {

using Body = void(void*);

/// A region: what each thread of its team executes.
struct Region {
    Body* body;
    void* data;
    Team team;
};

void execute(void* data) {
    Region& region = *static_cast<Region*>(data);
    const Membership membership(region.team);
    region.body(region.data);
}

/// Has `start(execute, region)` start and end the region.
template <class Start>
auto with_team(Body* body, void* data, Start start) {
    struct Ended {
        explicit Ended(Team& of) : team(of) { start_team(team); }
        ~Ended() { end_team(team); }
        Ended(const Ended&) = delete;
        Ended& operator=(const Ended&) = delete;
        Team& team;
    };
    Region region{body, data, {}};
    const Ended ended(region.team);
    return start(execute, &region);
}

}  // namespace
}  // namespace mqinspect::thread_level::checks

using mqinspect::thread_level::checks::Body;
using mqinspect::thread_level::checks::leave_call;
using mqinspect::thread_level::checks::note_ordered_iterations;
using mqinspect::thread_level::checks::OpenmpFunction;
using mqinspect::thread_level::checks::pass_barrier;
using mqinspect::thread_level::checks::take_turn;
using mqinspect::thread_level::checks::with_team;

#define EXPORTED __attribute__((visibility("default")))

// A region with loop bounds and a chunk size.
#define LOOP_REGION(name)                                                  \
    EXPORTED void name(Body* body,                                         \
                       void* data,                                         \
                       unsigned threads,                                   \
                       long first,                                         \
                       long last,                                          \
                       long step,                                          \
                       long chunk,                                         \
                       unsigned flags) {                                   \
        static constinit OpenmpFunction<void(                              \
            Body*, void*, unsigned, long, long, long, long, unsigned)>     \
            next(#name);                                                   \
        leave_call(__builtin_frame_address(0));                            \
        with_team(body, data, [&](Body* start, void* region) {             \
            next(start, region, threads, first, last, step, chunk, flags); \
        });                                                                \
    }
// One whose chunk size comes from the environment.
#define RUNTIME_LOOP_REGION(name)                                                                 \
    EXPORTED void name(Body* body,                                                                \
                       void* data,                                                                \
                       unsigned threads,                                                          \
                       long first,                                                                \
                       long last,                                                                 \
                       long step,                                                                 \
                       unsigned flags) {                                                          \
        static constinit OpenmpFunction<void(Body*, void*, unsigned, long, long, long, unsigned)> \
            next(#name);                                                                          \
        leave_call(__builtin_frame_address(0));                                                   \
        with_team(body, data, [&](Body* start, void* region) {                                    \
            next(start, region, threads, first, last, step, flags);                               \
        });                                                                                       \
    }
#define BARRIER(name)                                        \
    EXPORTED void name() {                                   \
        static constinit OpenmpFunction<void()> next(#name); \
        leave_call(__builtin_frame_address(0));              \
        next();                                              \
        pass_barrier();                                      \
    }
#define CANCELLABLE_BARRIER(name)                            \
    EXPORTED bool name() {                                   \
        static constinit OpenmpFunction<bool()> next(#name); \
        leave_call(__builtin_frame_address(0));              \
        const bool is_cancelled = next();                    \
        pass_barrier();                                      \
        return is_cancelled;                                 \
    }

extern "C" {

EXPORTED void GOMP_parallel(Body* body, void* data, unsigned threads, unsigned flags) {
    static constinit OpenmpFunction<void(Body*, void*, unsigned, unsigned)> next("GOMP_parallel");
    leave_call(__builtin_frame_address(0));
    with_team(body, data, [&](Body* start, void* region) { next(start, region, threads, flags); });
}

EXPORTED unsigned GOMP_parallel_reductions(Body* body,
                                           void* data,
                                           unsigned threads,
                                           unsigned flags) {
    static constinit OpenmpFunction<unsigned(Body*, void*, unsigned, unsigned)> next(
        "GOMP_parallel_reductions");
    leave_call(__builtin_frame_address(0));
    return with_team(
        body, data, [&](Body* start, void* region) { return next(start, region, threads, flags); });
}

LOOP_REGION(GOMP_parallel_loop_static)
LOOP_REGION(GOMP_parallel_loop_dynamic)
LOOP_REGION(GOMP_parallel_loop_guided)
LOOP_REGION(GOMP_parallel_loop_nonmonotonic_dynamic)
LOOP_REGION(GOMP_parallel_loop_nonmonotonic_guided)
RUNTIME_LOOP_REGION(GOMP_parallel_loop_runtime)
RUNTIME_LOOP_REGION(GOMP_parallel_loop_nonmonotonic_runtime)
RUNTIME_LOOP_REGION(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

EXPORTED void GOMP_parallel_sections(
    Body* body, void* data, unsigned threads, unsigned count, unsigned flags) {
    static constinit OpenmpFunction<void(Body*, void*, unsigned, unsigned, unsigned)> next(
        "GOMP_parallel_sections");
    leave_call(__builtin_frame_address(0));
    with_team(
        body, data, [&](Body* start, void* region) { next(start, region, threads, count, flags); });
}

BARRIER(GOMP_barrier)
BARRIER(GOMP_loop_end)
BARRIER(GOMP_sections_end)
CANCELLABLE_BARRIER(GOMP_barrier_cancel)
CANCELLABLE_BARRIER(GOMP_loop_end_cancel)
CANCELLABLE_BARRIER(GOMP_sections_end_cancel)

EXPORTED void GOMP_workshare_task_reduction_unregister(bool is_cancelled) {
    static constinit OpenmpFunction<void(bool)> next("GOMP_workshare_task_reduction_unregister");
    leave_call(__builtin_frame_address(0));
    next(is_cancelled);
    if (!is_cancelled) pass_barrier();
}

EXPORTED bool GOMP_single_start() {
    static constinit OpenmpFunction<bool()> next("GOMP_single_start");
    leave_call(__builtin_frame_address(0));
    take_turn();
    return next();
}

/// With `copyprivate`: the thread that executes the body passes the barrier behind it, the others
/// in here.
EXPORTED void* GOMP_single_copy_start() {
    static constinit OpenmpFunction<void*()> next("GOMP_single_copy_start");
    leave_call(__builtin_frame_address(0));
    take_turn();
    void* const copies = next();
    if (copies != nullptr) pass_barrier();
    return copies;
}

EXPORTED void GOMP_single_copy_end(void* copies) {
    static constinit OpenmpFunction<void(void*)> next("GOMP_single_copy_end");
    leave_call(__builtin_frame_address(0));
    next(copies);
    pass_barrier();
}

EXPORTED unsigned GOMP_sections_start(unsigned count) {
    static constinit OpenmpFunction<unsigned(unsigned)> next("GOMP_sections_start");
    leave_call(__builtin_frame_address(0));
    take_turn();
    return next(count);
}

EXPORTED unsigned GOMP_sections2_start(unsigned count, std::uintptr_t* reductions, void** memory) {
    static constinit OpenmpFunction<unsigned(unsigned, std::uintptr_t*, void**)> next(
        "GOMP_sections2_start");
    leave_call(__builtin_frame_address(0));
    take_turn();
    return next(count, reductions, memory);
}

EXPORTED unsigned GOMP_sections_next() {
    static constinit OpenmpFunction<unsigned()> next("GOMP_sections_next");
    take_turn();
    return next();
}

/// `ordered` with `depend`: the iteration lets others go on.
EXPORTED void GOMP_doacross_post(long* counts) {
    static constinit OpenmpFunction<void(long*)> next("GOMP_doacross_post");
    note_ordered_iterations();
    next(counts);
}

EXPORTED void GOMP_doacross_ull_post(unsigned long long* counts) {
    static constinit OpenmpFunction<void(unsigned long long*)> next("GOMP_doacross_ull_post");
    note_ordered_iterations();
    next(counts);
}

}  // extern "C"

// NOLINTEND(readability-identifier-naming)
