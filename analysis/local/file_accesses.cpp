#include "analysis/local/file_accesses.h"

#include <utility>

#include "analysis/local/file_view.h"

namespace mqinspect::analysis {

namespace {

constexpr std::int64_t kMostComparisons = 20'000'000;

bool write_the_same(const FileAccess& earlier, const FileAccess& made) {
    if (!earlier.writes || earlier.checksum == 0 || earlier.checksum != made.checksum) return false;
    const ByteRange one = hull_of(earlier.bytes);
    const ByteRange two = hull_of(made.bytes);
    return one.low == two.low && one.high == two.high;
}

}  // namespace

// Of one process: what comes behind the other's end is ordered by that, unless it is by another
// handle, which need not see yet what has been written (MPI 4.0, 14.6.1).
bool FileAccesses::conflict_of_one(const FileAccess& earlier, const FileAccess& made) {
    if (earlier.completed == FileAccess::kNever) return true;
    if (earlier.file == made.file || !earlier.writes) return false;
    return earlier.synchronised == FileAccess::kNever ||
           made.synchronised_before <= earlier.synchronised;
}

bool FileAccesses::conflict(const FileAccess& earlier, const FileAccess& made) {
    if ((!earlier.writes && !made.writes) || write_the_same(earlier, made)) return false;
    // Who uses atomic mode at all is taken to know what it gives.
    if (earlier.file == made.file ? earlier.atomic || made.atomic : earlier.atomic && made.atomic)
        return false;
    if (earlier.process == made.process) return conflict_of_one(earlier, made);
    const std::size_t process = earlier.process.index();
    if (!earlier.writes) {
        return earlier.completed == FileAccess::kNever ||
               (*made.known)[process] <= earlier.completed;
    }
    return earlier.synchronised == FileAccess::kNever ||
           (*made.visible)[process] <= earlier.synchronised;
}

FileAccesses::Slot FileAccesses::add(FileAccess made, const Report& report) {
    const ByteRange hull = hull_of(made.bytes);
    if (live_ == kMost || comparisons_ > kMostComparisons) return kNoSlot;
    ranges_.for_each_meeting(hull, [&](ActiveSlot slot) {
        const FileAccess& earlier = accesses_[slot];
        if (!conflict(earlier, made)) return;
        comparisons_ +=
            static_cast<std::int64_t>(earlier.bytes.runs.size() * made.bytes.runs.size());
        if (overlap(earlier.bytes, made.bytes) == Overlap::Some) report(earlier);
    });
    Access place;
    place.hull = hull;
    const ActiveSlot slot = ranges_.add(place, made.site, false, kNoSlot);
    if (slot >= accesses_.size()) {
        accesses_.resize(slot + std::size_t{1});
        used_.resize(slot + std::size_t{1});
    }
    accesses_[slot] = std::move(made);
    used_[slot] = true;
    ++live_;
    return slot;
}

void FileAccesses::clean(const std::function<bool(const FileAccess&)>& is_over) {
    for (std::size_t slot = 0; slot < accesses_.size(); ++slot) {
        if (!used_[slot] || !is_over(accesses_[slot])) continue;
        ranges_.remove(static_cast<ActiveSlot>(slot));
        used_[slot] = false;
        accesses_[slot] = {};
        --live_;
    }
    next_cleaning_ = std::max<std::size_t>(2 * live_, 1024);
}

}  // namespace mqinspect::analysis
