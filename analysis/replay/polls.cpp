#include "analysis/replay/polls.h"

#include <algorithm>

namespace mqinspect::analysis {

using model::Role;

namespace {

/// So many calls that find nothing are no accident.
constexpr std::uint64_t kMany = 1000;
/// What is asked for is looked at from here on: programs that poll only now and then pay nothing.
constexpr std::uint64_t kSome = 100;
constexpr std::size_t kMostRequests = 64;

bool has_found(const model::Procedure& procedure, const model::RecordedCall& call) {
    if (!call.leave_event) return false;
    if (const model::Value* flag = model::value_of(procedure, call.after, Role::Flag)) {
        return flag->number != 0;
    }
    const model::Value* count = model::value_of(procedure, call.after, Role::OutCount);
    return count == nullptr || count->number != 0;
}

}  // namespace

void Polls::start_again() {
    count_ = 0;
    mixed_ = false;
    requests_.clear();
    probe_ = {};
    window_ = model::kNullHandle;
}

void Polls::note(const model::Procedure& procedure,
                 const CallKind& kind,
                 const model::RecordedCall& call) {
    if (!kind.probes_only || has_found(procedure, call)) {
        if (!kind.probes_only) most_in_vain_ = std::max(most_in_vain_, count_);
        if (count_ > 0) start_again();
        return;
    }
    last_ = event_site_of(call);
    if (++count_ < kSome || mixed_) return;
    const auto number = [&](Role role) {
        const model::Value* value = model::value_of(procedure, call.before, role);
        return value == nullptr ? model::kNullHandle : value->number;
    };
    if (kind.action == Action::Probe || kind.action == Action::MatchedProbe) {
        const Probe asked{number(Role::Communicator), number(Role::Source), number(Role::Tag)};
        mixed_ = probe_.communicator != model::kNullHandle && probe_ != asked;
        probe_ = asked;
        return;
    }
    if (kind.action == Action::WindowWait) {
        const std::int64_t asked = number(Role::Window);
        mixed_ = window_ != model::kNullHandle && window_ != asked;
        window_ = asked;
        return;
    }
    if (kind.action != Action::Complete) {
        mixed_ = true;
        return;
    }
    const auto ask_for = [&](std::int64_t request) {
        if (request >= 0 &&
            std::find(requests_.begin(), requests_.end(), request) == requests_.end())
            requests_.push_back(request);
    };
    ask_for(number(Role::Request));
    if (const model::Value* all = model::value_of(procedure, call.before, Role::Requests)) {
        for (const std::int64_t request :
             all->list.first(std::min(all->list.size(), kMostRequests)))
            ask_for(request);
        mixed_ = all->list.size() > kMostRequests;
    }
    mixed_ = mixed_ || requests_.size() > kMostRequests;
}

bool Polls::waiting() const {
    const int kinds = (probe_.communicator != model::kNullHandle ? 1 : 0) +
                      (window_ != model::kNullHandle ? 1 : 0) + (requests_.empty() ? 0 : 1);
    return count_ >= kMany && count_ > 2 * most_in_vain_ && !mixed_ && kinds == 1;
}

}  // namespace mqinspect::analysis
