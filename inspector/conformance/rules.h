/// What the interface demands of a DLL, and where it says so.
#pragma once

#include <optional>
#include <string_view>

namespace mqinspect::conformance {

enum class Rule {
    Functions,
    Level,
    AddressWidth,
    VersionText,
    ErrorText,
    ResultCode,
    Message,
    HasQueues,
    Communicator,
    CommunicatorName,
    UniqueId,
    SmallId,
    Group,
    GlobalRank,
    Operation,
    ExtraText,
    ExtraLines,
    AfterTheEnd,
    CurrentCommunicator,
    Endless,
    Refresh,
    Independence,
    Unreadable,
    NullAddress,
    Reads,
    Shutdown,
    Heap,
    Allocation,
    Output,
    SystemCalls,
    Crash,
    Hang,
    Count,
};

/// "unique-id"; also what the journal of a helper says.
std::string_view name_of(Rule rule);
/// "Cownie 1.06, Queue display".
std::string_view source_of(Rule rule);
std::optional<Rule> rule_named(std::string_view name);

}  // namespace mqinspect::conformance
