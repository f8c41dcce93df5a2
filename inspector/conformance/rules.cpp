#include "inspector/conformance/rules.h"

#include <array>

namespace mqinspect::conformance {

namespace {

struct Entry {
    std::string_view name;
    std::string_view source;
};

// Cownie 1.06: "MPI Message Queue Dumping", October 2000. MQD 1.0: "MPI Message Queue
// Dumping Interface", MPI Forum 2013. padb: a debugger whose host program calls the
// interface in an order and with expectations of its own.
constexpr std::array<Entry, static_cast<std::size_t>(Rule::Count)> kRules{{
    {"functions", "MQD 1.0: functions are required unless noted"},
    {"level", "Cownie 1.06, Compatibility"},
    {"address-width", "Cownie 1.06, Startup calls: mqs_dll_taddr_width"},
    {"version-text", "MQD 1.0: mqs_version_string"},
    {"error-text", "Cownie 1.06, Startup calls: a printable text for every error"},
    {"result-code", "mpi_interface.h: a DLL's own codes start at mqs_first_user_code"},
    {"message", "Cownie 1.06, Startup calls: printf(message, name of the image)"},
    {"has-queues", "Cownie 1.06, Startup calls: mqs_*_has_queues tells whether it has"},
    {"communicator", "mpi_interface.h: mqs_communicator"},
    {"communicator-name", "mpi_interface.h: mqs_communicator.name is terminated text"},
    {"unique-id", "Cownie 1.06, Queue display: unique_id"},
    {"small-id", "padb: an id is a positive number, the same for all members"},
    {"group", "Cownie 1.06, Queue display: mqs_get_comm_group"},
    {"global-rank", "Cownie 1.06, Queue display: global ranks are those in COMM_WORLD"},
    {"operation", "mpi_interface.h: mqs_pending_operation"},
    {"extra-text", "Cownie 1.06, Queue display: the line after the last text is empty"},
    {"extra-lines", "padb: the fifth line is empty"},
    {"after-the-end", "Cownie 1.06, Queue display: mqs_next_* after the end of the list"},
    {"current-communicator", "Cownie 1.06, Queue display: for the current communicator"},
    {"endless", "MQD 1.0: an iteration comes to mqs_end_of_list"},
    {"refresh", "Cownie 1.06, Queue display: mqs_update_communicator_list"},
    {"independence", "Cownie 1.06, Startup calls: information is kept per image and process"},
    {"unreadable", "mpi_interface.h: mqs_fetch_data fails, and so does what needs the data"},
    {"null-address", "padb: nothing lies at address 0"},
    {"reads", "padb: each read is one round trip to the process"},
    {"shutdown", "Cownie 1.06, Shutdown: the DLL cleans up what it kept"},
    {"heap", "Cownie 1.06, Store allocation: the debugger's heap"},
    {"allocation", "MQD 1.0: a DLL allocates through mqs_malloc only"},
    {"output", "padb: standard output and error are the debugger's"},
    {"system-calls", "Cownie 1.06, Miscellaneous issues: a DLL does not block"},
    {"crash", "MQD 1.0: the DLL runs inside the debugger"},
    {"hang", "Cownie 1.06, Miscellaneous issues: the debugger must not be blocked"},
}};

}  // namespace

std::string_view name_of(Rule rule) {
    return kRules[static_cast<std::size_t>(rule)].name;
}

std::string_view source_of(Rule rule) {
    return kRules[static_cast<std::size_t>(rule)].source;
}

std::optional<Rule> rule_named(std::string_view name) {
    for (std::size_t i = 0; i < kRules.size(); ++i) {
        if (kRules[i].name == name) return static_cast<Rule>(i);
    }
    return std::nullopt;
}

}  // namespace mqinspect::conformance
