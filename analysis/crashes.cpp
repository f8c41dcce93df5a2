#include "analysis/crashes.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "analysis/wording.h"

namespace mqinspect::analysis {

using model::RankSnapshot;
using model::RankState;

namespace {

constexpr std::size_t kMostGroups = 4;  // of ranks that died alike

bool was_seen(const RankSnapshot& rank) {
    return rank.state == RankState::Blocked || rank.state == RankState::Running;
}

// "SIGSEGV in MPI_Send at ring.c:14", "SIGTERM from process 7 at a.c:3".
std::string death_text(const RankSnapshot& rank) {
    std::string text = rank.signal->name;
    if (rank.signal->sender_pid.value_or(0) > 0) {
        text += " from process " + std::to_string(*rank.signal->sender_pid);
    }
    if (rank.call) {
        const std::string place = place_text(rank.call->location);
        return text + " in " + rank.call->function + (place.empty() ? "" : " at ") + place;
    }
    const auto frame = std::ranges::find_if(
        rank.stack, [](const model::Frame& each) { return !each.location.file.empty(); });
    return frame == rank.stack.end() ? text : text + " at " + place_text(frame->location);
}

struct Group {
    std::string death;
    std::vector<Node> ranks;
};

std::string ended(const Group& group) {
    return group.ranks.size() == 1 ? " was ended" : " were ended";
}

void add(std::vector<Group>& groups, std::string death, Node node) {
    auto group =
        std::ranges::find_if(groups, [&](const Group& each) { return each.death == death; });
    if (group == groups.end()) {
        groups.push_back({std::move(death), {}});
        group = std::prev(groups.end());
    }
    group->ranks.push_back(node);
}

void append(std::string& text, std::string sentence) {
    sentence.front() =
        static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    if (!text.empty()) text += " ";
    text += sentence + ".";
}

}  // namespace

std::vector<bool> find_crashed(const model::JobSnapshot& snapshot) {
    bool any_own = false;
    bool any_alive = false;
    for (const RankSnapshot& rank : snapshot.ranks) {
        any_own = any_own || (rank.signal && model::is_own_doing(*rank.signal));
        any_alive = any_alive || (!rank.signal && was_seen(rank));
    }
    std::vector<bool> crashed;
    for (const RankSnapshot& rank : snapshot.ranks) {
        const bool own = rank.signal && model::is_own_doing(*rank.signal);
        crashed.push_back(own || (rank.signal && !any_own && any_alive));
    }
    return crashed;
}

std::string crashes_text(const JobIndex& index) {
    std::vector<Group> groups;
    for (Node node = 0; node < index.size(); ++node) {
        if (index.crashed(node)) add(groups, death_text(index.rank(node)), node);
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(groups.size(), kMostGroups); ++i) {
        const Group& group = groups[i];
        const bool own = model::is_own_doing(*index.rank(group.ranks.front()).signal);
        append(text,
               ranks_text(index, std::span(group.ranks)) +
                   (own ? std::string(" crashed: ") : ended(group) + " by ") + group.death);
    }
    if (groups.size() > kMostGroups) {
        append(text,
               std::to_string(groups.size() - kMostGroups) + " more crashes are listed below");
    }
    return text;
}

std::string ended_text(const JobIndex& index) {
    std::vector<Group> groups;
    for (Node node = 0; node < index.size(); ++node) {
        const auto& signal = index.rank(node).signal;
        if (signal && !index.crashed(node)) add(groups, signal->name, node);
    }
    std::string text;
    for (const Group& group : groups) {
        append(text,
               ranks_text(index, std::span(group.ranks)) + ended(group) + " from outside by " +
                   group.death);
    }
    return text;
}

}  // namespace mqinspect::analysis
