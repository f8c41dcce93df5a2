#include "analysis/local/dead_frames.h"

#include <algorithm>
#include <string_view>

namespace mqinspect::analysis {
namespace {

using model::Role;

constexpr std::size_t kParameters = 32;

/// `on_stack`: a bit for each of the first parameters.
bool has(std::uint32_t on_stack, std::size_t parameter) {
    return parameter < kParameters && (on_stack >> parameter & 1U) != 0;
}

}  // namespace

bool DeadFrames::is_on_stack(const CallView& view, const std::vector<Access>& accesses) {
    if (options_.text == nullptr || accesses.empty()) return false;
    const std::uint32_t on_stack = on_stack_at(view);
    return on_stack != 0 && std::ranges::any_of(accesses, [&](const Access& access) {
               const auto parameter = buffer_parameter(view, access);
               return parameter && has(on_stack, *parameter);
           });
}

std::uint32_t DeadFrames::on_stack_at(const CallView& view) {
    const model::StackId stack = view.call.stack;
    if (stack.value < 0) return 0;
    if (stack.index() >= by_stack_.size()) by_stack_.resize(execution_.stacks.size() + 1);
    Known& known = by_stack_[stack.index()];
    if (known.asked) return known.on_stack;
    known.asked = true;
    const auto& parameters = view.local.procedure->parameters;
    for (std::size_t i = 0; i < parameters.size() && i < kParameters; ++i) {
        if (parameters[i].kind != model::ParameterKind::Buffer) continue;
        const auto* const buffer = options_.text->buffer(view.call, i);
        if (buffer != nullptr && buffer->on_stack) known.on_stack |= std::uint32_t{1} << i;
    }
    return known.on_stack;
}

bool DeadFrames::has_returned(const CallSite& made, const CallSite& later) const {
    return options_.text != nullptr && made.thread == later.thread &&
           options_.text->has_returned(made.stack, later.stack);
}

bool DeadFrames::has_returned(const CallSite& made, const model::RecordedEvent& event) const {
    if (!event.stack) return false;
    CallSite place = made;
    place.thread = event.thread;
    place.stack = *event.stack;
    return has_returned(made, place);
}

void DeadFrames::report(const CallSite& made, const CallSite* later, std::string_view operation) {
    const std::string what{operation};
    const std::string part = "the " + what;
    std::vector<Involved> calls{{made, part}};
    if (later != nullptr) calls.push_back({*later, "its completion", false});
    Finding* const finding =
        reporter_.report(FindingClass::PendingBufferAccess, Severity::Error, process_, calls);
    if (finding == nullptr) return;
    finding->message = "The buffer of a " + what +
                       " is a variable of a function that has returned before the " + what +
                       " had completed: by then its memory may be used for something else.";
}

void DeadFrames::follow(const CallView& view) {
    if (options_.text == nullptr) return;
    lend(view);
    if (lent_.empty()) return;
    const model::Value* const window = view.in(Role::Window);
    const bool detaches = window == nullptr && view.name().starts_with("MPI_Buffer_detach");
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
                       "with it: by then its memory may be used for something else.";
}

void DeadFrames::lend(const CallView& view) {
    if (!view.local.lent || view.call.error_code != 0) return;
    const bool attaches = view.name().starts_with("MPI_Buffer_attach");
    const std::int64_t window = attaches ? model::kNullHandle : view.result(Role::Window, -1);
    if ((attaches || window >= 0) && has(on_stack_at(view), *view.local.lent))
        lent_[window] = site_of(view.call);
}

}  // namespace mqinspect::analysis
