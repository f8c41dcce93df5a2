/// A fixture program whose variables are asked for.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "inspector/target/values.h"
#include "tests/unit/target/inspected.h"

namespace mqinspect::testing {

class ValueFixture {
public:
    explicit ValueFixture(const char* program) : inspected(program, {}) {}

    /// The value's text, or the message of the error after "error: ".
    std::string print(std::string_view function, std::string_view expression) const;
    /// Its type.
    std::string type(std::string_view function, std::string_view expression) const;
    /// All variables of a frame, the innermost of each name.
    std::map<std::string, target::ShownVariable> variables(std::string_view function) const;

    Inspected inspected;
};

}  // namespace mqinspect::testing
