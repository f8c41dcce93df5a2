/// The variables of a frame as text, and expressions about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inspector/target/memory.h"
#include "inspector/target/process_view.h"
#include "inspector/target/stack.h"

namespace mqinspect::target {

/// A value as it is shown, on one line; see value_text.h.
struct ShownValue {
    std::string type;  ///< as C writes it
    std::string text;
    /// An integer's value, for those who know what it stands for, such as a handle.
    std::optional<std::uint64_t> integer;
};

/// A formal parameter or local variable.
struct ShownVariable {
    std::string name;
    ShownValue value;
    bool is_parameter = false;
    /// The inlined function that it belongs to; empty: the function of the frame.
    std::string inlined;
};

/// All of the frame `stack.frames[index]`, those of the innermost scope first. Empty without
/// debug information. What has no value says why in its text.
std::vector<ShownVariable> frame_variables(const ProcessView& view,
                                           const UnwoundStack& stack,
                                           std::size_t index,
                                           const Memory& memory);

/// The value of an expression in the frame: C's access paths and operators, casts, sizeof, slices
/// "a[2:5]" (both ends included) and "*p@4"; in a Fortran frame "a(i,2:5)", "x%y" and ".and.".
/// InvalidArgument: what is wrong with it, and where; BadAddress: a value it needs cannot be had.
Result<ShownValue> evaluate_expression(const ProcessView& view,
                                       const UnwoundStack& stack,
                                       std::size_t index,
                                       const Memory& memory,
                                       std::string_view expression);

}  // namespace mqinspect::target
