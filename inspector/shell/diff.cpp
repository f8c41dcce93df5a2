#include "inspector/shell/diff.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "model/worlds.h"
#include "report/call_text.h"
#include "report/rank_ranges.h"

namespace mqinspect::shell {

namespace {

using model::JobSnapshot;
using model::Operation;
using model::RankSnapshot;
using model::RankState;

std::string doing(const RankSnapshot& rank) {
    std::string text;
    switch (rank.state) {
        case RankState::Blocked:
            text = rank.call ? report::call_text(*rank.call, false) : "blocked in an unknown call";
            break;
        case RankState::Running:
            text = report::activity_text(rank, false);
            break;
        case RankState::Exited:
            return "ended";
        case RankState::Unreadable:
            return "unreadable";
    }
    const model::SourceLocation* place = report::user_location(rank);
    if (place == nullptr) return text;
    return fmt::format("{} at {}", text, report::location_text(*place, false));
}

/// Empty: nothing shows that it moved.
std::string_view unseen_move(const RankSnapshot& before, const RankSnapshot& after) {
    if (before.pid != after.pid) return {};
    if (before.call_identity != after.call_identity) return "the same, entered again";
    const bool counted = before.progress_count && after.progress_count;
    if (counted && before.progress_count != after.progress_count) {
        return "the same, but it has communicated";
    }
    return {};
}

std::string_view queue_text(model::Queue queue) {
    switch (queue) {
        case model::Queue::PostedReceive:
            return "posted receive from";
        case model::Queue::UnexpectedMessage:
            return "unexpected message from";
        case model::Queue::PendingSend:
            return "pending send to";
        case model::Queue::Collective:
            break;
    }
    return "collective";
}

std::string_view state_text(model::OperationState state) {
    switch (state) {
        case model::OperationState::Pending:
            return "";
        case model::OperationState::Matched:
            return ", matched";
        case model::OperationState::Complete:
            break;
    }
    return ", complete";
}

/// By number.
std::vector<std::string> communicator_names(const JobSnapshot& snapshot) {
    const model::Worlds worlds(snapshot);
    std::vector<std::string> names;
    for (const model::Communicator& communicator : snapshot.communicators)
        names.push_back(model::communicator_name(worlds, communicator));
    return names;
}

std::string operation_text(const std::vector<std::string>& names, const Operation& operation) {
    std::string text(queue_text(operation.queue));
    if (operation.queue != model::Queue::Collective) {
        const auto peer = operation.world_peer ? report::rank_ranges({&*operation.world_peer, 1})
                                               : std::string("?");
        text += " " + (operation.any_source ? "any" : peer);
        const std::string tag = operation.tag ? std::to_string(*operation.tag) : "?";
        text += ", tag " + (operation.any_tag ? "any" : tag);
    } else {
        text += operation.function.empty() ? "" : " " + operation.function;
    }
    if (operation.bytes) text += fmt::format(", {} B", *operation.bytes);
    text += state_text(operation.state);
    const std::size_t id = operation.communicator.index();
    return text + " on " + (id < names.size() ? names[id] : "?");
}

using Counts = std::map<std::string, std::map<model::WorldRank, long>>;

void count(const JobSnapshot& snapshot, long sign, Counts& counts) {
    const std::vector<std::string> names = communicator_names(snapshot);
    for (const Operation& operation : snapshot.operations) {
        if (operation.collective) continue;
        counts[operation_text(names, operation)][operation.rank] += sign;
    }
}

std::vector<OperationChange> changed_operations(const JobSnapshot& before,
                                                const JobSnapshot& after) {
    Counts counts;
    count(before, -1, counts);
    count(after, 1, counts);
    std::vector<OperationChange> changes;
    for (const bool appeared : {false, true}) {
        for (const auto& [text, of_rank] : counts) {
            OperationChange change{appeared, text, {}};
            for (const auto& [rank, number] : of_rank) {
                const long times = appeared ? number : -number;
                for (long i = 0; i < times; ++i)
                    change.ranks.push_back(rank);
            }
            if (!change.ranks.empty()) changes.push_back(std::move(change));
        }
    }
    return changes;
}

/// By what they are, since numbers may differ between snapshots.
std::map<std::string, long> communicators_of(const JobSnapshot& snapshot) {
    const model::Worlds worlds(snapshot);
    std::map<std::string, long> found;
    for (const model::Communicator& communicator : snapshot.communicators) {
        std::string text = fmt::format("{}, {}",
                                       model::communicator_name(worlds, communicator),
                                       report::named_ranks(worlds, communicator.members));
        if (communicator.inter) {
            text += " with " + report::named_ranks(worlds, communicator.remote_members);
        }
        ++found[text];
    }
    return found;
}

std::vector<std::string> changed_communicators(const JobSnapshot& before,
                                               const JobSnapshot& after) {
    std::map<std::string, long> counts = communicators_of(after);
    for (const auto& [text, number] : communicators_of(before))
        counts[text] -= number;
    std::vector<std::string> lines;
    for (const auto& [text, number] : counts) {
        if (number > 0) lines.push_back("new: " + text);
        if (number < 0) lines.push_back("freed: " + text);
    }
    return lines;
}

}  // namespace

Difference difference(const JobSnapshot& before, const JobSnapshot& after) {
    Difference result;
    for (std::size_t i = 0; i < std::min(before.ranks.size(), after.ranks.size()); ++i) {
        std::string was = doing(before.ranks[i]);
        std::string is = doing(after.ranks[i]);
        if (was == is) is = unseen_move(before.ranks[i], after.ranks[i]);
        if (is.empty()) continue;
        result.moves.push_back({after.ranks[i].rank, std::move(was), std::move(is)});
    }
    result.operations = changed_operations(before, after);
    result.communicators = changed_communicators(before, after);
    return result;
}

}  // namespace mqinspect::shell
