// The groups that MPI_Comm_create and MPI_Comm_create_group are given: all who are in a group must
// give it, in the same order (MPI 4.0, 7.4.2). What topologies are given.

#include <algorithm>
#include <map>

#include "analysis/pairing/wave_checks.h"

namespace mqinspect::analysis {

using model::ProcessId;

namespace {

constexpr std::size_t kShownRanks = 8;
/// More calls that wait for each other need not be compared.
constexpr std::size_t kMostOpen = 64;

/// What a number of Contribution::given stands for; null: nothing is known of it.
template <class Known>
const Known* known_at(const std::vector<Known>& all,
                      const std::vector<std::int64_t>& given,
                      std::size_t at) {
    const bool is_known =
        at < given.size() && given[at] >= 0 && static_cast<std::size_t>(given[at]) < all.size();
    return is_known ? &all[static_cast<std::size_t>(given[at])] : nullptr;
}

}  // namespace

std::string WaveChecks::group_text(std::span<const std::int64_t> ranks) {
    std::string text = "{";
    for (std::size_t at = 0; at < std::min(ranks.size(), kShownRanks); ++at)
        text += (at == 0 ? "" : ", ") + std::to_string(ranks[at]);
    return text + (ranks.size() > kShownRanks ? ", ...}" : "}");
}

// A member may give a group that it is not in, or none; the members of disjoint groups each their
// own.
void WaveChecks::check_groups(const Wave& wave) {
    if (!kind(wave.contributions.front()).by_groups || report_.members().inter(wave.communicator))
        return;
    const auto& processes = report_.execution().processes;
    const int world = processes[wave.contributions.front().site.process.index()].world;
    std::map<std::int64_t, Member> by_rank;
    for (Member member = 0; member < wave.contributions.size(); ++member) {
        const Contribution& one = wave.contributions[member];
        if (!one.arrived || processes[one.site.process.index()].world != world) return;
        by_rank[processes[one.site.process.index()].rank.value] = member;
    }
    for (const auto& [rank, member] : by_rank) {
        const Contribution& one = wave.contributions[member];
        for (const std::int64_t other_rank : one.given) {
            const auto other = by_rank.find(other_rank);
            if (other == by_rank.end()) continue;
            if (wave.contributions[other->second].given == one.given) continue;
            wrong_groups_.insert(wave.communicator.value);
            return report_groups(wave, member, wave, other->second);
        }
    }
}

// "All input arguments must have identical values on all processes" (MPI 4.0, 8.5.1, 8.5.3); ranks
// of a Cartesian topology keep the same dimensions.
void WaveChecks::check_lists(const Wave& wave) {
    if (!kind(wave.contributions.front()).by_lists) return;
    const std::vector<Opinion> found = lists_of(wave);
    if (found.size() > 1) report_opinions(FindingClass::InvalidArgument, wave, found, "give");
}

std::string WaveChecks::split_type_text(std::int64_t type) const {
    const auto& constants = report_.execution().constants;
    const auto known = std::ranges::find_if(constants, [&](const auto& one) {
        return one.second == type && one.first.starts_with("MPI_COMM_TYPE_");
    });
    return known != constants.end() ? known->first : "split_type " + std::to_string(type);
}

// "Each process ... must provide the same split_type", or MPI_UNDEFINED (MPI 4.0, 7.4.2).
void WaveChecks::check_split_types(const Wave& wave) {
    const CallKind& called = kind(wave.contributions.front());
    if (!called.by_number || called.space != WaveSpace::Communicator) return;
    const std::int64_t undefined = report_.execution().constant("MPI_UNDEFINED", -32766);
    const auto is_none = [&](std::int64_t type) {
        return type == undefined || type == model::kUndefined;
    };
    agree(wave, [&](const Contribution& one) {
        return one.given.empty() || is_none(one.given.front()) ? std::string{}
                                                               : split_type_text(one.given.front());
    });
}

// Who waits for the others before a fence, and who does not, they must agree on (MPI 4.0, 12.5.5).
// Those of fences that have come to their ends are compared with the windows' epochs.
void WaveChecks::check_assertions(const Wave& wave) {
    const CallKind& called = kind(wave.contributions.front());
    if (!called.by_number || called.space != WaveSpace::Window || wave.completed == wave.arrived)
        return;
    const std::pair<std::string, std::int64_t> common[] = {{"MPI_MODE_NOPRECEDE", 8192},
                                                           {"MPI_MODE_NOSUCCEED", 16384}};
    for (const auto& [name, usual] : common) {
        const std::int64_t bit = report_.execution().constant(name, usual);
        const std::string& asserted = name;
        const std::vector<Opinion> found = opinions(wave, [&](const Contribution& one) {
            const bool given = !one.given.empty() && (one.given.front() & bit) != 0;
            return given ? asserted : "no " + asserted;
        });
        if (found.size() > 1)
            return report_opinions(FindingClass::InvalidArgument, wave, found, "give");
    }
}

// All processes give MPI_UNWEIGHTED, or none does (MPI 4.0, 8.5.4).
void WaveChecks::check_weights(const Wave& wave) {
    if (!kind(wave.contributions.front()).by_neighbors) return;
    agree(wave, [](const Contribution& one) -> std::string {
        if (one.weights == Contribution::Weights::None) return {};
        return one.weights == Contribution::Weights::Given ? "weights" : "MPI_UNWEIGHTED";
    });
}

// The data representation, and how long an etype is in the file, must be the same on all processes
// (MPI 4.0, 14.3).
void WaveChecks::check_views(const Wave& wave) {
    if (!kind(wave.contributions.front()).sets_view) return;
    const model::Execution& run = report_.execution();
    const auto etype = [&](const Contribution& one) -> std::string {
        const auto* const type = known_at(run.datatypes, one.given, 0);
        if (type == nullptr) return {};
        return "an etype with an extent of " + std::to_string(type->extent);
    };
    const auto representation = [&](const Contribution& one) {
        const auto* const text = known_at(run.texts, one.given, 1);
        return text == nullptr ? std::string{} : "the data representation " + *text;
    };
    if (agree(wave, etype)) agree(wave, representation);
}

// One file, in the same access mode (MPI 4.0, 14.2.1). Processes may have other ways to its folder.
void WaveChecks::check_opened(const Wave& wave) {
    if (!kind(wave.contributions.front()).opens_file) return;
    const auto mode = [](const Contribution& one) {
        return one.given.empty() ? std::string{}
                                 : "access mode " + std::to_string(one.given.front());
    };
    const auto file = [&](const Contribution& one) {
        const auto* const name = known_at(report_.execution().texts, one.given, 1);
        return name == nullptr ? std::string{}
                               : "the name " + std::string{model::without_folder(*name)};
    };
    if (agree(wave, mode)) agree(wave, file);
}

// Sizes, modes and places of shared file pointers (MPI 4.0, 14.2.4, 14.2.5, 14.4.4 and 14.6.1).
void WaveChecks::check_values(const Wave& wave) {
    const CallKind& called = kind(wave.contributions.front());
    if (!called.by_values) return;
    const bool seeks = called.name == "File_seek_shared";
    const std::string what = called.name == "File_set_atomicity" ? "flag "
                             : seeks                             ? "offset "
                                                                 : "size ";
    const auto value = [&](std::size_t at) {
        return [&, at](const Contribution& one) {
            if (at >= one.given.size()) return std::string{};
            return (at == 0 ? what : "whence ") + std::to_string(one.given[at]);
        };
    };
    if (agree(wave, value(0)) && seeks) agree(wave, value(1));
}

// Each edge is given twice, by the process where it begins and by the one where it ends (MPI 4.0,
// 8.5.4).
void WaveChecks::check_edges(const Wave& wave) {
    if (!kind(wave.contributions.front()).by_edges) return;
    using Edge = std::pair<std::int64_t, std::int64_t>;  // from, to
    std::vector<Edge> of_ends;
    std::vector<Edge> of_begins;
    for (Member member = 0; member < wave.contributions.size(); ++member) {
        if (!wave.contributions[member].arrived) return;
        for (const std::int64_t given : wave.contributions[member].given) {
            if (given >= 0) of_ends.emplace_back(given, member);
            if (given < 0) of_begins.emplace_back(member, edge_to(given));
        }
    }
    std::ranges::sort(of_ends);
    std::ranges::sort(of_begins);
    const auto [end, begin] = std::ranges::mismatch(of_ends, of_begins);
    const bool is_end = end != of_ends.end() && (begin == of_begins.end() || *end < *begin);
    if (!is_end && begin == of_begins.end()) return;
    const auto [from, to] = is_end ? *end : *begin;
    const auto size = static_cast<std::int64_t>(wave.contributions.size());
    if (from < 0 || from >= size || to < 0 || to >= size) return;  // told as an argument
    report_edge(wave,
                static_cast<Member>(is_end ? to : from),
                static_cast<Member>(is_end ? from : to),
                is_end);
}

// `giver` has given an edge from, if `is_end`, or to the other one.
void WaveChecks::report_edge(const Wave& wave, Member giver, Member other, bool is_end) {
    const EventSite& one = wave.contributions[giver].site;
    const EventSite& second = wave.contributions[other].site;
    Finding finding = start_finding(FindingClass::InvalidArgument, wave);
    finding.processes = {one.process, second.process};
    finding.calls = {one.involved("gives the edge"), second.involved("does not")};
    finding.message = "In " + operation_name(wave, giver) + " " + report_.rank_text(one.process) +
                      " gives an edge " + (is_end ? "from " : "to ") +
                      report_.rank_text(second.process) + " that this one does not give.";
    const std::uint64_t key =
        InterprocessReport::key(FindingClass::InvalidArgument, {&one, &second});
    if (report_.count_again(key, finding.processes)) return;
    report_.add(key, std::move(finding));
}

/// Of WaveSpace::Group.
std::int64_t WaveChecks::tag_of(const Contribution& contribution) const {
    const std::size_t at = kind(contribution).by_leaders ? kLeadersTag : 0;
    return at < contribution.given.size() ? contribution.given[at] : -1;
}

std::string WaveChecks::string_tag(std::int64_t tag) const {
    const auto at = static_cast<std::size_t>(tag);
    const auto& all = report_.execution().texts;
    return "\"" + (at < all.size() ? all[at] : "?") + "\"";
}

// Who has come to `there` and is missed in `here`.
std::optional<WaveChecks::Member> WaveChecks::missed(Matcher& matcher,
                                                     const Wave& here,
                                                     const Wave& there) {
    const auto members = matcher.wave_members(here);
    for (Member member = 0; member < there.contributions.size(); ++member) {
        if (!there.contributions[member].arrived) continue;
        const ProcessId process = there.contributions[member].site.process;
        const auto place = std::ranges::find(members, process);
        if (place != members.end() &&
            !here.contributions[static_cast<std::size_t>(place - members.begin())].arrived)
            return member;
    }
    return std::nullopt;
}

// Calls of MPI_Comm_create_group, or of MPI_Comm_create_from_group, with different groups or tags
// do not meet at all: each waits for a member that waits in the other one.
void WaveChecks::check_open_groups(Matcher& matcher, const std::vector<WaveIndex>& open) {
    std::vector<const Wave*> waves;
    for (const WaveIndex index : open) {
        const Wave& wave = matcher.wave(index);
        const auto here = std::ranges::find_if(wave.contributions, &Contribution::arrived);
        if (here != wave.contributions.end() && kind(*here).space == WaveSpace::Group &&
            waves.size() < kMostOpen)
            waves.push_back(&wave);
    }
    for (std::size_t i = 0; i < waves.size(); ++i) {
        for (std::size_t j = i + 1; j < waves.size(); ++j) {
            const Wave& left = *waves[i];
            const Wave& right = *waves[j];
            if (left.communicator != right.communicator || left.order == right.order ||
                derailed_.count(left.order) != 0)
                continue;
            const auto of_right = missed(matcher, left, right);
            const auto of_left = missed(matcher, right, left);
            if (!of_right || !of_left) continue;
            if (tag_of(left.contributions[*of_left]) != tag_of(right.contributions[*of_right])) {
                // With other members, too, these are two operations that cross.
                if (!std::ranges::equal(matcher.wave_members(left), matcher.wave_members(right)))
                    continue;
                report_tags(left, *of_left, right, *of_right);
            } else {
                report_groups(left, *of_left, right, *of_right);
            }
            derailed_.insert(left.order);
            derailed_.insert(right.order);
        }
    }
}

void WaveChecks::report_tags(const Wave& wave,
                             Member member,
                             const Wave& other_wave,
                             Member other) {
    const Contribution& one = wave.contributions[member];
    const Contribution& second = other_wave.contributions[other];
    const bool texts = wave.communicator.value < 0;
    const auto text_of = [&](const Contribution& giver) {
        const std::int64_t tag = tag_of(giver);
        const std::string rank = report_.rank_text(giver.site.process);
        if (!texts) return rank + " gives " + std::to_string(tag);
        return rank + " gives " + string_tag(tag);
    };
    Finding finding = start_finding(FindingClass::InvalidArgument, wave);
    finding.processes = {one.site.process, second.site.process};
    finding.calls = {one.site.involved("gives one tag"), second.site.involved("gives another one")};
    finding.message =
        operation_name(wave, member) + " is given different " + (texts ? "string tags" : "tags") +
        " by processes of the same group: " + text_of(one) + ", but " + text_of(second) + ".";
    const std::uint64_t key =
        InterprocessReport::key(FindingClass::InvalidArgument, {&one.site, &second.site});
    if (report_.count_again(key, finding.processes)) return;
    report_.add(key, std::move(finding));
}

void WaveChecks::report_groups(const Wave& wave,
                               Member member,
                               const Wave& other_wave,
                               Member other) {
    const Contribution& one = wave.contributions[member];
    const Contribution& second = other_wave.contributions[other];
    Finding finding = start_finding(FindingClass::InvalidArgument, wave);
    finding.processes = {one.site.process, second.site.process};
    finding.calls = {one.site.involved("gives one group"),
                     second.site.involved("gives another one")};
    // What others than MPI_Comm_create give is not kept, or is a tag.
    const bool shown = kind(one).by_groups;
    const auto text_of = [&](const Contribution& giver) {
        return report_.rank_text(giver.site.process) +
               (shown ? " gives " + group_text(giver.given) : "");
    };
    finding.message = operation_name(wave, member) +
                      " is given different groups by processes that are in them: " + text_of(one) +
                      (shown ? ", but " : " and ") + text_of(second) +
                      (shown ? "." : " do not give the same one.");
    const std::uint64_t key =
        InterprocessReport::key(FindingClass::InvalidArgument, {&one.site, &second.site});
    if (report_.count_again(key, finding.processes)) return;
    report_.add(key, std::move(finding));
}

bool WaveChecks::is_made_of_wrong_groups(const Wave& wave) const {
    if (wrong_groups_.empty() || wave.communicator.value < 0) return false;
    const auto& made = report_.execution().communicators[wave.communicator.index()];
    return made.constructor == "MPI_Comm_create" && made.parent &&
           wrong_groups_.contains(made.parent->value);
}

}  // namespace mqinspect::analysis
