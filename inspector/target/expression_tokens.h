/// The words of an expression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace mqinspect::target {

struct Token {
    enum class Kind { End, Integer, Real, Character, Name, Operator } kind = Kind::End;
    std::size_t position = 0;
    std::string text;  ///< of names and operators
    std::uint64_t integer = 0;
    bool is_long = false;
    bool is_unsigned = false;
    double real = 0;
};

/// Ends with a token of kind End. In Fortran ".and.", ".eq." and the like become C's operators,
/// names become lower case, and '%' becomes '.'.
Result<std::vector<Token>> split_expression(std::string_view text, bool fortran);

}  // namespace mqinspect::target
