/// What the text of a program declares of the memory that it gives to a call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mqinspect::model {

/// A number or a pointer of a declared type. What may hold anything, such as a char, a union or
/// a bit field, is no element.
struct DeclaredElement {
    enum class Kind { Integer, Float, Pointer } kind = Kind::Integer;
    std::int64_t offset = 0;  ///< in bytes, from the beginning of the pattern
    std::int64_t size = 0;    ///< in bytes

    friend bool operator==(const DeclaredElement&, const DeclaredElement&) = default;
};

/// One argument of one call, as the source and its debug information have it.
struct DeclaredBuffer {
    std::string text;  ///< as it is written: "&value", "field + 1"
    /// Of what it names: "long", "char [1]", "double *"; in Fortran "integer(kind=4)", or
    /// "integer(kind=4), dimension(10)" if the bounds are constants.
    std::string type;
    std::int64_t unit = 0;  ///< bytes of that, of arrays of one element; 0: not known, or a cast
    bool on_stack = false;  ///< a variable of the function that makes the call, or a part of it
    /// The pattern of which the memory consists, by offset; after `period` bytes it comes again.
    /// Empty: it tells nothing. A complex number is two elements.
    std::vector<DeclaredElement> elements;
    std::int64_t period = 0;
    std::int64_t start = 0;  ///< where in the pattern the buffer begins
    /// How many bytes from the buffer's begin on the pattern tells of; empty: all.
    std::optional<std::int64_t> described;
    /// What is declared is no longer than this, in bytes from the buffer's begin; empty: not known.
    std::optional<std::int64_t> room;
};

}  // namespace mqinspect::model
