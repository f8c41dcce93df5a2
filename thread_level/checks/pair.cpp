#include "thread_level/checks/pair.h"

#include <algorithm>
#include <cstddef>

#include "thread_level/checks/memory.h"
#include "thread_level/checks/message.h"
#include "thread_level/checks/mpi_library.h"
#include "thread_level/checks/run_report.h"

namespace mqinspect::thread_level::checks {
namespace {

constexpr std::size_t kBuckets = 1024;
constexpr unsigned kIdBits = 32;
/// Further bits: what was said of the pair.
constexpr unsigned kSaid = 8;
constexpr unsigned kSaidCollectives = 16;

struct Pair {
    std::uint64_t ids = 0;
    std::atomic<unsigned> known{0};
    Pair* next = nullptr;
};

constinit SpinLock lock;
constinit std::atomic<Pair*> pairs[kBuckets];

Pair* find_in(Pair* pair, std::uint64_t ids) {
    while (pair != nullptr && pair->ids != ids)
        pair = pair->next;
    return pair;
}

Pair* find_pair(std::uint32_t low, std::uint32_t high) {
    const std::uint64_t ids = (std::uint64_t{high} << kIdBits) | low;
    std::atomic<Pair*>& head = pairs[(low * std::size_t{31} + high) % kBuckets];
    if (Pair* const pair = find_in(head.load(std::memory_order_acquire), ids)) return pair;
    const Locked locked(lock);
    Pair* const before = head.load(std::memory_order_acquire);
    if (Pair* const pair = find_in(before, ids)) return pair;
    Pair* const pair = make<Pair>();
    if (pair == nullptr) return nullptr;
    pair->ids = ids;
    pair->next = before;
    head.store(pair, std::memory_order_release);
    return pair;
}

void say_wrong(Pair& pair, unsigned kinds, const Party& one, const Party& other) {
    if ((kinds & kCollectives) != 0) {
        // A pair that is wrong at each level needs no level.
        const unsigned said = pair.known.fetch_or(kSaid | kSaidCollectives);
        if ((said & kSaidCollectives) == 0) say_collectives(one, other);
        return;
    }
    const int level = provided_level();
    if (level < 0 || level >= kMultiple) return;
    if ((pair.known.fetch_or(kSaid) & kSaid) == 0)
        say_pair(one, other, (kinds & kOverlapped) != 0, level);
}

}  // namespace

void confirm(unsigned kinds, const Party& one, const Party& other) {
    const auto [low, high] = std::minmax(one.site->id, other.site->id);
    Pair* const pair = find_pair(low, high);
    if (pair == nullptr) return;
    if ((kinds & ~pair->known.load(std::memory_order_relaxed)) == 0) return;
    const unsigned fresh = kinds & ~pair->known.fetch_or(kinds);
    if (fresh == 0) return;
    if ((fresh & kUnordered) != 0) report_pair("unordered", low, high);
    if ((fresh & kOverlapped) != 0) report_pair("overlapped", low, high);
    if ((fresh & kCollectives) != 0) report_pair("collectives", low, high);
    say_wrong(*pair, kinds, one, other);
}

void forget_pairs_after_fork() {
    lock.unlock();
    for (std::atomic<Pair*>& head : pairs) {
        for (Pair* pair = head.load(); pair != nullptr; pair = pair->next)
            pair->known = 0;
    }
}

}  // namespace mqinspect::thread_level::checks
