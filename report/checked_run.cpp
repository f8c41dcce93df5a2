#include "report/checked_run.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "report/rank_ranges.h"

namespace mqinspect::report {

using model::Execution;

std::string code_text(const model::Frame& frame) {
    if (frame.image.empty()) return {};
    return fmt::format("{}+{:#x}", frame.image.substr(frame.image.rfind('/') + 1), frame.pc);
}

const model::Frame* CheckedRun::user_frame(model::StackId stack) const {
    if (stack.value < 0 || stack.index() >= stacks.size()) return nullptr;
    const ResolvedStack& resolved = stacks[stack.index()];
    return resolved.user_frame < resolved.frames.size() ? &resolved.frames[resolved.user_frame]
                                                        : nullptr;
}

const model::SourceLocation& CheckedRun::location(model::StackId stack) const {
    static const model::SourceLocation unknown;
    const model::Frame* frame = user_frame(stack);
    return frame != nullptr ? frame->location : unknown;
}

std::string CheckedRun::code_place(model::StackId stack) const {
    if (stack.value < 0 || stack.index() >= stacks.size()) return {};
    const model::Frame* frame = user_frame(stack);
    if (frame == nullptr && !stacks[stack.index()].frames.empty())
        frame = &stacks[stack.index()].frames.front();
    if (frame == nullptr) return {};
    const std::string text = code_text(*frame);
    return frame->function.empty() ? text : fmt::format("{} ({})", frame->function, text);
}

const analysis::KeptCall* CheckedRun::call(const analysis::InvolvedCall& call) const {
    if (call.procedure.value < 0) return nullptr;
    const auto found = profile.involved.find({call.process, call.thread, call.event});
    return found == profile.involved.end() ? nullptr : &found->second;
}

std::string procedure_name(const CheckedRun& run, const analysis::InvolvedCall& call) {
    return is_subscript(run.execution.procedures, call.procedure.value)
               ? run.execution.procedures[call.procedure.index()].name
               : std::string();
}

std::string fingerprint_of(const CheckedRun& run, const analysis::Finding& finding) {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325ULL;  // FNV-1a
    const auto add = [&](std::string_view text) {
        for (const char letter : text)
            hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100'0000'01b3ULL;
        hash = (hash ^ 0xffU) * 0x100'0000'01b3ULL;
    };
    // Each site once: how many ranks come by is the run's affair.
    std::set<std::array<std::string, 4>> sites;
    for (const analysis::InvolvedCall& call : finding.calls) {
        const std::string& file = run.location(call.stack).file;
        std::string function;
        if (const model::Frame* frame = run.user_frame(call.stack))
            function = frame->function.empty() ? code_text(*frame) : frame->function;
        sites.insert({procedure_name(run, call),
                      file.substr(file.rfind('/') + 1),
                      std::move(function),
                      call.part});
    }
    add(identifier_of(finding.finding_class));
    for (const auto& site : sites) {
        for (const std::string& text : site)
            add(text);
    }
    return fmt::format("{:016x}", hash);
}

std::string identifier_of(analysis::FindingClass finding_class) {
    std::string identifier(analysis::name_of(finding_class));
    for (char& letter : identifier) {
        const auto byte = static_cast<unsigned char>(letter);
        letter = std::isalnum(byte) == 0 ? '_' : static_cast<char>(std::tolower(byte));
    }
    return identifier;
}

std::vector<std::string> finding_identifiers() {
    std::vector<std::string> identifiers;
    identifiers.reserve(analysis::kFindingClasses);
    for (int at = 0; at < analysis::kFindingClasses; ++at)
        identifiers.push_back(identifier_of(static_cast<analysis::FindingClass>(at)));
    return identifiers;
}

std::optional<analysis::FindingClass> finding_class_of(std::string_view identifier) {
    const std::vector<std::string> identifiers = finding_identifiers();
    const auto found = std::ranges::find(identifiers, identifier);
    if (found == identifiers.end()) return std::nullopt;
    return static_cast<analysis::FindingClass>(found - identifiers.begin());
}

std::string_view name_of(analysis::Severity severity) {
    switch (severity) {
        case analysis::Severity::Error:
            return "error";
        case analysis::Severity::Warning:
            return "warning";
        case analysis::Severity::Note:
            return "note";
    }
    return "";
}

std::string_view name_of(model::Termination::Kind kind) {
    switch (kind) {
        case model::Termination::Kind::Finalized:
            return "normal";
        case model::Termination::Kind::Exited:
            return "exit";
        case model::Termination::Kind::Crashed:
            return "abend";
        case model::Termination::Kind::Aborted:
            return "abort";
        case model::Termination::Kind::Killed:
            return "unknown";
    }
    return "";
}

std::string library_text(const model::RecordedProcess& process) {
    std::string text = process.mpi_library.substr(0, process.mpi_library.find('\n'));
    std::ranges::replace(text, '\t', ' ');
    return text;
}

std::string rank_text(const Execution& execution, model::ProcessId process) {
    if (process.value < 0 || process.index() >= execution.processes.size())
        return "a process of another job";
    const model::RecordedProcess& recorded = execution.processes[process.index()];
    const bool several = execution.processes.back().world != 0;
    return several ? fmt::format("rank {} of world {}", recorded.rank.value, recorded.world)
                   : fmt::format("rank {}", recorded.rank.value);
}

std::string communicator_text(const Execution& execution, model::CommunicatorId id) {
    if (!is_subscript(execution.communicators, id.value)) return "?";
    const model::RecordedCommunicator& communicator = execution.communicators[id.index()];
    if (communicator.name.empty())
        return fmt::format("communicator {} ({})", id.value, communicator.constructor);
    return communicator.name.starts_with("MPI_COMM_") ? communicator.name
                                                      : "'" + communicator.name + "'";
}

std::string members_text(const model::RecordedCommunicator& communicator) {
    const auto ranges = [](const std::vector<model::ProcessId>& members) {
        std::vector<model::WorldRank> ranks;
        for (const model::ProcessId member : members)
            if (member.value >= 0) ranks.emplace_back(member.value);
        constexpr std::size_t most = 12;
        std::string text = rank_ranges(ranks, most);
        if (ranks.size() != members.size()) {
            text += fmt::format(
                "{}{} unknown", ranks.empty() ? "" : ", ", members.size() - ranks.size());
        }
        return text;
    };
    std::string text = ranges(communicator.members);
    if (communicator.inter) text += " | " + ranges(communicator.remote_members);
    return text;
}

}  // namespace mqinspect::report
