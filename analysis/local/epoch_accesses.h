/// The one-sided operations of all epochs that are not over for everybody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>

#include "analysis/local/target_accesses.h"

namespace mqinspect::analysis {

/// An epoch is over when all its parts have ended: the rounds of each member of a window, or the
/// post and the starts that belong together.
class EpochAccesses {
public:
    /// Window, kind of the epoch, its number.
    using Key = std::tuple<std::int64_t, TargetAccesses::Kind, std::int64_t>;

    TargetAccesses& of(const Key& key) { return accesses_[key]; }

    /// A process has passed the epoch, as so many do.
    void leave(const Key& key, std::size_t processes) {
        if (++left_[key] < processes) return;
        left_.erase(key);
        accesses_.erase(key);
    }

    void begin_parts(const Key& key, std::size_t parts) { parts_[key] = parts; }
    void end_part(const Key& key) {
        const auto parts = parts_.find(key);
        if (parts == parts_.end()) return;
        if (--parts->second > 0) return;
        parts_.erase(parts);
        accesses_.erase(key);
    }

private:
    std::map<Key, TargetAccesses> accesses_;
    std::map<Key, std::size_t> left_;   ///< processes that have passed it
    std::map<Key, std::size_t> parts_;  ///< that are to come
};

}  // namespace mqinspect::analysis
