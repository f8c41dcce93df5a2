#include "inspector/snapshot/rank_stack.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "inspector/snapshot/arguments.h"

namespace mqinspect::snapshot {

namespace {

/// The name of a communicator by the MPI_Comm that the process has for it: MPICH's is an
/// int, Open MPI's the address of an object.
std::optional<std::string> communicator_name(const model::JobSnapshot& snapshot,
                                             int pid,
                                             std::uint64_t handle) {
    const auto rank = std::ranges::find(snapshot.ranks, pid, &model::RankSnapshot::pid);
    if (rank == snapshot.ranks.end() || handle == 0) return std::nullopt;
    for (const model::Membership& membership : rank->memberships) {
        const bool is_meant =
            (membership.handle != 0 && (membership.handle & UINT32_MAX) == (handle & UINT32_MAX)) ||
            (membership.address != 0 && membership.address == handle);
        const std::size_t index = membership.communicator.index();
        if (!is_meant || index >= snapshot.communicators.size()) continue;
        const std::string& name = snapshot.communicators[index].name;
        return name.empty() ? std::nullopt : std::optional(name);
    }
    return std::nullopt;
}

}  // namespace

RankStack::RankStack(const target::ProcessView& view,
                     const target::Memory& memory,
                     CapturedRank captured,
                     ActivityReader& reader)
    : view_(view), memory_(memory) {
    RankActivity activity = reader.read(view, memory, captured);
    for (target::MergedFrame& merged : activity.stack) {
        frames_.push_back(std::move(merged.frame));
        native_.push_back(merged.native);
    }
    thread_ = std::move(captured.threads[activity.thread]);
    stack_ = target::unwind(view_, thread_, memory_);
    // Without frames of Python, the merged ones are those of the machine code.
    if (activity.call && thread_.python.frames.empty() &&
        activity.call->site.user_frame < frames_.size()) {
        default_frame_ = activity.call->site.user_frame;
        return;
    }
    const auto is_meant = [&activity](const model::Frame& frame) {
        return frame.location.line > 0 && (!activity.call || frame.location == activity.location);
    };
    const auto found = std::ranges::find_if(frames_, is_meant);
    if (found != frames_.end()) default_frame_ = static_cast<std::size_t>(found - frames_.begin());
}

void RankStack::name_handle(target::ShownValue& value, const model::JobSnapshot* snapshot) const {
    if (!value.integer || !value.type.starts_with("MPI_")) return;
    std::optional<std::string> name;
    if (value.type == "MPI_Comm" && snapshot != nullptr) {
        name = communicator_name(*snapshot, view_.pid(), *value.integer);
    } else if (value.type == "MPI_Datatype" || value.type == "MPI_Op") {
        const RawArgument argument{"", value.type, static_cast<std::int64_t>(*value.integer), ""};
        name = show_argument(argument);
        if (!name->starts_with("MPI_")) name.reset();
    }
    if (name) value.text += fmt::format(" ({})", *name);
}

std::vector<target::ShownVariable> RankStack::variables(std::size_t frame,
                                                        const model::JobSnapshot* snapshot) const {
    const target::CapturedMemory memory(thread_, memory_);
    auto variables = target::frame_variables(view_, stack_, native_frame(frame), memory);
    for (target::ShownVariable& variable : variables)
        name_handle(variable.value, snapshot);
    return variables;
}

Result<target::ShownValue> RankStack::evaluate(std::size_t frame,
                                               std::string_view expression,
                                               const model::JobSnapshot* snapshot) const {
    const target::CapturedMemory memory(thread_, memory_);
    const std::size_t native = native_frame(frame);
    if (native == target::MergedFrame::kNone) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("frame #{} is Python's; its variables are not known", frame)};
    }
    auto value = TRY(target::evaluate_expression(view_, stack_, native, memory, expression));
    name_handle(value, snapshot);
    return value;
}

}  // namespace mqinspect::snapshot
