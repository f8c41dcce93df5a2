/// A hash map from 64-bit keys for the inner loop of the matching.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mqinspect::analysis {

/// Open addressing with linear probing in one array; erasing moves later entries back, so that
/// it does not slow down with its age. Pointers to values are valid until the next insert or
/// erase. The key kNoKey is not allowed.
template <class Value>
class FlatMap {
public:
    static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

    Value* find(std::uint64_t key) {
        if (slots_.empty()) return nullptr;
        for (std::size_t at = home(key); slots_[at].first != kNoKey; at = next(at))
            if (slots_[at].first == key) return &slots_[at].second;
        return nullptr;
    }

    /// The value of the key, made with its default if there was none.
    Value& operator[](std::uint64_t key) {
        if ((size_ + 1) * 2 > slots_.size()) grow();
        std::size_t at = home(key);
        while (slots_[at].first != kNoKey && slots_[at].first != key)
            at = next(at);
        if (slots_[at].first == kNoKey) {
            slots_[at].first = key;
            ++size_;
        }
        return slots_[at].second;
    }

    void erase(std::uint64_t key) {
        if (slots_.empty()) return;
        std::size_t hole = home(key);
        while (slots_[hole].first != key) {
            if (slots_[hole].first == kNoKey) return;
            hole = next(hole);
        }
        for (std::size_t at = next(hole); slots_[at].first != kNoKey; at = next(at)) {
            // An entry may move back unless its home lies behind the hole.
            const std::size_t way = (at - home(slots_[at].first)) & mask();
            if (way < ((at - hole) & mask())) continue;
            slots_[hole] = std::move(slots_[at]);
            hole = at;
        }
        slots_[hole].first = kNoKey;
        slots_[hole].second = Value{};
        --size_;
    }

    std::size_t size() const { return size_; }

    template <class Visit>
    void for_each(Visit visit) {
        for (auto& [key, value] : slots_)
            if (key != kNoKey) visit(key, value);
    }

private:
    std::size_t mask() const { return slots_.size() - 1; }
    std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
    std::size_t home(std::uint64_t key) const {
        return static_cast<std::size_t>((key * 0x9e37'79b9'7f4a'7c15ULL) >> 20) & mask();
    }

    void grow() {
        std::vector<std::pair<std::uint64_t, Value>> old(slots_.empty() ? 16 : slots_.size() * 2);
        for (auto& slot : old)
            slot.first = kNoKey;
        std::swap(old, slots_);
        for (auto& [key, value] : old) {
            if (key == kNoKey) continue;
            std::size_t at = home(key);
            while (slots_[at].first != kNoKey)
                at = next(at);
            slots_[at] = {key, std::move(value)};
        }
    }

    std::vector<std::pair<std::uint64_t, Value>> slots_;  // a power of two
    std::size_t size_ = 0;
};

}  // namespace mqinspect::analysis
