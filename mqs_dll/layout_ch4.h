/// The layout table of device ch4, MPICH 3.3 to 4.0.2.
#pragma once

#include "mqs_dll/layout.h"
#include "mqs_dll/layout_rows.h"

namespace mqinspect::dll {

/// By its type of requests, which ch3 lacks.
bool is_ch4(TypeSource& source);

/// Resolves every row of ch4. What is required and not there is added to `missing`.
void resolve_ch4(TypeSource& source, int pointer_size, Ch4Layout& layout, TextWriter& missing);

}  // namespace mqinspect::dll
