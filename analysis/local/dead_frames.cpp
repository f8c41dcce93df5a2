#include "analysis/local/dead_frames.h"

#include <string_view>

namespace mqinspect::analysis {
namespace {

using model::Role;

bool is_one_of(std::string_view name, std::string_view plain) {
    return name.starts_with(plain) &&
           (name.size() == plain.size() || name.substr(plain.size()) == "_c");
}

}  // namespace

const model::DeclaredBuffer* DeadFrames::on_stack(const model::RecordedCall& call) const {
    const auto& parameters = execution_.procedures[call.procedure.index()].parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].kind != model::ParameterKind::Buffer) continue;
        const auto* const buffer = options_.text->buffer(call, i);
        if (buffer != nullptr && buffer->on_stack) return buffer;
    }
    return nullptr;
}

bool DeadFrames::is_on_stack(const CallView& view) {
    const model::StackId stack = view.call.stack;
    if (options_.text == nullptr || stack.value < 0) return false;
    if (stack.index() >= by_stack_.size()) by_stack_.resize(execution_.stacks.size() + 1);
    std::int8_t& known = by_stack_[stack.index()];
    if (known == 0) known = on_stack(view.call) != nullptr ? 1 : -1;
    return known > 0;
}

void DeadFrames::check(const CallSite& made, const CallSite& later, std::string_view operation) {
    if (!has_returned(made, later)) return;
    const std::string start = "the " + std::string{operation};
    Finding* const finding = reporter_.report(FindingClass::PendingBufferAccess,
                                              Severity::Error,
                                              process_,
                                              {{made, start}, {later, "its completion", false}});
    if (finding == nullptr) return;
    finding->message = "The buffer of a " + std::string{operation} +
                       " is a variable of a function that has returned before " + start +
                       " had completed: by then its memory is used for something else.";
}

bool DeadFrames::has_returned(const CallSite& made, const CallSite& later) const {
    return made.thread == later.thread && options_.text->has_returned(made.stack, later.stack);
}

void DeadFrames::follow(const CallView& view) {
    if (options_.text == nullptr) return;
    lend(view);
    if (lent_.empty()) return;
    const model::Value* const window = view.in(Role::Window);
    const bool detaches = window == nullptr && is_one_of(view.name(), "MPI_Buffer_detach");
    if (window == nullptr && !detaches) return;
    const auto found = lent_.find(detaches ? model::kNullHandle : window->number);
    if (found == lent_.end()) return;
    const CallSite later = site_of(view.call);
    const CallSite made = found->second;
    const bool ends = detaches || view.name() == "MPI_Win_free";
    const bool returned = has_returned(made, later);
    if (ends || returned) lent_.erase(found);
    if (!returned) return;
    Finding* const finding = reporter_.report(FindingClass::PendingBufferAccess,
                                              Severity::Error,
                                              process_,
                                              {{made}, {later, "used here", false}});
    if (finding == nullptr) return;
    finding->message = execution_.procedures[made.procedure.index()].name +
                       " is given a variable of a function that returns before MPI has done "
                       "with it: by then its memory is used for something else.";
}

void DeadFrames::lend(const CallView& view) {
    const bool attaches = is_one_of(view.name(), "MPI_Buffer_attach");
    const bool creates = is_one_of(view.name(), "MPI_Win_create");
    if ((!attaches && !creates) || view.call.error_code != 0 || !is_on_stack(view)) return;
    const std::int64_t window = attaches ? model::kNullHandle : view.result(Role::Window, -1);
    if (attaches || window >= 0) lent_[window] = site_of(view.call);
}

}  // namespace mqinspect::analysis
