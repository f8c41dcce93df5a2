/// The return type of everything that the outside can make fail.
///
/// Spelled like std::expected, which C++20 with GCC 12 does not have.
#pragma once

#include <cassert>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/error.h"

namespace mqinspect {

/// The value of a function that can fail and has nothing else to say.
struct Done {};

template <class T>
class [[nodiscard]] Result {
public:
    using value_type = T;

    // Implicit, so that `return value;` and `return Error{...};` read naturally.
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool has_value() const noexcept { return state_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }

    /// Precondition: has_value().
    T& operator*() & {
        assert(has_value());
        return *std::get_if<0>(&state_);
    }
    const T& operator*() const& {
        assert(has_value());
        return *std::get_if<0>(&state_);
    }
    T&& operator*() && {
        assert(has_value());
        return std::move(*std::get_if<0>(&state_));
    }
    T* operator->() { return &**this; }
    const T* operator->() const { return &**this; }

    /// Precondition: !has_value().
    const Error& error() const {
        assert(!has_value());
        return *std::get_if<1>(&state_);
    }

    template <class U>
    T value_or(U&& fallback) const& {
        return has_value() ? **this : static_cast<T>(std::forward<U>(fallback));
    }

private:
    std::variant<T, Error> state_;
};

}  // namespace mqinspect

/// The value of a Result, or return its error from the calling function.
/// A GCC and clang statement expression; its value is moved out.
#define TRY(...)                                         \
    __extension__({                                      \
        auto&& try_result = (__VA_ARGS__);               \
        if (!try_result) return try_result.error();      \
        *std::forward<decltype(try_result)>(try_result); \
    })
