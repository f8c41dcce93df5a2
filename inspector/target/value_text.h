/// Values as text, in the manner of gdb.
#pragma once

#include <string>

#include "inspector/target/value.h"

namespace mqinspect::target {

/// On one line: "{x = 1, name = \"abc\", grid = {0 <repeats 64 times>}}"; in Fortran
/// "( x = 1, name = 'abc', grid = (0, <repeats 64 times>) )". What has no value is said in
/// angle brackets: "<optimized out>", "<cannot be read at 0x10>". At most 200 elements and
/// characters of each kind, and 16 KiB of text, are written; "..." stands for the rest.
std::string value_text(const ValueReader& reader, const Value& value, bool fortran);

}  // namespace mqinspect::target
