#include "thread_level/checks/team.h"

#include <algorithm>

#include "thread_level/checks/memory.h"
#include "thread_level/checks/next.h"
#include "thread_level/checks/pair.h"

// The program's OpenMP runtime, or none.
extern "C" [[gnu::weak]] int omp_get_active_level();

namespace mqinspect::thread_level::checks {
namespace {

using Query = int();
constinit OpenmpFunction<Query> thread_number("omp_get_thread_num");
constinit OpenmpFunction<Query> team_size("omp_get_num_threads");
constinit OpenmpFunction<Query> openmp_level("omp_get_level");
constinit OpenmpFunction<Query> openmp_active_level("omp_get_active_level");
/// Of numbers along a path of threads.
constexpr std::uint64_t kMix = 1'000'003;
/// The runtime may have been loaded after this library.
constinit std::atomic<bool> has_openmp{false};

/// Of the calling thread; nullptr if it is in another region than the innermost that is known.
Frame* own_frame() {
    Frame* const frame = here.frame;
    return frame != nullptr && frame->level == openmp_level() ? frame : nullptr;
}

ExecutionList* take_list(Record& record) {
    ExecutionList* list = record.lists;
    while (list != nullptr && list->in_use.load(std::memory_order_acquire))
        list = list->next_of_record;
    if (list == nullptr) {
        list = make<ExecutionList>();
        if (list == nullptr) return nullptr;
        list->next_of_record = record.lists;
        record.lists = list;
    }
    list->in_use.store(true, std::memory_order_relaxed);
    list->phase = 0;
    list->count.store(0, std::memory_order_relaxed);
    // What another team left here must not look like this one's.
    for (Execution& item : list->items)
        item.phase.store(0, std::memory_order_relaxed);
    return list;
}

/// The list that the calling thread writes as thread `thread` of the team.
ExecutionList* find_list(Record& record, Team& team, int thread, std::uint64_t path) {
    ExecutionList* list = team.lists.load(std::memory_order_acquire);
    for (; list != nullptr; list = list->next) {
        if (list->thread == thread && list->path == path) return list;
    }
    list = take_list(record);
    if (list == nullptr) return nullptr;
    list->thread = thread;
    list->path = path;
    list->next = team.lists.load(std::memory_order_relaxed);
    while (!team.lists.compare_exchange_weak(list->next, list))
        continue;
    return list;
}

void add_exclusions(Execution& execution, const Held& held, std::uint32_t depth) {
    if (held.dropped > 0) execution.is_unclear = true;
    for (std::uint32_t i = 0; i < held.count; ++i) {
        if (held.items[i].depth < depth) continue;
        if (execution.exclusion_count == Execution::kMostExclusions) {
            execution.is_unclear = true;
            return;
        }
        execution.exclusions[execution.exclusion_count++] = held.items[i].exclusion;
    }
}

/// As a part of the team of `frame`, which is the calling thread's or one around it.
void describe(Execution& execution, const Frame& frame) {
    const std::uint32_t depth = frame.team->depth;
    add_exclusions(execution, here.held, depth);
    for (const Frame* inner = here.frame; inner != &frame; inner = inner->team->outer) {
        add_exclusions(execution, inner->team->inherited, depth);
        execution.is_unclear |= inner->unclear_phase == inner->phase;
    }
    execution.is_unclear |= frame.unclear_phase == frame.phase;
    execution.first_turn = frame.turn;
    execution.last_turn = frame.turn;
}

bool are_alike(const Execution& one, const Execution& other) {
    return one.site == other.site && one.communicator == other.communicator &&
           one.is_unclear == other.is_unclear && one.exclusion_count == other.exclusion_count &&
           std::equal(one.exclusions.begin(),
                      one.exclusions.begin() + one.exclusion_count,
                      other.exclusions.begin());
}

/// What is wrong if threads execute them between the same two barriers.
unsigned meeting_of(const Execution& one, const Execution& other) {
    if (one.is_unclear || other.is_unclear) return 0;
    bool is_exclusive = false;
    for (std::uint32_t i = 0; i < one.exclusion_count; ++i) {
        for (std::uint32_t j = 0; j < other.exclusion_count; ++j) {
            if (!excludes(one.exclusions[i], other.exclusions[j])) continue;
            if ((one.exclusions[i] & kOrderedBit) != 0) return 0;
            is_exclusive = true;
        }
    }
    const bool is_collective = one.site->is_collective && other.site->is_collective &&
                               one.communicator.is_known && one.communicator == other.communicator;
    return (is_exclusive ? 0 : kUnordered) | (is_collective ? kCollectives : 0);
}

/// With what the same thread executed where another one could have been.
void compare_with_own(const ExecutionList& list, const Execution& now, const Frame& frame) {
    const std::uint32_t count = list.count.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Execution& before = list.items[i];
        if (before.first_turn == now.last_turn) continue;
        if (!before.site->is_by_chance && !now.site->is_by_chance) continue;
        if (const unsigned kinds = meeting_of(before, now)) {
            confirm(kinds,
                    {now.site, frame.thread, frame.size, false},
                    {before.site, list.thread, frame.size, true});
        }
    }
}

void compare_with_others(const Execution& now, const Frame& frame) {
    for (const ExecutionList* list = frame.team->lists.load(); list != nullptr; list = list->next) {
        if (list->thread == frame.thread) continue;
        const std::uint32_t count = list->count.load();
        for (std::uint32_t i = 0; i < count; ++i) {
            const Execution& other = list->items[i];
            if (other.phase.load(std::memory_order_acquire) != frame.phase) continue;
            if (const unsigned kinds = meeting_of(now, other)) {
                confirm(kinds,
                        {now.site, frame.thread, frame.size, false},
                        {other.site, list->thread, frame.size, false});
            }
        }
    }
}

void copy(Execution& to, const Execution& from, std::uint64_t phase) {
    to.site = from.site;
    to.communicator = from.communicator;
    to.is_unclear = from.is_unclear;
    to.first_turn = from.first_turn;
    to.last_turn = from.last_turn;
    to.exclusion_count = from.exclusion_count;
    to.exclusions = from.exclusions;
    to.phase.store(phase, std::memory_order_release);
}

/// `is_own`: the frame is the calling thread's, so that its turns are, too.
void note_in(ExecutionList& list, const Execution& now, const Frame& frame, bool is_own) {
    if (list.phase != frame.phase) {
        list.count.store(0, std::memory_order_relaxed);
        list.phase = frame.phase;
    }
    const std::uint32_t count = list.count.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < count; ++i) {
        Execution& before = list.items[i];
        if (!are_alike(before, now)) continue;
        // Whoever came after it has compared itself with it.
        if (is_own && before.last_turn != now.last_turn) {
            before.last_turn = now.last_turn;
            compare_with_own(list, now, frame);
        }
        return;
    }
    if (is_own) compare_with_own(list, now, frame);
    if (count < list.items.size()) {
        copy(list.items[count], now, frame.phase);
        list.count.store(count + 1);
    }
    compare_with_others(now, frame);
}

}  // namespace

Membership::Membership(Team& team) : frame_before_(here.frame), tasks_before_(here.tasks) {
    frame_.team = &team;
    frame_.thread = thread_number();
    frame_.size = team_size();
    frame_.level = openmp_level();
    here.frame = &frame_;
    here.tasks = 0;
}

Membership::~Membership() {
    here.frame = frame_before_;
    here.tasks = tasks_before_;
}

void start_team(Team& team) {
    has_openmp.store(true, std::memory_order_relaxed);
    Frame* const frame = own_frame();
    team.depth = here.frame != nullptr ? here.frame->team->depth + 1 : 1;
    team.outer = here.tasks == 0 ? frame : nullptr;
    team.inherited.count = here.held.count;
    team.inherited.dropped = here.held.dropped;
    std::copy_n(here.held.items.begin(), here.held.count, team.inherited.items.begin());
}

void end_team(Team& team) {
    for (ExecutionList* list = team.lists.load(std::memory_order_acquire); list != nullptr;) {
        ExecutionList* const next = list->next;
        list->in_use.store(false, std::memory_order_release);
        list = next;
    }
}

void pass_barrier() {
    if (Frame* const frame = own_frame()) ++frame->phase;
}

void take_turn() {
    if (Frame* const frame = own_frame()) ++frame->turn;
}

void note_wait() {
    if (here.frame != nullptr && !is_in_call()) here.frame->unclear_phase = here.frame->phase;
}

void note_signal() {
    if (here.frame == nullptr || is_in_call()) return;
    for (Frame* frame = here.frame; frame != nullptr; frame = frame->team->outer)
        frame->team->unclear_phase.store(frame->phase, std::memory_order_relaxed);
}

void note_ordered_iterations() {
    if (Frame* const frame = own_frame())
        frame->team->unclear_phase.store(frame->phase, std::memory_order_relaxed);
}

int active_level() {
    if (omp_get_active_level != nullptr) return omp_get_active_level();
    return has_openmp.load(std::memory_order_relaxed) ? openmp_active_level() : 0;
}

Party party_of(const Site& site) {
    const Frame* frame = here.frame;
    while (frame != nullptr && frame->size == 1)
        frame = frame->team->outer;
    if (frame != nullptr) return {&site, frame->thread, frame->size, false};
    return active_level() > 0 ? Party{&site, thread_number(), team_size(), false}
                              : Party{&site, -1, 0, false};
}

void note_execution(Record& record, const Site& site, Communicator communicator) {
    Frame* const own = here.frame;
    if (own == nullptr || here.tasks > 0 || own_frame() == nullptr) return;
    std::uint64_t path = 0;
    std::size_t level = 0;
    for (Frame* frame = own; frame != nullptr && level < Frame::kMostLevels;
         frame = frame->team->outer, ++level) {
        Team& team = *frame->team;
        if (frame->size > 1 && team.unclear_phase.load(std::memory_order_relaxed) != frame->phase) {
            Execution now;
            now.site = &site;
            if (site.is_collective) now.communicator = communicator;
            describe(now, *frame);
            ExecutionList*& list = own->lists[level];
            if (list == nullptr) list = find_list(record, team, frame->thread, path);
            if (list != nullptr) note_in(*list, now, *frame, frame == own);
        }
        path = path * kMix + static_cast<std::uint64_t>(frame->thread) + 1;
    }
}

}  // namespace mqinspect::thread_level::checks
