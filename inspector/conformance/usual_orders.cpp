#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "inspector/conformance/steps.h"

namespace mqinspect::conformance {

using mqs_host::Stage;

namespace {

void check_versions(Driver& driver) {
    Journal& journal = driver.journal();
    const mqs_host::Dll& dll = driver.dll();
    check_text(journal,
               Rule::VersionText,
               "mqs_version_string",
               driver.call(Stage::VersionString, dll.version_string));
    const int level = driver.call(Stage::VersionCompatibility, dll.version_compatibility);
    journal.figure(Figure::Level, level);
    if (level < mqs_host::kOldestLevel || level > mqs_host::kNewestLevel) {
        journal.violation(
            Rule::Level, "mqs_version_compatibility", fmt::format("returns {}", level));
    }
    if (dll.taddr_width == nullptr) {
        journal.violation(Rule::Functions, "", "mqs_dll_taddr_width is missing");
    } else if (const int width = driver.call(Stage::TaddrWidth, dll.taddr_width);
               width != static_cast<int>(sizeof(mqs_taddr_t))) {
        journal.violation(
            Rule::AddressWidth, "mqs_dll_taddr_width", fmt::format("returns {}", width));
    }
    if (dll.get_comm_group == nullptr) {
        journal.violation(Rule::Functions, "", "mqs_get_comm_group is missing");
    }
    const bool jobs = dll.setup_job != nullptr && dll.destroy_job_info != nullptr &&
                      dll.set_process_identity != nullptr;
    if (level >= mqs_host::kNewestLevel && !jobs) {
        journal.violation(Rule::Functions, "", "functions of level 3 are missing");
    }
}

void check_reads(Driver& driver, const Look& look, long reads) {
    constexpr long base = 100;
    constexpr long for_each = 10;
    const auto shown = static_cast<long>(look.communicators.size() + look.operations());
    if (reads <= base + for_each * shown) return;
    driver.journal().violation(Rule::Reads,
                               "",
                               fmt::format("{} reads for {} communicators and {} operations",
                                           reads,
                                           look.communicators.size(),
                                           look.operations()));
}

/// MPI_COMM_WORLD has one id wherever it is seen.
void check_world_id(Driver& driver, const std::vector<Look>& looks) {
    std::optional<mqs_taddr_t> id;
    for (const Look& look : looks) {
        for (const SeenCommunicator& seen : look.communicators) {
            const mqs_communicator& world = seen.communicator;
            if (std::strncmp(world.name, "MPI_COMM_WORLD", sizeof world.name) != 0) continue;
            if (id && *id != world.unique_id) {
                driver.journal().violation(Rule::SmallId,
                                           "mqs_get_communicator",
                                           fmt::format("MPI_COMM_WORLD is {:#x} here and {:#x} "
                                                       "there",
                                                       *id,
                                                       world.unique_id));
                return;
            }
            id = world.unique_id;
        }
    }
}

}  // namespace

void documented(Driver& driver) {
    check_versions(driver);
    const auto shown = shown_processes(driver);
    std::vector<Look> looks;
    long communicators = 0;
    long operations = 0;
    const long reads_before = driver.debugger().reads();
    for (DebuggedProcess* process : shown) {
        const long reads = driver.debugger().reads();
        looks.push_back(driver.look(*process));
        check_reads(driver, looks.back(), driver.debugger().reads() - reads);
        communicators += static_cast<long>(looks.back().communicators.size());
        operations += static_cast<long>(looks.back().operations());
    }
    Journal& journal = driver.journal();
    journal.figure(Figure::Reads, driver.debugger().reads() - reads_before);
    journal.figure(Figure::Communicators, communicators);
    journal.figure(Figure::Operations, operations);
    check_world_id(driver, looks);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const Look again = driver.look(*shown[i]);
        expect_the_same(driver, Rule::Refresh, "mqs_update_communicator_list", looks[i], again);
    }
    journal.figure(Figure::PeakBytes, static_cast<long>(driver.debugger().peak_bytes()));
    end(driver);
}

/// padb's host program: the MPI-1 level, no version, no job, groups and operations only of
/// communicators of more than one process.
void as_padb(Driver& driver) {
    driver.begin_session(false);
    for (DebuggedProcess& process : driver.processes()) {
        if (!driver.set_up(process)) continue;
        mqs_process* handle = process.handle();
        const mqs_host::Dll& dll = driver.dll();
        driver.code(Stage::UpdateCommunicatorList, dll.update_communicator_list, handle);
        int result =
            driver.code(Stage::SetupCommunicatorIterator, dll.setup_communicator_iterator, handle);
        if (result != mqs_ok) {
            driver.journal().violation(Rule::CurrentCommunicator,
                                       "mqs_setup_communicator_iterator",
                                       fmt::format("returns {} for an MPI process", result));
        }
        while (result == mqs_ok) {
            mqs_communicator communicator{};
            driver.code(Stage::GetCommunicator, dll.get_communicator, handle, &communicator);
            if (communicator.size > 1) driver.look_at_communicator(process);
            result = driver.code(Stage::NextCommunicator, dll.next_communicator, handle);
        }
    }
    end(driver);
}

/// The whole dialogue without a check of its own.
void look_at_everything(Driver& driver) {
    for (DebuggedProcess* process : shown_processes(driver))
        driver.look(*process);
    end(driver);
}

}  // namespace mqinspect::conformance
