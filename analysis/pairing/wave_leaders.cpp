// The two groups that MPI_Intercomm_create joins (MPI 4.0, 7.6.2): each names its leader, and its
// leader that of the other one, in a communicator that both have, with a tag that both give. With
// MPI_Intercomm_create_from_groups it names the other group instead.

#include <algorithm>
#include <span>

#include "analysis/pairing/wave_checks.h"

namespace mqinspect::analysis {

using model::ProcessId;

namespace {

constexpr std::size_t kMostSides = 64;
constexpr std::size_t kShownCalls = 16;

bool is_in(const Wave& wave, ProcessId process) {
    return std::ranges::any_of(wave.contributions, [process](const Contribution& one) {
        return one.site.process == process;
    });
}

}  // namespace

// "... all processes in the group must give the same local_leader".
void WaveChecks::check_leaders(const Wave& wave) {
    if (!kind(wave.contributions.front()).by_leaders) return;
    const std::vector<Opinion> found = local_leaders_of(wave);
    if (found.size() > 1) report_opinions(FindingClass::InvalidArgument, wave, found, "give");
}

bool WaveChecks::keep_side(const Wave& wave) {
    if (wave.contributions.empty() || !kind(wave.contributions.front()).by_leaders ||
        wave.completed == wave.arrived)
        return false;
    sides_.push_back(wave);
    return true;
}

std::optional<WaveChecks::Side> WaveChecks::side_of(const Wave& wave) const {
    const std::vector<std::int64_t>& given = wave.contributions.front().given;
    if (given.size() < kLeadersGiven || given[kLocalLeader] < 0 ||
        static_cast<std::size_t>(given[kLocalLeader]) >= wave.contributions.size())
        return std::nullopt;
    Side side;
    side.wave = &wave;
    side.leader = static_cast<Member>(given[kLocalLeader]);
    const Contribution& leader = wave.contributions[side.leader];
    side.process = leader.site.process;
    if (leader.given.size() < kLeadersGiven) return std::nullopt;
    side.from_groups = kind(leader).space == WaveSpace::Group;
    if (side.from_groups) {
        const auto group = std::span{leader.given}.subspan(kLeadersGiven);
        const auto at = static_cast<std::size_t>(leader.given[kRemoteLeader]);
        if (at >= group.size()) return std::nullopt;
        side.remote = ProcessId{static_cast<int>(group[at])};
        return side;
    }
    if (!report_.members().valid(leader.given[kPeerCommunicator])) return std::nullopt;
    const model::CommunicatorId peers{static_cast<int>(leader.given[kPeerCommunicator])};
    const auto remote =
        report_.members().process_of(peers, side.process, leader.given[kRemoteLeader]);
    if (!remote) return std::nullopt;
    side.remote = *remote;
    return side;
}

/// Precondition: the one leader does not name the other one.
std::string WaveChecks::leader_difference(const Side& one, const Side& other) const {
    const std::string rank = report_.rank_text(one.process);
    if (is_in(*one.wave, one.remote) && other.remote == one.process) {
        return rank + " gives " + report_.rank_text(one.remote) +
               " of its own group as the remote leader";
    }
    if (!is_in(*other.wave, one.remote)) return {};
    return rank + " gives " + report_.rank_text(one.remote) +
           " as the remote leader, but the leader of that group is " +
           report_.rank_text(other.process);
}

std::string WaveChecks::group_difference(const Side& one, const Side& other) const {
    const auto& given = one.wave->contributions[one.leader].given;
    const auto remote = std::span{given}.subspan(kLeadersGiven);
    std::vector<std::int64_t> group;
    for (const Contribution& contribution : other.wave->contributions)
        group.push_back(contribution.site.process.value);
    if (std::ranges::equal(remote, group)) return {};
    return report_.rank_text(one.process) + " gives " + group_text(remote) +
           " as the remote group, but that of " + report_.rank_text(other.process) + " is " +
           group_text(group);
}

std::string WaveChecks::difference(const Side& one, const Side& other) const {
    const auto& mine = one.wave->contributions[one.leader].given;
    const auto& theirs = other.wave->contributions[other.leader].given;
    const std::string rank = report_.rank_text(one.process);
    const std::string other_rank = report_.rank_text(other.process);
    if (one.remote != other.process) return leader_difference(one, other);
    if (one.from_groups) {
        std::string groups = group_difference(one, other);
        if (!groups.empty()) return groups;
    }
    if (mine[kPeerCommunicator] != theirs[kPeerCommunicator]) {
        const auto name = [&](std::int64_t id) {
            return report_.members().name(model::CommunicatorId{static_cast<int>(id)});
        };
        return rank + " gives " + name(mine[kPeerCommunicator]) + " as peer communicator, " +
               other_rank + " gives " + name(theirs[kPeerCommunicator]);
    }
    if (other.remote != one.process) {
        return rank + " and " + other_rank + " lead them, but " + other_rank + " gives " +
               report_.rank_text(other.remote) + " as the remote leader";
    }
    const std::int64_t tag = mine[kLeadersTag];
    const std::int64_t other_tag = theirs[kLeadersTag];
    if (tag == other_tag) return one.from_groups ? group_difference(other, one) : std::string{};
    return rank + " gives tag " + (one.from_groups ? string_tag(tag) : std::to_string(tag)) + ", " +
           other_rank + " gives tag " +
           (one.from_groups ? string_tag(other_tag) : std::to_string(other_tag));
}

void WaveChecks::check_sides() {
    std::vector<Side> sides;
    for (const Wave& wave : sides_) {
        const std::optional<Side> side = side_of(wave);
        if (side && sides.size() < kMostSides) sides.push_back(*side);
    }
    std::ranges::sort(sides, {}, &Side::process);
    std::vector<const Wave*> explained;
    for (const Side& one : sides) {
        if (std::ranges::count(explained, one.wave) != 0) continue;
        for (const Side& other : sides) {
            const bool apart =
                one.wave->order != other.wave->order && one.from_groups == other.from_groups;
            const std::string text = apart ? difference(one, other) : std::string{};
            if (text.empty()) continue;
            report_sides(one, other, text);
            explained.insert(explained.end(), {one.wave, other.wave});
            break;
        }
    }
    for (const Wave& wave : sides_) {
        const bool is_explained = std::ranges::count(explained, &wave) != 0;
        if (wave.contributions.size() > 1 && !is_explained) check_unfinished(wave);
    }
    sides_.clear();
}

void WaveChecks::report_sides(const Side& one, const Side& other, const std::string& difference) {
    Finding finding = start_finding(FindingClass::InvalidArgument, *one.wave);
    const EventSite& first = one.wave->contributions[one.leader].site;
    const EventSite& second = other.wave->contributions[other.leader].site;
    finding.calls = {first.involved("the one leader"), second.involved("the other one")};
    for (const Side* side : {&one, &other}) {
        for (Member member = 0; member < side->wave->contributions.size(); ++member) {
            const EventSite& site = side->wave->contributions[member].site;
            insert_process(finding.processes, site.process);
            if (member != side->leader && finding.calls.size() < kShownCalls)
                finding.calls.push_back(site.involved("waits", false));
        }
    }
    finding.message = "The two groups of " + operation_name(*one.wave, one.leader) +
                      " do not meet: " + difference + ".";
    const std::uint64_t key =
        InterprocessReport::key(FindingClass::InvalidArgument, {&first, &second});
    if (report_.count_again(key, finding.processes)) return;
    report_.add(key, std::move(finding));
}

}  // namespace mqinspect::analysis
