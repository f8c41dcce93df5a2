/// Expressions that a user types about a program: C's, with some of gdb's, and Fortran's
/// subscripts and members.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace mqinspect::target {

/// A type as it is written: a name, and stars behind it.
struct WrittenType {
    std::string name;
    int stars = 0;
};

struct Expression {
    enum class Kind {
        Integer,
        Real,
        Character,
        Name,
        Unary,       ///< `text` of one operand
        Binary,      ///< `text` of two operands; "@" makes an array
        Member,      ///< `text` of the first operand
        Arrow,       ///< `text` behind the pointer that is the first operand
        Subscripts,  ///< of the first operand, the others are subscripts
        Range,       ///< of subscripts: from the first to the second operand
        Whole,       ///< all subscripts: Fortran's ":"
        Cast,        ///< to `type`
        SizeOf,      ///< of its operand
        SizeOfType,  ///< of `type`
    } kind = Kind::Integer;
    std::size_t position = 0;  ///< in the text, from 0
    std::string text;
    std::uint64_t integer = 0;
    bool is_long = false;
    bool is_unsigned = false;
    double real = 0;
    WrittenType type;
    std::vector<Expression> operands;
};

/// InvalidArgument says at which column (from 1) what was expected. `is_type` tells whether
/// a name means a type: "(a) - b" is a cast or a difference. In Fortran, parentheses hold
/// subscripts, '%' leads to members, and names are lower case.
Result<Expression> parse_expression(std::string_view text,
                                    bool fortran,
                                    const std::function<bool(const std::string&)>& is_type);

/// "at column 5: ..." for an error at a position from 0.
Error error_at(std::size_t position, std::string_view what);

}  // namespace mqinspect::target
