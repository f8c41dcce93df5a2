/// A fixture program that stands somewhere, with its captured stack.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inspector/target/live_memory.h"
#include "inspector/target/stack.h"
#include "tests/unit/target/child.h"

namespace mqinspect::testing {

/// Stops the program, captures its main thread, and lets it run on.
class Inspected {
public:
    Inspected(const char* program, std::vector<std::string> arguments);

    /// The functions of the stack, innermost first.
    std::vector<std::string> functions() const;
    /// The innermost frame of the function; fails the test if there is none.
    std::size_t frame(std::string_view function) const;
    Result<target::Variable> variable(std::string_view function, std::string_view name) const;
    /// The variable as a number, failing the test if it has no value.
    std::int64_t number(std::string_view function, std::string_view name) const;

    std::unique_ptr<Child> child;
    target::ImageStore store{""};
    std::optional<target::ProcessView> view;
    std::unique_ptr<target::LiveMemory> memory;
    target::CapturedThread thread;
    target::UnwoundStack stack;
};

}  // namespace mqinspect::testing
