/// Sums and products of numbers that a recorded program chose: empty where 64 bits are too few.
#pragma once

#include <cstdint>
#include <optional>

namespace mqinspect::analysis {

inline std::optional<std::int64_t> checked_sum(std::int64_t left, std::int64_t right) {
    std::int64_t result = 0;
    if (__builtin_add_overflow(left, right, &result)) return std::nullopt;
    return result;
}

inline std::optional<std::int64_t> checked_product(std::int64_t left, std::int64_t right) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(left, right, &result)) return std::nullopt;
    return result;
}

/// `base + times * step`.
inline std::optional<std::int64_t> checked_step(std::int64_t base,
                                                std::int64_t times,
                                                std::int64_t step) {
    const auto product = checked_product(times, step);
    return product ? checked_sum(base, *product) : std::nullopt;
}

}  // namespace mqinspect::analysis
