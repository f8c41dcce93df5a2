/// What is wrong with collective operations: procedures, roots, operators, sizes, datatypes.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "analysis/datatypes/signature.h"
#include "analysis/pairing/matcher.h"
#include "analysis/pairing/report.h"

namespace mqinspect::analysis {

/// Compares what the members of each operation have given. After operations of different kinds
/// have met, what follows on the same communicator is no longer looked at: it is a consequence.
class WaveChecks {
public:
    /// Keeps references; `matcher` is the one whose waves come.
    WaveChecks(const TypeSignatures& signatures,
               const std::vector<CallKind>& kinds,
               InterprocessReport& report)
        : signatures_(signatures), kinds_(kinds), report_(report) {}

    void check(const Wave& wave, std::span<const model::ProcessId> members);
    /// What not all members have started.
    void check_open(Matcher& matcher);

private:
    using Member = std::uint32_t;
    /// What one member sends to, or receives from, one other.
    struct Part {
        Member member = 0;
        model::DatatypeId type{-1};
        std::int64_t count = 0;
    };
    /// Ranks that have the same, and what it is; the largest group last.
    struct Opinion {
        std::string text;
        std::vector<Member> members;
    };

    /// What a member of an intercommunicator is to give as root.
    std::int64_t expected_root(const Wave& wave, Member root, Member member) const;
    const CallKind& kind(const Contribution& contribution) const {
        return kinds_[contribution.site.procedure.index()];
    }
    template <class TextOf>
    std::vector<Opinion> opinions(const Wave& wave, TextOf text_of) const;
    /// Whether those of whom `text_of` says something give the same; else that is reported.
    template <class TextOf>
    bool agree(const Wave& wave, TextOf text_of);
    std::vector<Opinion> procedures_of(const Wave& wave) const;
    std::vector<Opinion> lists_of(const Wave& wave) const;
    std::vector<Opinion> local_leaders_of(const Wave& wave) const;
    bool check_procedures(const Wave& wave);
    static bool moves_nothing(const Wave& wave, const std::vector<Member>& members);
    void report_procedures(const Wave& wave,
                           const std::vector<Opinion>& opinions,
                           Severity severity);
    bool check_roots(const Wave& wave);
    /// Of an intercommunicator: what of the roots given is wrong; empty: nothing.
    std::string wrong_roots(const Wave& wave) const;
    bool check_operators(const Wave& wave);
    void check_in_place(const Wave& wave);
    void check_unfinished(const Wave& wave);
    bool was_under_way(const Wave& wave, const std::vector<Member>& open) const;
    void report_opinions(FindingClass finding_class,
                         const Wave& wave,
                         const std::vector<Opinion>& opinions,
                         std::string_view verb,
                         Severity severity = Severity::Error,
                         std::string_view rule = {});
    Finding start_finding(FindingClass finding_class, const Wave& wave) const;
    std::string operation_name(const Wave& wave, Member member) const;
    std::string ranks(const Wave& wave, const std::vector<Member>& members) const;
    void report_incomplete(const Wave& wave,
                           std::span<const model::ProcessId> members,
                           const std::vector<const Wave*>& started);

    // wave_groups.cpp
    static std::string group_text(std::span<const std::int64_t> ranks);
    void check_groups(const Wave& wave);
    void check_lists(const Wave& wave);
    void check_split_types(const Wave& wave);
    void check_assertions(const Wave& wave);
    std::string split_type_text(std::int64_t type) const;
    void check_edges(const Wave& wave);
    void check_weights(const Wave& wave);
    void check_views(const Wave& wave);
    void check_opened(const Wave& wave);
    void check_values(const Wave& wave);
    void check_open_groups(Matcher& matcher, const std::vector<WaveIndex>& open);
    static std::optional<Member> missed(Matcher& matcher, const Wave& here, const Wave& there);
    std::int64_t tag_of(const Contribution& contribution) const;
    std::string string_tag(std::int64_t tag) const;  ///< of texts, as messages write it
    void report_tags(const Wave& wave, Member member, const Wave& other_wave, Member other);
    void report_edge(const Wave& wave, Member giver, Member other, bool is_end);
    void report_groups(const Wave& wave, Member member, const Wave& other_wave, Member other);
    bool is_made_of_wrong_groups(const Wave& wave) const;

    // wave_leaders.cpp
    /// One group in a call of CallKind::by_leaders that has not come to its end.
    struct Side {
        const Wave* wave = nullptr;
        Member leader = 0;
        model::ProcessId process{-1};  ///< the leader
        model::ProcessId remote{-1};   ///< whom it names as the other one
        bool from_groups = false;
    };
    void check_leaders(const Wave& wave);
    /// For check_sides. False: it is no such side.
    bool keep_side(const Wave& wave);
    std::optional<Side> side_of(const Wave& wave) const;
    /// Why the two do not meet; empty: nothing is known.
    std::string difference(const Side& one, const Side& other) const;
    std::string leader_difference(const Side& one, const Side& other) const;
    std::string group_difference(const Side& one, const Side& other) const;
    /// The groups that wait for each other.
    void check_sides();
    void report_sides(const Side& one, const Side& other, const std::string& difference);

    // wave_types.cpp
    void check_types(const Wave& wave);
    void check_uniform(const Wave& wave,
                       const std::vector<Member>& members,
                       const std::vector<Part>& parts);
    void check_rooted(const Wave& wave);
    void check_reduce(const Wave& wave);
    Part reduced_part(const Wave& wave, Member member) const;
    void check_counts(const Wave& wave);
    void check_all_to_all(const Wave& wave);
    void check_allgatherv(const Wave& wave);
    void check_pairs(const Wave& wave);
    void check_neighbors(const Wave& wave);
    void check_checksums(const Wave& wave, Member root, Member member);
    std::optional<Member> root_of(const Wave& wave) const;
    /// Whether data goes from the one to the other: all in a group, across for two groups.
    bool faces(const Wave& wave, Member left, Member right) const;
    std::uint32_t local_size(const Wave& wave) const;
    static Part send_part(const Wave& wave, Member member, std::size_t index);
    static Part receive_part(const Wave& wave, Member member, std::size_t index);
    /// True: they fit, or it is not known; else it has been reported. `first`: whom to name first.
    bool compare(const Wave& wave, const Part& sent, const Part& received, Member first);

    const TypeSignatures& signatures_;
    const std::vector<CallKind>& kinds_;
    InterprocessReport& report_;
    std::unordered_set<std::uint32_t> derailed_;  ///< orders of waves
    std::vector<Wave> sides_;  ///< whole ones of CallKind::by_leaders that are not complete
    /// Communicators on which a call of MPI_Comm_create was given groups that do not fit.
    std::unordered_set<int> wrong_groups_;
};

template <class TextOf>
bool WaveChecks::agree(const Wave& wave, TextOf text_of) {
    std::vector<Opinion> found = opinions(wave, text_of);
    std::erase_if(found, [](const Opinion& one) { return one.text.empty(); });
    if (found.size() > 1) report_opinions(FindingClass::InvalidArgument, wave, found, "give");
    return found.size() <= 1;
}

template <class TextOf>
std::vector<WaveChecks::Opinion> WaveChecks::opinions(const Wave& wave, TextOf text_of) const {
    std::map<std::string, std::vector<Member>> groups;
    for (Member member = 0; member < wave.contributions.size(); ++member) {
        if (wave.contributions[member].arrived) {
            groups[text_of(wave.contributions[member])].push_back(member);
        }
    }
    std::vector<Opinion> result;
    result.reserve(groups.size());
    for (auto& [text, members] : groups)
        result.push_back({text, std::move(members)});
    std::stable_sort(result.begin(), result.end(), [](const Opinion& left, const Opinion& right) {
        return left.members.size() < right.members.size();
    });
    return result;
}

}  // namespace mqinspect::analysis
