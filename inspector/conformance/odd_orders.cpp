#include <functional>

#include <fmt/format.h>

#include "inspector/conformance/steps.h"

namespace mqinspect::conformance {

using mqs_host::Stage;

namespace {

constexpr int kTriesPastTheEnd = 3;

/// Nothing was updated and nothing is current.
void expect_refusal(Driver& driver, Stage stage, int result) {
    if (result != mqs_ok) return;
    driver.journal().violation(Rule::CurrentCommunicator,
                               mqs_host::stage_name(static_cast<std::uint32_t>(stage)),
                               "returns mqs_ok where there is no current communicator");
}

void ask_for_operations(Driver& driver, DebuggedProcess& process) {
    for (int queue = mqs_pending_sends; queue <= mqs_unexpected_messages; ++queue) {
        driver.code(Stage::SetupOperationIterator,
                    driver.dll().setup_operation_iterator,
                    process.handle(),
                    queue);
        mqs_pending_operation operation{};
        expect_refusal(
            driver,
            Stage::NextOperation,
            driver.code(
                Stage::NextOperation, driver.dll().next_operation, process.handle(), &operation));
    }
}

void ask_for_communicator(Driver& driver, DebuggedProcess& process) {
    mqs_communicator communicator{};
    expect_refusal(driver,
                   Stage::GetCommunicator,
                   driver.code(Stage::GetCommunicator,
                               driver.dll().get_communicator,
                               process.handle(),
                               &communicator));
    if (driver.dll().get_comm_group == nullptr) return;
    std::vector<int> room(1 << 16);
    expect_refusal(
        driver,
        Stage::CommunicatorGroup,
        driver.code(
            Stage::CommunicatorGroup, driver.dll().get_comm_group, process.handle(), room.data()));
}

void next_communicator_without_current(Driver& driver, DebuggedProcess& process) {
    expect_refusal(
        driver,
        Stage::NextCommunicator,
        driver.code(Stage::NextCommunicator, driver.dll().next_communicator, process.handle()));
}

void before_the_update(Driver& driver,
                       const std::function<void(Driver&, DebuggedProcess&)>& impatience) {
    for (DebuggedProcess* process : shown_processes(driver)) {
        impatience(driver, *process);
        const Look first = driver.look(*process);
        impatience(driver, *process);
        expect_the_same(
            driver, Rule::Refresh, "mqs_update_communicator_list", first, driver.look(*process));
    }
    end(driver);
}

}  // namespace

void operations_first(Driver& driver) {
    before_the_update(driver, ask_for_operations);
}

void communicator_first(Driver& driver) {
    before_the_update(driver, ask_for_communicator);
}

void next_communicator_first(Driver& driver) {
    before_the_update(driver, next_communicator_without_current);
}

void next_operation_after_the_end(Driver& driver) {
    for (DebuggedProcess* process : shown_processes(driver)) {
        driver.code(Stage::UpdateCommunicatorList,
                    driver.dll().update_communicator_list,
                    process->handle());
        int result = driver.code(Stage::SetupCommunicatorIterator,
                                 driver.dll().setup_communicator_iterator,
                                 process->handle());
        while (result == mqs_ok) {
            const SeenCommunicator seen = driver.look_at_communicator(*process);
            for (int queue = mqs_pending_sends; queue <= mqs_unexpected_messages; ++queue) {
                const SeenQueue drained = driver.look_at_queue(*process, seen, queue);
                mqs_pending_operation operation{};
                for (int i = 0; i < kTriesPastTheEnd && drained.end == mqs_end_of_list; ++i) {
                    if (driver.code(Stage::NextOperation,
                                    driver.dll().next_operation,
                                    process->handle(),
                                    &operation) != mqs_ok) {
                        continue;
                    }
                    driver.journal().violation(Rule::AfterTheEnd,
                                               "mqs_next_operation",
                                               "returns an operation after mqs_end_of_list");
                }
            }
            result = driver.code(
                Stage::NextCommunicator, driver.dll().next_communicator, process->handle());
        }
    }
    end(driver);
}

void next_communicator_after_the_end(Driver& driver) {
    for (DebuggedProcess* process : shown_processes(driver)) {
        const Look first = driver.look(*process);
        for (int i = 0; i < kTriesPastTheEnd; ++i)
            next_communicator_without_current(driver, *process);
        ask_for_communicator(driver, *process);
        Look again;
        driver.iterate(*process, again);
        again.update = first.update;
        expect_the_same(driver, Rule::AfterTheEnd, "mqs_setup_communicator_iterator", first, again);
    }
    end(driver);
}

void operations_after_the_end(Driver& driver) {
    for (DebuggedProcess* process : shown_processes(driver)) {
        driver.look(*process);
        ask_for_operations(driver, *process);
    }
    end(driver);
}

void unknown_queue(Driver& driver) {
    for (DebuggedProcess* process : shown_processes(driver)) {
        driver.code(Stage::UpdateCommunicatorList,
                    driver.dll().update_communicator_list,
                    process->handle());
        driver.code(Stage::SetupCommunicatorIterator,
                    driver.dll().setup_communicator_iterator,
                    process->handle());
        for (const int queue : {-1, 77}) {
            if (driver.code(Stage::SetupOperationIterator,
                            driver.dll().setup_operation_iterator,
                            process->handle(),
                            queue) != mqs_ok) {
                continue;
            }
            driver.journal().violation(Rule::Operation,
                                       "mqs_setup_operation_iterator",
                                       fmt::format("returns mqs_ok for the class {}", queue));
        }
    }
    end(driver);
}

}  // namespace mqinspect::conformance
