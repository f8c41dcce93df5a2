/// The ways in which debuggers use a DLL.
#pragma once

#include <span>
#include <string_view>

#include "inspector/conformance/driver.h"

namespace mqinspect::conformance {

struct Scenario {
    std::string_view name;
    std::string_view summary;
    Conditions conditions;
    /// Called in a helper process with a DLL that is loaded and not yet set up.
    void (*run)(Driver& driver);
};

/// In the order in which they are run; the first is the documented one.
std::span<const Scenario> scenarios();

}  // namespace mqinspect::conformance
