#include "inspector/commands/last_calls.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "inspector/commands/recorded_stacks.h"
#include "report/checked_run.h"
#include "report/rank_ranges.h"
#include "report/recorded_source.h"

#include "trace_io/recording.h"

namespace mqinspect::commands {

namespace {

using model::ProcessId;
using model::RecordedCall;
using model::Termination;

/// The call that a process was in or has come back from last.
struct LastCall {
    model::ProcedureId procedure;
    model::StackId stack;
    bool returned = false;

    friend bool operator<(const LastCall& left, const LastCall& right) {
        const auto key = [](const LastCall& call) {
            return std::tuple(call.procedure.value, call.stack.value, call.returned);
        };
        return key(left) < key(right);
    }
};

/// A thread that waits in MPI says more than one that has come back.
std::optional<LastCall> last_call(const model::Recording& recording, ProcessId process) {
    std::optional<LastCall> found;
    const auto calls = recording.calls(process);
    RecordedCall call;
    while (calls->next(call)) {
        const bool returned = call.leave_event.has_value();
        if (found && !found->returned && returned) continue;
        found = LastCall{call.procedure, call.stack, returned};
    }
    return found;
}

std::string place_of(const report::ResolvedStack& stack, report::SourceFiles& sources) {
    if (stack.user_frame >= stack.frames.size()) return {};
    const model::Frame& frame = stack.frames[stack.user_frame];
    return ", " +
           (frame.location.line > 0 ? sources.place(frame.location) : report::code_text(frame));
}

std::string line_of(const model::Execution& execution,
                    const LastCall& call,
                    const std::vector<model::WorldRank>& ranks,
                    const std::string& place) {
    const char* in = ranks.size() != 1 ? "were in" : "was in";
    return fmt::format("{} {} {}{}",
                       report::named_ranks({}, ranks),
                       call.returned ? "had returned from" : in,
                       execution.procedures[call.procedure.index()].name,
                       place);
}

}  // namespace

std::vector<std::string> last_calls(const std::string& folder) {
    const auto recording = trace_io::open_recording(folder, trace_io::Extent::Newest);
    if (!recording) return {};
    const model::Execution& execution = (*recording)->execution();
    if (std::ranges::all_of(execution.processes, [](const model::RecordedProcess& process) {
            return process.termination.kind == Termination::Kind::Finalized;
        }))
        return {};
    std::map<LastCall, std::vector<model::WorldRank>> groups;
    std::vector<bool> wanted(execution.stacks.size(), false);
    for (const model::RecordedProcess& process : execution.processes) {
        const auto call = last_call(**recording, process.id);
        if (!call || process.world != 0 || call->procedure.value < 0) continue;
        groups[*call].push_back(process.rank);
        if (call->stack.value >= 0) wanted[call->stack.index()] = true;
    }
    std::vector<std::string> remarks;
    const SourceOptions where_compiled;
    StackResolver resolver(execution, where_compiled, remarks);
    const auto stacks = resolve_stacks(execution, wanted, resolver);
    report::SourceFiles sources;
    std::map<model::WorldRank, std::string> lines;
    for (const auto& [call, ranks] : groups) {
        const std::string place =
            call.stack.value < 0 ? std::string{} : place_of(stacks[call.stack.index()], sources);
        lines[ranks.front()] = line_of(execution, call, ranks, place);
    }
    std::vector<std::string> result;
    result.reserve(lines.size());
    for (auto& [first, line] : lines)
        result.push_back(std::move(line));
    return result;
}

}  // namespace mqinspect::commands
