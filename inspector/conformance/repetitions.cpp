#include <fmt/format.h>

#include "inspector/conformance/steps.h"

namespace mqinspect::conformance {

using mqs_host::Stage;

/// Two handles of one process, with an image each, looked at in turns.
void two_handles(Driver& driver) {
    const auto shown = shown_processes(driver);
    if (shown.empty()) return;
    DebuggedProcess& one = *shown.front();
    DebuggedProcess& other = driver.add_twin(one);
    if (!driver.set_up(other)) {
        driver.journal().violation(
            Rule::Independence, "mqs_process_has_queues", "refuses a second image of the files");
        return end(driver);
    }
    const Look alone = driver.look(one);
    driver.look(other);
    Look in_turns;
    Look twin;
    const mqs_host::Dll& dll = driver.dll();
    const auto set_up = [&](DebuggedProcess& process) {
        return driver.code(
            Stage::SetupCommunicatorIterator, dll.setup_communicator_iterator, process.handle());
    };
    in_turns.setup = in_turns.end = set_up(one);
    twin.setup = twin.end = set_up(other);
    while (in_turns.end == mqs_ok && twin.end == mqs_ok) {
        in_turns.communicators.push_back(driver.look_at_communicator(one));
        twin.communicators.push_back(driver.look_at_communicator(other));
        in_turns.end = driver.code(Stage::NextCommunicator, dll.next_communicator, one.handle());
        twin.end = driver.code(Stage::NextCommunicator, dll.next_communicator, other.handle());
    }
    in_turns.update = twin.update = alone.update;
    expect_the_same(driver, Rule::Independence, "mqs_next_communicator", alone, in_turns);
    expect_the_same(driver, Rule::Independence, "mqs_next_communicator", alone, twin);
    driver.destroy(other);
    driver.destroy(*other.image);
    expect_the_same(
        driver, Rule::Independence, "mqs_destroy_process_info", alone, driver.look(one));
    end(driver);
}

void many_refreshes(Driver& driver) {
    constexpr int refreshes = 20;
    const auto shown = shown_processes(driver);
    for (DebuggedProcess* process : shown) {
        driver.look(*process);
        driver.look(*process);
        const std::size_t before = driver.debugger().live_bytes();
        for (int i = 0; i < refreshes; ++i)
            driver.look(*process);
        const std::size_t after = driver.debugger().live_bytes();
        if (after > before) {
            driver.journal().violation(
                Rule::Shutdown,
                "mqs_update_communicator_list",
                fmt::format("keeps {} bytes more after {} refreshes", after - before, refreshes));
        }
    }
    end(driver);
}

void image_destroyed_first(Driver& driver) {
    for (DebuggedProcess* process : shown_processes(driver))
        driver.look(*process);
    for (DebuggedImage& image : driver.images())
        driver.destroy(image);
    end(driver);
}

void error_texts(Driver& driver) {
    driver.begin_session(false);
    for (int code = -10; code < 1000; ++code) {
        const char* text = driver.call(Stage::ErrorString, driver.dll().error_string, code);
        if (text == nullptr) {
            driver.journal().violation(
                Rule::ErrorText, "mqs_dll_error_string", fmt::format("gives no text for {}", code));
        }
    }
    end(driver);
}

}  // namespace mqinspect::conformance
