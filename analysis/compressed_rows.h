/// Many short lists in two arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mqinspect::analysis {

/// Lists of numbers, one per row, in the order they were given: two passes over
/// the same entries, `count` for each, then `start`, then `add` for each.
class CompressedRows {
public:
    explicit CompressedRows(std::size_t rows) : ends_(rows + 1) {}

    void count(std::size_t row) { ++ends_[row + 1]; }
    /// Between the passes. From here on ends_[row] is where the row's next entry goes.
    void start() {
        for (std::size_t row = 1; row < ends_.size(); ++row)
            ends_[row] += ends_[row - 1];
        values_.resize(ends_.back());
    }
    void add(std::size_t row, std::uint32_t value) { values_[ends_[row]++] = value; }

    /// Precondition: both passes are over.
    std::span<const std::uint32_t> operator[](std::size_t row) const {
        const std::uint32_t begin = row == 0 ? 0 : ends_[row - 1];
        return {values_.data() + begin, ends_[row] - begin};
    }

private:
    std::vector<std::uint32_t> ends_;
    std::vector<std::uint32_t> values_;
};

}  // namespace mqinspect::analysis
