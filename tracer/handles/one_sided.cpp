#include "tracer/handles/one_sided.h"

#include <limits>

#include "tracer/handles/datatypes.h"
#include "tracer/handles/handle_map.h"
#include "tracer/log/memory.h"

namespace mqinspect::tracer {
namespace {

constexpr int kSeveral = -1;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kWindows = 16;

/// Operations of a window since all of them were complete.
struct Transfers {
    std::uint64_t window = 0;
    int target = kSeveral;
    std::int64_t bytes = 0;  ///< 0: the place is free
};

SpinLock lock;  // of all that follows
Transfers open[kWindows];
bool too_many_windows = false;  // from then on nothing is known

std::int64_t sum(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? kMost : result;
}

Transfers* find(std::uint64_t window) {
    for (Transfers& transfers : open)
        if (transfers.bytes != 0 && transfers.window == window) return &transfers;
    return nullptr;
}

Transfers* free_place() {
    for (Transfers& transfers : open)
        if (transfers.bytes == 0) return &transfers;
    return nullptr;
}

}  // namespace

void one_sided_started(MPI_Win window, int target, std::int64_t count, MPI_Datatype datatype) {
    const DatatypeInfo* const info = datatype_info(datatype);
    std::int64_t bytes = 0;
    if (info == nullptr || __builtin_mul_overflow(count, info->size, &bytes)) bytes = kMost;
    if (bytes <= 0) return;
    const std::uint64_t handle = handle_bits(window);
    const Locked locked(lock);
    if (Transfers* const known = find(handle)) {
        known->bytes = sum(known->bytes, bytes);
        if (known->target != target) known->target = kSeveral;
    } else if (Transfers* const place = free_place()) {
        *place = {handle, target, bytes};
    } else {
        too_many_windows = true;
    }
}

void one_sided_completed(MPI_Win window) {
    const Locked locked(lock);
    if (Transfers* const known = find(handle_bits(window))) known->bytes = 0;
}

void one_sided_completed(MPI_Win window, int target) {
    const Locked locked(lock);
    Transfers* const known = find(handle_bits(window));
    if (known != nullptr && known->target == target) known->bytes = 0;
}

std::int64_t one_sided_bytes() {
    const Locked locked(lock);
    if (too_many_windows) return kMost;
    std::int64_t bytes = 0;
    for (const Transfers& transfers : open)
        bytes = sum(bytes, transfers.bytes);
    return bytes;
}

}  // namespace mqinspect::tracer
