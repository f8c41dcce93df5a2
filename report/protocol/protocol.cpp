#include "report/protocol/protocol.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "report/protocol/parts.h"
#include "report/utf8.h"

namespace mqinspect::report {
namespace {

using analysis::FindingClass;

struct Table {
    const char* name;
    std::string (*print)(const CheckedRun&);
};

constexpr std::array kTables = {
    Table{"task", protocol::task_state},
    Table{"functions", protocol::current_functions},
    Table{"errors", protocol::all_errors},
    Table{"processes", protocol::process_states},
    Table{"findings", protocol::errors},
    Table{"deadlocks", protocol::deadlocks},
    Table{"calls", protocol::calls_of_functions},
    Table{"communicators", protocol::communicators},
    Table{"datatypes", protocol::datatypes},
    Table{"sources", protocol::source_references},
    Table{"environment", protocol::environment},
    Table{"constants", protocol::constants},
    Table{"user-data", protocol::user_data},
    Table{"stages", protocol::stage_times},
};

struct Code {
    FindingClass finding_class;
    int code;
};

// 1, 44, 46, 56, 57, 58 and 60 stand in the protocols that the paper shows.
constexpr Code kCodes[] = {
    {FindingClass::Abend, 1},
    {FindingClass::Abort, 1},
    {FindingClass::IncompleteCall, 2},
    {FindingClass::NonfreedRequest, 38},
    {FindingClass::Overlapping, 39},
    {FindingClass::SendChecksum, 40},
    {FindingClass::NonpersistentRequestFree, 41},
    {FindingClass::WrongRequestFree, 42},
    {FindingClass::RequestCancel, 43},
    {FindingClass::UnfinishedSend, 44},
    {FindingClass::UnfinishedReceive, 45},
    {FindingClass::NonpairedSend, 46},
    {FindingClass::NonpairedReceive, 47},
    {FindingClass::ReceiveChecksum, 48},
    {FindingClass::IncorrectSendSize, 49},
    {FindingClass::WrongSendSize, 50},
    {FindingClass::IncompleteCollective, 51},
    {FindingClass::UnfinishedCollective, 52},
    {FindingClass::IncorrectReceiveSize, 53},
    {FindingClass::WrongReceiveSize, 54},
    {FindingClass::DifferentReductions, 55},
    {FindingClass::PotentialDeadlock, 56},
    {FindingClass::PotentialHangUp, 57},
    {FindingClass::RealDeadlock, 58},
    {FindingClass::RealHangUp, 59},
    {FindingClass::WrongDataType, 60},
    {FindingClass::WrongRootProcess, 61},
};
constexpr int kFirstFurtherCode = 101;

}  // namespace

std::vector<std::string> protocol_tables() {
    std::vector<std::string> names;
    names.reserve(std::size(kTables));
    for (const Table& table : kTables)
        names.emplace_back(table.name);
    return names;
}

std::string print_protocol(const CheckedRun& run, const std::vector<std::string>& tables) {
    std::string out;
    for (const Table& table : kTables) {
        if (tables.empty() || std::ranges::find(tables, table.name) != tables.end())
            out += table.print(run);
    }
    return out;
}

int error_code(FindingClass finding_class) {
    const auto* const known = std::ranges::find(kCodes, finding_class, &Code::finding_class);
    if (known != std::end(kCodes)) return known->code;
    return kFirstFurtherCode + static_cast<int>(finding_class) -
           static_cast<int>(FindingClass::DifferentCollectives);
}

namespace protocol {

std::string heading(const std::string& text) {
    return "\n" + text + "\n" + std::string(text.size(), '=') + "\n";
}

Place place_of(const CheckedRun& run, model::StackId stack) {
    const model::SourceLocation& location = run.location(stack);
    if (location.line > 0) {
        return {location.file.substr(location.file.rfind('/') + 1),
                fmt::format("{}", location.line)};
    }
    const std::string code = run.code_place(stack);
    return {code.empty() ? "?" : code, ""};
}

std::string place_text(const CheckedRun& run, model::StackId stack) {
    const Place place = place_of(run, stack);
    return printable(place.line.empty() ? place.file : place.file + "(" + place.line + ")");
}

std::size_t stack_length(const CheckedRun& run, model::StackId stack) {
    if (stack.value < 0 || stack.index() >= run.stacks.size()) return 0;
    const ResolvedStack& resolved = run.stacks[stack.index()];
    return resolved.frames.size() - resolved.user_frame;
}

std::string stack_text(const CheckedRun& run, model::StackId stack) {
    std::string text;
    for (std::size_t left = stack_length(run, stack); left > 0; --left) {
        const ResolvedStack& resolved = run.stacks[stack.index()];
        const model::Frame& frame = resolved.frames[resolved.user_frame + left - 1];
        if (frame.location.line <= 0) continue;
        text += fmt::format("{}({},{})",
                            text.empty() ? "" : " ",
                            frame.location.file.substr(frame.location.file.rfind('/') + 1),
                            frame.location.line);
    }
    return printable(text.empty() ? run.code_place(stack) : text);
}

std::string current_function(const CheckedRun& run, const model::RecordedCall& call) {
    return fmt::format("{} {}",
                       call.leave_event ? "ret" : "call",
                       run.execution.procedures[call.procedure.index()].name);
}

std::vector<std::string> triplets(const std::vector<model::ProcessId>& members) {
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < members.size();) {
        std::size_t end = at + 1;
        const int step = end < members.size() ? members[end].value - members[at].value : 1;
        while (end < members.size() && members[end].value - members[end - 1].value == step)
            ++end;
        texts.push_back(fmt::format("init={} last={} step={}",
                                    members[at].value,
                                    members[end - 1].value,
                                    end - at == 1 ? 1 : step));
        at = end;
    }
    return texts;
}

std::string_view word_of(analysis::Severity severity) {
    switch (severity) {
        case analysis::Severity::Error:
            return "err";
        case analysis::Severity::Warning:
            return "warn";
        case analysis::Severity::Note:
            return "note";
    }
    return "";
}

bool is_real(FindingClass finding_class) {
    return finding_class == FindingClass::RealDeadlock || finding_class == FindingClass::RealHangUp;
}

bool is_about_hanging(FindingClass finding_class) {
    return is_real(finding_class) || finding_class == FindingClass::PotentialDeadlock ||
           finding_class == FindingClass::PotentialHangUp;
}

model::ProcessId owner_of(const analysis::Finding& finding) {
    if (!finding.calls.empty()) return finding.calls.front().process;
    return finding.processes.empty() ? model::ProcessId(0) : finding.processes.front();
}

bool counts_for(const analysis::Finding& finding, model::ProcessId process) {
    return is_about_hanging(finding.finding_class)
               ? std::ranges::binary_search(finding.processes, process)
               : owner_of(finding) == process;
}

}  // namespace protocol
}  // namespace mqinspect::report
