#include "report/protocol/trace.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "report/protocol/event_text.h"
#include "report/protocol/parts.h"

namespace mqinspect::report {
namespace {

constexpr std::size_t kPieceBytes = 1 << 16;

/// "3" and "3-7".
template <class Number>
bool parse_range(std::string_view text, Number& first, Number& last) {
    const auto parse = [](std::string_view part, Number& number) {
        const char* const end = part.data() + part.size();
        const auto parsed = std::from_chars(part.data(), end, number);
        return parsed.ec == std::errc{} && parsed.ptr == end && number >= 0;
    };
    const std::size_t dash = text.find('-');
    if (!parse(text.substr(0, dash), first)) return false;
    if (dash == std::string_view::npos) {
        last = first;
        return true;
    }
    return parse(text.substr(dash + 1), last) && first <= last;
}

std::optional<TraceFragment> parse_fragment(std::string_view text) {
    TraceFragment fragment;
    const std::size_t colon = text.find(':');
    const std::string_view processes = text.substr(0, colon);
    if (processes != "all" &&
        !parse_range(processes, fragment.first_process, fragment.last_process))
        return std::nullopt;
    if (colon == std::string_view::npos) return fragment;
    if (!parse_range(text.substr(colon + 1), fragment.first_event, fragment.last_event))
        return std::nullopt;
    return fragment;
}

bool is_of(const TraceFragment& fragment, int process) {
    return fragment.first_process <= process && process <= fragment.last_process;
}

}  // namespace

Result<std::vector<TraceFragment>> parse_trace_fragments(std::string_view text) {
    std::vector<TraceFragment> fragments;
    while (true) {
        const std::size_t comma = text.find(',');
        const auto fragment = parse_fragment(text.substr(0, comma));
        if (!fragment) {
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("'{}' is no part of a trace; write all, 0-3, or 0:100-200",
                                     text.substr(0, comma))};
        }
        fragments.push_back(*fragment);
        if (comma == std::string_view::npos) return fragments;
        text.remove_prefix(comma + 1);
    }
}

void print_trace(const CheckedRun& run,
                 const model::Recording& recording,
                 const std::vector<TraceFragment>& fragments,
                 const std::function<bool(std::string_view)>& write) {
    if (!write(protocol::heading("Trace of processes"))) return;
    protocol::EventText events(run);
    std::string piece;
    for (const model::RecordedProcess& process : run.execution.processes) {
        const int number = process.id.value;
        if (std::ranges::none_of(fragments, [&](const auto& each) { return is_of(each, number); }))
            continue;
        piece += fmt::format("  Process {}\n", number);
        const auto stream = recording.calls(process.id);
        model::RecordedCall call;
        while (stream->next(call)) {
            const bool wanted = std::ranges::any_of(fragments, [&](const TraceFragment& each) {
                return is_of(each, number) && each.first_event <= call.event &&
                       call.event <= each.last_event;
            });
            if (!wanted) continue;
            const auto& procedure = run.execution.procedures[call.procedure.index()];
            if (call.thread != 0) piece += fmt::format("    thread {}\n", call.thread);
            piece += events.call(analysis::keep(procedure, call, 0), ' ');
            if (piece.size() < kPieceBytes) continue;
            if (!write(piece)) return;
            piece.clear();
        }
    }
    write(piece);
}

}  // namespace mqinspect::report
