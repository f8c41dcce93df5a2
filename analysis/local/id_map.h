/// A small hash table from numbers to places: what requests that come and go by the million
/// need, without an allocation for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mqinspect::analysis {

class IdMap {
public:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    std::uint32_t find(std::int64_t id) const {
        for (std::size_t at = home(id);; at = next(at)) {
            if (table_[at].place == kNone || table_[at].id == id) return table_[at].place;
        }
    }

    /// Precondition: the id is not in it; `place` is not kNone.
    void insert(std::int64_t id, std::uint32_t place) {
        if (2 * (size_ + 1) > table_.size()) grow();
        put(id, place);
        ++size_;
    }

    /// Precondition: the id is in it.
    void erase(std::int64_t id) {
        std::size_t hole = home(id);
        while (table_[hole].id != id || table_[hole].place == kNone)
            hole = next(hole);
        // Closes the gap, so that no search ends before what it looks for.
        for (std::size_t at = next(hole); table_[at].place != kNone; at = next(at)) {
            const std::size_t wanted = home(table_[at].id);
            const bool reachable =
                hole <= at ? hole < wanted && wanted <= at : hole < wanted || wanted <= at;
            if (reachable) continue;
            table_[hole] = table_[at];
            hole = at;
        }
        table_[hole].place = kNone;
        --size_;
    }

    std::size_t size() const { return size_; }

private:
    struct Slot {
        std::int64_t id = 0;
        std::uint32_t place = kNone;
    };

    std::size_t home(std::int64_t id) const {
        const std::uint64_t mixed = static_cast<std::uint64_t>(id) * 0x9e37'79b9'7f4a'7c15;
        return (mixed >> 32U) & (table_.size() - 1);
    }
    std::size_t next(std::size_t at) const { return (at + 1) & (table_.size() - 1); }

    void put(std::int64_t id, std::uint32_t place) {
        std::size_t at = home(id);
        while (table_[at].place != kNone)
            at = next(at);
        table_[at] = {id, place};
    }

    void grow() {
        std::vector<Slot> old(2 * table_.size());
        std::swap(old, table_);
        for (const Slot& slot : old)
            if (slot.place != kNone) put(slot.id, slot.place);
    }

    std::vector<Slot> table_ = std::vector<Slot>(64);  ///< a power of two, at most half full
    std::size_t size_ = 0;
};

}  // namespace mqinspect::analysis
