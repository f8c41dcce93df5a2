/// Integers that cannot be mistaken for one another.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>

namespace mqinspect {

/// An integer with a meaning. Compares and hashes; does no arithmetic.
template <class Tag, class Integer = int>
struct StrongInt {
    Integer value{};

    constexpr StrongInt() = default;
    constexpr explicit StrongInt(Integer integer) : value(integer) {}
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 mistakes the comparison with 0
    constexpr auto operator<=>(const StrongInt&) const = default;

    /// As a subscript; precondition: not negative.
    constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
};

}  // namespace mqinspect

template <class Tag, class Integer>
struct std::hash<mqinspect::StrongInt<Tag, Integer>> {
    std::size_t operator()(mqinspect::StrongInt<Tag, Integer> id) const noexcept {
        return std::hash<Integer>{}(id.value);
    }
};
