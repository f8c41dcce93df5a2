#include <utility>

#include <fmt/format.h>

#include "inspector/conformance/steps.h"
#include "inspector/conformance/tampering.h"

namespace mqinspect::conformance {

namespace {

/// The list of a process that the DLL shows; says so if there is none.
std::vector<std::pair<DebuggedProcess*, CommunicatorList>> lists(Driver& driver) {
    std::vector<std::pair<DebuggedProcess*, CommunicatorList>> found;
    for (DebuggedProcess* process : shown_processes(driver)) {
        if (auto list = CommunicatorList::find(driver.debugger(), *process)) {
            found.emplace_back(process, std::move(*list));
        }
    }
    if (found.empty()) {
        driver.journal().not_applicable("needs MPICH's list MPIR_All_communicators");
    }
    return found;
}

/// `what`: what the debugger could not tell.
void expect_no_claim(Driver& driver, Rule rule, const char* what) {
    driver.begin_session(speaks_level_3(driver));
    for (DebuggedProcess& process : driver.processes()) {
        if (!driver.set_up(process)) continue;
        const Look look = driver.look(process);
        if (!claims_to_be_complete(look)) continue;
        driver.journal().violation(rule,
                                   "mqs_update_communicator_list",
                                   fmt::format("shows {} communicators and no error although {}",
                                               look.communicators.size(),
                                               what));
    }
    end(driver);
}

}  // namespace

void communicators_freed(Driver& driver) {
    for (auto& [process, list] : lists(driver)) {
        const Look before = driver.look(*process);
        list.unlink(list.size() / 2);
        list.unlink(0);
        const Look after = driver.look(*process);
        if (after.communicators.size() > before.communicators.size()) {
            driver.journal().violation(Rule::Refresh,
                                       "mqs_update_communicator_list",
                                       "shows more communicators after some were freed");
        }
        driver.look(*process);
    }
    end(driver);
}

void long_names(Driver& driver) {
    for (auto& [process, list] : lists(driver)) {
        list.lengthen_names();
        driver.look(*process);
    }
    end(driver);
}

void list_without_an_end(Driver& driver) {
    for (auto& [process, list] : lists(driver)) {
        list.close();
        driver.look(*process);
    }
    end(driver);
}

void negative_sizes(Driver& driver) {
    for (auto& [process, list] : lists(driver)) {
        list.set_sizes(-1);
        driver.look(*process);
    }
    end(driver);
}

void without_types(Driver& driver) {
    driver.begin_session(false);
    for (DebuggedImage& image : driver.images()) {
        const bool has_queues = driver.set_up_image(image);
        if (!has_queues || driver.debugger().type_questions() == 0) continue;
        driver.journal().violation(
            Rule::HasQueues,
            "mqs_image_has_queues",
            fmt::format("returns mqs_ok, but none of its {} lookups of types was answered",
                        driver.debugger().type_questions()));
    }
    end(driver);
}

void without_symbols(Driver& driver) {
    expect_no_claim(driver, Rule::HasQueues, "no symbol was found");
}

void without_memory(Driver& driver) {
    expect_no_claim(driver, Rule::Unreadable, "every read failed");
}

/// The process goes away between two looks.
void memory_lost(Driver& driver) {
    for (DebuggedProcess* process : shown_processes(driver)) {
        driver.debugger().conditions().no_memory = false;
        driver.look(*process);
        driver.debugger().conditions().no_memory = true;
        const Look look = driver.look(*process);
        if (!claims_to_be_complete(look)) continue;
        driver.journal().violation(Rule::Unreadable,
                                   "mqs_update_communicator_list",
                                   fmt::format("shows {} communicators and no error although "
                                               "every read failed",
                                               look.communicators.size()));
    }
    end(driver);
}

void out_of_memory(Driver& driver) {
    constexpr int allocations = 40;
    for (int i = 0; i < allocations; ++i) {
        driver.begin_session(speaks_level_3(driver));
        DebuggedProcess& process = driver.add_twin(driver.processes().front());
        driver.debugger().fail_allocation_after(i);
        if (driver.set_up(process)) driver.look(process);
        driver.debugger().fail_allocation_after(-1);
        end(driver);
    }
}

}  // namespace mqinspect::conformance
