#include "tests/unit/target/inspected.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <gtest/gtest.h>

#include "inspector/target/stop.h"

namespace mqinspect::testing {

using namespace target;  // NOLINT(google-build-using-namespace): this is about it

Inspected::Inspected(const char* program, std::vector<std::string> arguments)
    : child(std::make_unique<Child>(program, std::move(arguments))) {
    // It says "ready" a moment before it blocks.
    wait_for_state(child->pid(), 'S');
    auto created = ProcessView::create(child->pid(), store);
    auto opened = LiveMemory::open(child->pid());
    EXPECT_TRUE(created && opened);
    if (!created || !opened) return;
    view = std::move(*created);
    memory = std::move(*opened);

    const auto stopped = StoppedProcesses::stop(std::array{child->pid()});
    EXPECT_TRUE(stopped.threads(0));
    if (!stopped.threads(0)) return;
    const StoppedThread& main = stopped.threads(0)->front();
    auto captured = capture_thread(*view, *memory, main.tid, main.registers);
    EXPECT_TRUE(captured);
    if (!captured) return;
    thread = std::move(*captured);
    stack = unwind(*view, thread, *memory);
}

std::vector<std::string> Inspected::functions() const {
    std::vector<std::string> names;
    for (const UnwoundFrame& frame : stack.frames)
        names.push_back(view->describe(frame.pc, frame.is_return_address).function);
    return names;
}

std::size_t Inspected::frame(std::string_view function) const {
    const auto names = functions();
    const auto found = std::find(names.begin(), names.end(), function);
    EXPECT_NE(found, names.end()) << "no frame of " << function;
    return static_cast<std::size_t>(found - names.begin());
}

Result<Variable> Inspected::variable(std::string_view function, std::string_view name) const {
    const CapturedMemory captured(thread, *memory);
    return read_variable(*view, stack, frame(function), captured, name);
}

std::int64_t Inspected::number(std::string_view function, std::string_view name) const {
    const auto value = variable(function, name);
    EXPECT_TRUE(value) << value.error().message;
    if (!value) return 0;
    if (value->bytes.size() == sizeof(std::int32_t)) {
        std::int32_t number = 0;
        std::memcpy(&number, value->bytes.data(), sizeof number);
        return number;
    }
    std::int64_t number = 0;
    EXPECT_EQ(value->bytes.size(), sizeof number);
    std::memcpy(&number, value->bytes.data(), std::min(value->bytes.size(), sizeof number));
    return number;
}

}  // namespace mqinspect::testing
