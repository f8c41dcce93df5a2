/// What a debugger would show, as text to compare.
#pragma once

#include <string>

#include "tests/support/stub_debugger.h"

namespace mqinspect::test {

/// One line for each communicator, queue and operation, in the order of the iterators;
/// docs/formats.md has the format. Nothing that the DLL says is left out, but for
/// addresses of its own objects.
std::string to_text(const SeenQueues& seen);

}  // namespace mqinspect::test
