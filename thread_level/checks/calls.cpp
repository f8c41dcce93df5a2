#include <pthread.h>

#include <cerrno>
#include <cstdarg>

#include "thread_level/checks/checks.h"
#include "thread_level/checks/memory.h"
#include "thread_level/checks/message.h"
#include "thread_level/checks/mpi_library.h"
#include "thread_level/checks/pair.h"
#include "thread_level/checks/run_report.h"
#include "thread_level/checks/team.h"

#define EXPORTED __attribute__((visibility("default")))

namespace mqinspect::thread_level::checks {
namespace {

Communicator read_communicator(const Site& site, std::va_list arguments) {
    switch (site.communicator) {
        case 'i':
            return {true, static_cast<std::uint32_t>(va_arg(arguments, int))};
        case 'p':
            return {true, reinterpret_cast<std::uintptr_t>(va_arg(arguments, void*))};
        case 'r': {
            const int* const handle = va_arg(arguments, const int*);
            if (handle == nullptr) return {};
            return {true, static_cast<std::uint32_t>(*handle)};
        }
        default:
            return {};
    }
}

/// The level that this thread needs here, if it is the only one; -1: not known.
int level_here(const Site& site, Record& record) {
    const int is_main = is_main_thread(record);
    if (is_main < 0) return -1;
    if (is_main == 0) return kSerialized;
    if (active_level() == 0) return kSingle;
    // Next time it may be another one.
    return site.is_by_chance ? kSerialized : kFunneled;
}

void check_context(Site& site, Record& record, const Party& party) {
    const int level = level_here(site, record);
    int highest = site.highest.load(std::memory_order_relaxed);
    while (highest < level && !site.highest.compare_exchange_weak(highest, level))
        continue;
    if (highest < level) report_context(site, level);
    const int provided = provided_level();
    if (level <= provided || provided < 0 || site.is_said.load(std::memory_order_relaxed)) return;
    if (!site.is_said.exchange(true)) say_level(party, is_main_thread(record), level, provided);
}

void forget_after_fork() {
    unlock_memory_after_fork();
    forget_sites_after_fork();
    forget_records_after_fork();
    forget_pairs_after_fork();
    forget_library_after_fork();
    forget_report_after_fork();
}

[[gnu::constructor]] void watch_forks() {
    pthread_atfork(nullptr, nullptr, forget_after_fork);
}

void check(Site& site, Communicator communicator, const void* stack) {
    Record* const record = own_record();
    if (record == nullptr) return;
    learn(*record);
    if (!site.is_announced.load(std::memory_order_acquire)) report_site(site);
    const Party party = party_of(site);
    check_context(site, *record, party);
    begin_call(*record, party, communicator, stack);
    find_overlaps(*record, party, communicator);
    note_execution(*record, site, communicator);
}

}  // namespace
}  // namespace mqinspect::thread_level::checks

namespace checks = mqinspect::thread_level::checks;

extern "C" {

EXPORTED void mpi_thread_level_call(const char* text, ...) {
    checks::Site* const site = checks::find_site(text);
    if (site == nullptr) return;
    std::va_list arguments;
    va_start(arguments, text);
    const checks::Communicator communicator = checks::read_communicator(*site, arguments);
    va_end(arguments);
    checks::check(*site, communicator, __builtin_frame_address(0));
}

EXPORTED void mpi_thread_level_return(const char* /*site*/) {
    if (checks::here.record != nullptr) checks::end_call(*checks::here.record);
}

EXPORTED void mpi_thread_level_turn() {
    checks::note_signal();
}

EXPORTED void mpi_thread_level_task_begin() {
    checks::leave_call(__builtin_frame_address(0));
    ++checks::here.tasks;
}

EXPORTED void mpi_thread_level_task_end() {
    checks::leave_call(__builtin_frame_address(0));
    if (checks::here.tasks > 0) --checks::here.tasks;
}

}  // extern "C"
