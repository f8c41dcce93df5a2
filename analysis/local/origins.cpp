#include "analysis/local/origins.h"

#include <algorithm>

namespace mqinspect::analysis {

namespace {

using model::Direction;
using model::ParameterKind;

/// The group has no members, or is none. The former belongs to everything.
bool is_empty_group(const model::Value& group) {
    return group.list.empty() || group.list[0] < -1;
}

/// Of the parameter of a group's number: that of its members; parameters.size(): there is none.
std::size_t members_of(const model::Procedure& procedure, std::string_view handle) {
    handle.remove_suffix(std::string_view{"_handle"}.size());
    const auto& all = procedure.parameters;
    const auto found = std::ranges::find(all, handle, &model::Parameter::name);
    return static_cast<std::size_t>(found - all.begin());
}

/// What leads to the other group matters at one process only (MPI 4.0, 7.6.2, 7.4.2).
bool is_ignored(const CallView& view,
                std::string_view parameter,
                model::ProcessId process,
                std::int64_t rank) {
    if (parameter != "peer_comm" && parameter != "remote_group_handle") return false;
    const model::Value* const leader = view.named("local_leader");
    const model::Value* const group = view.named("local_group");
    if (leader == nullptr) return true;
    if (group == nullptr) return leader->number != rank;
    const auto at = static_cast<std::size_t>(leader->number);
    return at >= group->list.size() || group->list[at] != process.value;
}

}  // namespace

void Origins::check(const CallView& view, std::int64_t rank) {
    const std::vector<Given> given = given_to(view, rank);
    const auto other = std::ranges::find_if(
        given, [&](const Given& one) { return one.origin != given.front().origin; });
    std::optional<Origin> origin;
    if (other != given.end()) {
        report(view, given.front(), *other);
    } else if (!given.empty()) {
        origin = given.front().origin;
    }
    if (!view.succeeded()) return;
    if (view.name() == "MPI_Session_init") {
        origin = static_cast<Origin>(sessions_.size());
        sessions_.push_back(site_of(view.call));
    }
    note_made(view, origin);
}

std::optional<Origins::Key> Origins::key_of(const model::Procedure& procedure,
                                            std::size_t at,
                                            std::span<const model::Value> values) {
    const model::Parameter& parameter = procedure.parameters[at];
    switch (parameter.kind) {
        case ParameterKind::Communicator:
        case ParameterKind::Window:
        case ParameterKind::File:
            if (values[at].number < 0) return std::nullopt;
            break;
        case ParameterKind::GroupHandle: {
            const std::size_t members = members_of(procedure, parameter.name);
            if (members >= values.size() || is_empty_group(values[members])) return std::nullopt;
            break;
        }
        default:
            if (parameter.name != "session") return std::nullopt;
    }
    return Key{parameter.kind, values[at].number};
}

std::optional<Origins::Origin> Origins::origin_of(const Key& key) const {
    const auto found = origins_.find(key);
    if (found != origins_.end()) return found->second;
    const auto at = static_cast<std::size_t>(key.second);
    if (key.first != ParameterKind::Communicator || at >= execution_.communicators.size())
        return std::nullopt;
    const std::string& constructor = execution_.communicators[at].constructor;
    const bool predefined = constructor == "MPI_COMM_WORLD" || constructor == "MPI_COMM_SELF";
    return predefined ? std::optional{kWorld} : std::nullopt;
}

std::vector<Origins::Given> Origins::given_to(const CallView& view, std::int64_t rank) const {
    const model::Procedure& procedure = *view.local.procedure;
    std::vector<Given> result;
    for (std::size_t at = 0; at < procedure.parameters.size(); ++at) {
        const model::Parameter& parameter = procedure.parameters[at];
        if (parameter.direction == Direction::Out || at >= view.call.before.size()) continue;
        const auto key = key_of(procedure, at, view.call.before);
        if (!key || is_ignored(view, parameter.name, process_, rank)) continue;
        if (const auto origin = origin_of(*key)) result.push_back({*origin, parameter.name});
    }
    return result;
}

void Origins::note_made(const CallView& view, const std::optional<Origin>& origin) {
    const model::Procedure& procedure = *view.local.procedure;
    for (std::size_t at = 0; at < procedure.parameters.size(); ++at) {
        if (procedure.parameters[at].direction != Direction::Out || at >= view.call.after.size())
            continue;
        const auto key = key_of(procedure, at, view.call.after);
        if (!key) continue;
        if (origin) {
            origins_[*key] = *origin;
        } else {
            origins_.erase(*key);
        }
    }
}

void Origins::report(const CallView& view, const Given& one, const Given& other) {
    std::vector<Involved> calls{{site_of(view.call)}};
    std::string message = view.name() + " is given ";
    for (const Given* const given : {&one, &other}) {
        std::string_view name = given->parameter;
        if (name.ends_with("_handle")) name.remove_suffix(std::string_view{"_handle"}.size());
        const bool second = given == &other;
        message += std::string{second ? " and " : ""} + std::string{name} + " of ";
        if (given->origin == kWorld) {
            message += "the world that MPI_Init makes";
            continue;
        }
        const bool both = one.origin != kWorld && other.origin != kWorld;
        message += second && both ? "another session" : "a session";
        calls.push_back({sessions_[static_cast<std::size_t>(given->origin)],
                         second && both ? "begins the other session" : "begins the session",
                         false});
    }
    Finding* const finding =
        reporter_.report(FindingClass::InvalidArgument, Severity::Error, process_, calls);
    if (finding == nullptr) return;
    finding->message = message +
                       ": what was made from one must not meet what was made from "
                       "another in a call.";
}

}  // namespace mqinspect::analysis
