#include "inspector/conformance/steps.h"

#include <algorithm>

#include <fmt/format.h>

namespace mqinspect::conformance {

using mqs_host::Stage;

bool speaks_level_3(Driver& driver) {
    return driver.call(Stage::VersionCompatibility, driver.dll().version_compatibility) >=
           mqs_host::kNewestLevel;
}

std::vector<DebuggedProcess*> shown_processes(Driver& driver) {
    driver.begin_session(speaks_level_3(driver));
    std::vector<DebuggedProcess*> shown;
    for (DebuggedProcess& process : driver.processes()) {
        if (driver.set_up(process)) shown.push_back(&process);
    }
    if (shown.empty()) driver.journal().not_applicable("the DLL shows no process of this job");
    return shown;
}

void end(Driver& driver) {
    driver.end_session();
    Debugger& debugger = driver.debugger();
    debugger.check_heap();
    if (debugger.live_blocks() == 0) return;
    driver.journal().violation(Rule::Shutdown,
                               "",
                               fmt::format("{} blocks with {} bytes are not freed",
                                           debugger.live_blocks(),
                                           debugger.live_bytes()));
}

bool claims_to_be_complete(const Look& look) {
    const auto fine = [](int code) { return code == mqs_ok || code == mqs_end_of_list; };
    if (!fine(look.update) || !fine(look.setup) || !fine(look.end)) return false;
    return std::ranges::all_of(look.communicators, [&](const SeenCommunicator& seen) {
        return std::ranges::all_of(seen.queues, [&](const SeenQueue& queue) {
            return fine(queue.setup) && fine(queue.end);
        });
    });
}

void expect_the_same(
    Driver& driver, Rule rule, std::string_view function, const Look& left, const Look& right) {
    const std::string what = difference(left, right);
    if (!what.empty()) driver.journal().violation(rule, function, what);
}

}  // namespace mqinspect::conformance
