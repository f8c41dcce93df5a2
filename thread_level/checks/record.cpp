#include "thread_level/checks/record.h"

#include <pthread.h>

#include "thread_level/checks/memory.h"
#include "thread_level/checks/pair.h"

namespace mqinspect::thread_level::checks {

constinit thread_local Here here{};

namespace {

constinit std::atomic<Record*> records;
constinit SpinLock lock;
constinit pthread_key_t key;
constinit bool has_key = false;

void release(void* memory) {
    Record* const record = static_cast<Record*>(memory);
    if (here.record == record) here.record = nullptr;
    end_call(*record);
    record->is_taken.store(false, std::memory_order_release);
}

Record* take_record() {
    const Locked locked(lock);
    if (!has_key) has_key = pthread_key_create(&key, release) == 0;
    Record* record = records.load(std::memory_order_relaxed);
    while (record != nullptr && record->is_taken.load(std::memory_order_acquire))
        record = record->next;
    if (record == nullptr) {
        record = make<Record>();
        if (record == nullptr) return nullptr;
        record->next = records.load(std::memory_order_relaxed);
        record->is_taken = true;
        records.store(record, std::memory_order_release);
    }
    record->is_taken = true;
    record->is_main = -1;
    return record;
}

}  // namespace

Record* own_record() {
    if (here.record != nullptr) return here.record;
    here.record = take_record();
    // Without a key the record stays with this thread, when that is gone, too.
    if (here.record != nullptr && has_key) pthread_setspecific(key, here.record);
    return here.record;
}

void begin_call(Record& record, const Party& party, Communicator communicator, const void* stack) {
    std::uint64_t sequence = record.sequence.load(std::memory_order_relaxed);
    if (sequence % 2 != 0) {
        record.sequence.store(++sequence, std::memory_order_relaxed);
    }
    std::atomic_thread_fence(std::memory_order_release);
    record.site.store(party.site, std::memory_order_relaxed);
    record.communicator.store(communicator.value, std::memory_order_relaxed);
    record.has_communicator.store(communicator.is_known, std::memory_order_relaxed);
    record.thread.store(party.thread, std::memory_order_relaxed);
    record.size.store(party.size, std::memory_order_relaxed);
    record.stack = stack;
    // In one order with what find_overlaps() loads: of two threads one sees the other's.
    record.sequence.exchange(sequence + 1, std::memory_order_seq_cst);
}

void find_overlaps(const Record& record, const Party& party, Communicator communicator) {
    for (const Record* other = records.load(std::memory_order_acquire); other != nullptr;
         other = other->next) {
        if (other == &record) continue;
        const std::uint64_t sequence = other->sequence.load(std::memory_order_seq_cst);
        if (sequence % 2 == 0) continue;
        const Party with{other->site.load(std::memory_order_relaxed),
                         other->thread.load(std::memory_order_relaxed),
                         other->size.load(std::memory_order_relaxed),
                         false};
        const Communicator theirs{other->has_communicator.load(std::memory_order_relaxed),
                                  other->communicator.load(std::memory_order_relaxed)};
        std::atomic_thread_fence(std::memory_order_acquire);
        if (other->sequence.load(std::memory_order_relaxed) != sequence) continue;
        const bool is_same = communicator.is_known && communicator == theirs;
        confirm(kOverlapped |
                    (is_same && party.site->is_collective && with.site->is_collective ? kCollectives
                                                                                      : 0U),
                party,
                with);
    }
}

void forget_records_after_fork() {
    lock.unlock();
    for (Record* record = records.load(); record != nullptr; record = record->next) {
        if (record == here.record) continue;
        record->sequence = 0;
        record->is_taken = false;
    }
}

}  // namespace mqinspect::thread_level::checks
