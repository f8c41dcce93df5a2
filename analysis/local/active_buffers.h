/// Buffers that are in use, and which of them meet a range of addresses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "analysis/datatypes/footprint.h"
#include "analysis/local/buffers.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

/// A place in ActiveBuffers or PendingBuffers.
using ActiveSlot = std::uint32_t;
inline constexpr ActiveSlot kNoSlot = UINT32_MAX;

/// Buffers in blocks with a common range, and blocks in groups, so that a search among many
/// thousands of them looks at few.
class ActiveBuffers {
public:
    struct Entry {
        Access access;
        CallSite site;
        bool remote_memory = false;  ///< of a one-sided operation
        ActiveSlot next = kNoSlot;   ///< the operation's next buffer
    };

    /// Its place: they are given out in order, those that are free again first.
    ActiveSlot add(const Access& access, const CallSite& site, bool remote_memory, ActiveSlot next);
    void remove(ActiveSlot slot);
    bool empty() const { return live_ == 0; }

    /// What is at a place that is in use.
    const Entry& at(ActiveSlot slot) const { return entries_[slot]; }

    /// Calls `visit(slot)` for those whose hull meets the range, until it returns false.
    template <class Visit>
    void while_meeting(const ByteRange& range, Visit visit) const {
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            if (!groups_[group].range.meets(range)) continue;
            const std::size_t last = std::min(blocks_.size(), (group + 1) * kBlock);
            for (std::size_t block = group * kBlock; block < last; ++block)
                if (blocks_[block].range.meets(range) && !look_into(block, range, visit)) return;
        }
    }
    /// For all of them.
    template <class Visit>
    void for_each_meeting(const ByteRange& range, Visit visit) const {
        while_meeting(range, [&visit](ActiveSlot slot) {
            visit(slot);
            return true;
        });
    }

private:
    static constexpr std::size_t kBlock = 32;
    struct Block {
        ByteRange range;
        std::size_t live = 0;

        void add(const ByteRange& added) {
            range = live++ == 0 ? added
                                : ByteRange{std::min(range.low, added.low),
                                            std::max(range.high, added.high)};
        }
        void remove() {
            if (--live == 0) range = {};
        }
    };

    template <class Visit>
    bool look_into(std::size_t block, const ByteRange& range, Visit& visit) const {
        const std::size_t end = std::min(entries_.size(), (block + 1) * kBlock);
        for (std::size_t at = block * kBlock; at < end; ++at)
            if (ranges_[at].meets(range) && !visit(static_cast<ActiveSlot>(at))) return false;
        return true;
    }

    std::vector<ByteRange> ranges_;  ///< empty: free
    std::vector<Entry> entries_;
    std::vector<ActiveSlot> free_;
    std::vector<Block> blocks_;  ///< of entries
    std::vector<Block> groups_;  ///< of blocks
    std::size_t live_ = 0;
};

/// The buffers of pending operations. Those that are read are kept by themselves: thousands of
/// operations may read the same one, which concerns only those that write.
class PendingBuffers {
public:
    /// Its place; `next`: where another buffer of the same operation is.
    ActiveSlot add(const Access& access,
                   const CallSite& site,
                   bool remote_memory,
                   ActiveSlot next) {
        const ActiveSlot slot = pool(access.writes).add(access, site, remote_memory, next);
        return access.writes ? slot | kWritten : slot;
    }
    /// This one, and the operation's others.
    void remove(ActiveSlot first) {
        while (first != kNoSlot) {
            ActiveBuffers& buffers = pool((first & kWritten) != 0);
            const ActiveSlot slot = first & ~kWritten;
            first = buffers.at(slot).next;
            buffers.remove(slot);
        }
    }
    bool empty() const { return read_.empty() && written_.empty(); }

    /// Calls `visit(entry)` for those that an access to the range would conflict with, which
    /// writes or else reads, until it has returned true for some of them: a loop may have started
    /// thousands with one buffer.
    template <class Visit>
    void for_some_meeting(const ByteRange& range, bool writes, Visit visit) const {
        constexpr int some = 8;
        const auto visit_some = [&](const ActiveBuffers& buffers) {
            buffers.while_meeting(range, [&, count = 0](ActiveSlot slot) mutable {
                return !visit(buffers.at(slot)) || ++count < some;
            });
        };
        visit_some(written_);
        if (writes) visit_some(read_);
    }

private:
    static constexpr ActiveSlot kWritten = ActiveSlot{1} << 31U;

    ActiveBuffers& pool(bool writes) { return writes ? written_ : read_; }

    ActiveBuffers read_;
    ActiveBuffers written_;
};

}  // namespace mqinspect::analysis
