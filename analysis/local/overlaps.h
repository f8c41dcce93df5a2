/// Buffers of operations that have started and not completed, and calls that use them.
///
/// A process must not write into memory that a pending operation reads, nor touch memory that
/// one writes (MPI 4.0, 3.7.2, 6.12, 12.3); that two operations read the same is allowed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/datatypes/footprint.h"
#include "analysis/local/buffers.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

/// A place in ActiveBuffers.
using ActiveSlot = std::uint32_t;
inline constexpr ActiveSlot kNoSlot = UINT32_MAX;

/// The buffers of pending operations, in blocks with a common range, so that a search among
/// many thousands of them looks at few.
class ActiveBuffers {
public:
    struct Entry {
        Access access;
        CallSite site;
        bool remote_memory = false;  ///< of a one-sided operation
        ActiveSlot next = kNoSlot;   ///< the operation's next buffer
    };

    /// Its place; `next`: where another buffer of the same operation is.
    ActiveSlot add(const Access& access, const CallSite& site, bool remote_memory, ActiveSlot next);
    /// This one, and the operation's others.
    void remove(ActiveSlot first);
    bool empty() const { return live_ == 0; }

    /// What is at a place that is in use.
    const Entry& at(ActiveSlot slot) const { return entries_[slot]; }

    /// Calls `visit(slot)` for those whose hull meets the range.
    template <class Visit>
    void for_each_meeting(const ByteRange& range, Visit visit) const {
        for (std::size_t block = 0; block < blocks_.size(); ++block) {
            if (!blocks_[block].range.meets(range)) continue;
            const std::size_t end = std::min(entries_.size(), (block + 1) * kBlock);
            for (std::size_t at = block * kBlock; at < end; ++at)
                if (ranges_[at].meets(range)) visit(static_cast<ActiveSlot>(at));
        }
    }

private:
    static constexpr std::size_t kBlock = 32;
    struct Block {
        ByteRange range;
        std::size_t live = 0;
    };

    std::vector<ByteRange> ranges_;  ///< empty: free
    std::vector<Entry> entries_;
    std::vector<ActiveSlot> free_;
    std::vector<Block> blocks_;
    std::size_t live_ = 0;
};

/// The checks. The arguments of the constructor must outlive it.
class Overlaps {
public:
    Overlaps(model::ProcessId process, Footprints& footprints, Reporter& reporter)
        : process_(process), footprints_(footprints), reporter_(reporter) {}

    /// The buffers of a call against each other, and against those of pending operations.
    void check(const CallView& view, const std::vector<Access>& accesses);
    /// The same for a persistent operation that starts: `made` is where its buffers were given.
    void check_start(const CallSite& start,
                     const CallSite& made,
                     const std::vector<Access>& accesses);

    ActiveBuffers& active() { return active_; }

private:
    void check_own(const CallView& view, const std::vector<Access>& accesses);
    void check_pair(const CallView& view, const Access& first, const Access& second);
    void check_active(const CallSite& site, const CallSite* made, const Access& access);
    bool share_bytes(const Access& left, const Access& right);

    model::ProcessId process_;
    Footprints& footprints_;
    Reporter& reporter_;
    ActiveBuffers active_;
    std::vector<const Access*> sorted_;
};

}  // namespace mqinspect::analysis
