#include <algorithm>

#include "analysis/pairing/wave_checks.h"

namespace mqinspect::analysis {

namespace {

/// The value of a list, or what stands for all of its elements.
std::int64_t at_or(const std::vector<std::int64_t>& list,
                   std::size_t index,
                   std::int64_t otherwise) {
    if (list.empty()) return otherwise;
    return index < list.size() ? list[index] : -1;
}

}  // namespace

WaveChecks::Part WaveChecks::send_part(const Wave& wave, Member member, std::size_t index) {
    const Contribution& one = wave.contributions[member];
    return {member,
            model::DatatypeId{static_cast<int>(at_or(one.send_types, index, one.send_type.value))},
            at_or(one.send_counts, index, one.send_count)};
}

WaveChecks::Part WaveChecks::receive_part(const Wave& wave, Member member, std::size_t index) {
    const Contribution& one = wave.contributions[member];
    return {member,
            model::DatatypeId{
                static_cast<int>(at_or(one.receive_types, index, one.receive_type.value))},
            at_or(one.receive_counts, index, one.receive_count)};
}

std::uint32_t WaveChecks::local_size(const Wave& wave) const {
    const auto& communicator = report_.execution().communicators[wave.communicator.index()];
    return static_cast<std::uint32_t>(communicator.members.size());
}

bool WaveChecks::faces(const Wave& wave, Member left, Member right) const {
    if (!report_.members().inter(wave.communicator)) return true;
    return (left < local_size(wave)) != (right < local_size(wave));
}

std::optional<WaveChecks::Member> WaveChecks::root_of(const Wave& wave) const {
    if (!report_.members().inter(wave.communicator)) {
        const std::int64_t root = wave.contributions.front().root;
        if (root < 0 || static_cast<std::size_t>(root) >= wave.contributions.size()) {
            return std::nullopt;
        }
        return static_cast<Member>(root);
    }
    for (Member member = 0; member < wave.contributions.size(); ++member)
        if (wave.contributions[member].root == model::kRoot) return member;
    return std::nullopt;
}

bool WaveChecks::compare(const Wave& wave, const Part& sent, const Part& received, Member first) {
    if (sent.type == received.type && sent.count == received.count) return true;
    const Fit fit = signatures_.fit(sent.type, sent.count, received.type, received.count);
    if (fit == Fit::Equal || fit == Fit::Unknown) return true;
    const FindingClass finding_class = fit == Fit::Different ? FindingClass::WrongDataType
                                       : fit == Fit::Longer  ? FindingClass::WrongReceiveSize
                                                             : FindingClass::IncorrectReceiveSize;
    const EventSite& sender = wave.contributions[sent.member].site;
    const EventSite& receiver = wave.contributions[received.member].site;
    const std::uint64_t key = InterprocessReport::key(finding_class, {&sender, &receiver});
    Finding finding = start_finding(finding_class, wave);
    finding.processes = {sender.process, receiver.process};
    if (report_.count_again(key, finding.processes)) return false;
    finding.message =
        "In " + operation_name(wave, first) + " " + report_.rank_text(sender.process) + " sends " +
        signatures_.describe(sent.type, sent.count) + " to " +
        (sender.process == receiver.process ? "itself" : report_.rank_text(receiver.process)) +
        ", which receives " + signatures_.describe(received.type, received.count) + ": " +
        signatures_.difference(sent.type, sent.count, received.type, received.count) + ".";
    finding.calls.push_back(sender.involved("sends"));
    if (sender.process != receiver.process) finding.calls.push_back(receiver.involved("receives"));
    if (first == received.member) std::reverse(finding.calls.begin(), finding.calls.end());
    report_.add(key, std::move(finding));
    return false;
}

void WaveChecks::check_types(const Wave& wave) {
    const Pattern pattern = kind(wave.contributions.front()).pattern;
    switch (pattern) {
        case Pattern::None:
            return;
        case Pattern::Broadcast:
        case Pattern::Gather:
        case Pattern::Gatherv:
        case Pattern::Scatter:
        case Pattern::Scatterv:
            return check_rooted(wave);
        case Pattern::Reduce:
            return check_reduce(wave);
        case Pattern::Reducev:
            return check_counts(wave);
        case Pattern::Allgather:
            return check_all_to_all(wave);
        case Pattern::Allgatherv:
            return check_allgatherv(wave);
        case Pattern::Alltoallv:
            return check_pairs(wave);
        case Pattern::Neighbor:
            return check_neighbors(wave);
    }
}

void WaveChecks::check_rooted(const Wave& wave) {
    const std::optional<Member> root = root_of(wave);
    if (!root) return;
    const Pattern pattern = kind(wave.contributions.front()).pattern;
    const Contribution& of_root = wave.contributions[*root];
    for (Member member = 0; member < wave.contributions.size(); ++member) {
        if (!faces(wave, *root, member)) continue;
        const auto rank =
            static_cast<std::size_t>(report_.members().rank_of(wave.communicator, member));
        if (pattern == Pattern::Broadcast) {
            if (member == *root) continue;
            const Part received = send_part(wave, member, 0);
            if (!compare(wave, send_part(wave, *root, 0), received, member)) continue;
            check_checksums(wave, *root, member);
        } else if (pattern == Pattern::Gather || pattern == Pattern::Gatherv) {
            if (member == *root && of_root.send_in_place) continue;
            compare(wave, send_part(wave, member, 0), receive_part(wave, *root, rank), member);
        } else {
            if (member == *root && of_root.receive_in_place) continue;
            compare(wave, send_part(wave, *root, rank), receive_part(wave, member, 0), member);
        }
    }
}

// Only where the datatypes fit; a checksum that was not taken is 0.
void WaveChecks::check_checksums(const Wave& wave, Member root, Member member) {
    const Contribution& sender = wave.contributions[root];
    const Contribution& receiver = wave.contributions[member];
    if (sender.send_checksum == 0 || receiver.receive_checksum == 0) return;
    if (sender.send_checksum == receiver.receive_checksum) return;
    const std::uint64_t key =
        InterprocessReport::key(FindingClass::ReceiveChecksum, {&sender.site, &receiver.site});
    Finding finding = start_finding(FindingClass::ReceiveChecksum, wave);
    finding.processes = {sender.site.process, receiver.site.process};
    if (report_.count_again(key, finding.processes)) return;
    finding.calls = {receiver.site.involved("receives"), sender.site.involved("sends")};
    finding.message = "Rank" + report_.rank_text(receiver.site.process).substr(4) +
                      " did not receive what " + report_.rank_text(sender.site.process) +
                      " sent in " + operation_name(wave, root) + ": the checksums differ.";
    report_.add(key, std::move(finding));
}

// All must give the same: who does not agree with most is named first.
void WaveChecks::check_uniform(const Wave& wave,
                               const std::vector<Member>& members,
                               const std::vector<Part>& parts) {
    if (members.empty()) return;
    const auto same = [&](const Part& left, const Part& right) {
        if (left.type == right.type && left.count == right.count) return true;
        const Fit fit = signatures_.fit(left.type, left.count, right.type, right.count);
        return fit == Fit::Equal || fit == Fit::Unknown;
    };
    std::vector<std::vector<std::size_t>> groups;  // of subscripts that agree with their first
    for (std::size_t at = 0; at < parts.size(); ++at) {
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
            return same(parts[group.front()], parts[at]);
        });
        if (found == groups.end()) {
            groups.push_back({at});
        } else {
            found->push_back(at);
        }
    }
    if (groups.size() < 2) return;
    std::stable_sort(groups.begin(), groups.end(), [](const auto& left, const auto& right) {
        return left.size() < right.size();
    });
    const Part& minor = parts[groups.front().front()];
    const Part& major = parts[groups.back().front()];
    const Fit fit = signatures_.fit(minor.type, minor.count, major.type, major.count);
    std::vector<Opinion> found;
    for (const auto& group : groups) {
        const Part& part = parts[group.front()];
        Opinion opinion{signatures_.describe(part.type, part.count), {}};
        for (const std::size_t at : group)
            opinion.members.push_back(members[at]);
        found.push_back(std::move(opinion));
    }
    report_opinions(
        fit == Fit::Different ? FindingClass::WrongDataType : FindingClass::WrongReceiveSize,
        wave,
        found,
        "give");
}

void WaveChecks::check_reduce(const Wave& wave) {
    const Contribution& first = wave.contributions.front();
    const bool plain = std::all_of(
        wave.contributions.begin(), wave.contributions.end(), [&](const Contribution& one) {
            return one.send_type == first.send_type && one.send_count == first.send_count;
        });
    const bool inter = report_.members().inter(wave.communicator);
    if (plain && !inter) return;
    std::vector<Member> members;
    std::vector<Part> parts;
    for (Member member = 0; member < wave.contributions.size(); ++member) {
        // Those beside the root of an intercommunicator give nothing.
        if (inter && wave.contributions[member].root == model::kProcNull) continue;
        members.push_back(member);
        parts.push_back(reduced_part(wave, member));
    }
    check_uniform(wave, members, parts);
}

/// What a member gives to a reduction. Between two groups MPI_Reduce_scatter_block is given the
/// count for one process, of which there is one for each of the own group (MPI 4.0, 6.10.1).
WaveChecks::Part WaveChecks::reduced_part(const Wave& wave, Member member) const {
    Part part = send_part(wave, member, 0);
    if (!report_.members().inter(wave.communicator) ||
        kind(wave.contributions[member]).name != "Reduce_scatter_block")
        return part;
    const std::uint32_t local = local_size(wave);
    const auto all = static_cast<std::uint32_t>(wave.contributions.size());
    const std::uint32_t group = member < local ? local : all - local;
    if (__builtin_mul_overflow(part.count, std::int64_t{group}, &part.count)) part.count = -1;
    return part;
}

void WaveChecks::check_counts(const Wave& wave) {
    if (report_.members().inter(wave.communicator)) return;
    const std::size_t size = wave.contributions.size();
    for (std::size_t at = 0; at < size; ++at) {
        const Contribution& first = wave.contributions.front();
        const bool plain = std::all_of(
            wave.contributions.begin(), wave.contributions.end(), [&](const Contribution& one) {
                return one.send_type == first.send_type &&
                       at_or(one.send_counts, at, 0) == at_or(first.send_counts, at, 0);
            });
        if (plain) continue;
        std::vector<Member> members;
        std::vector<Part> parts;
        for (Member member = 0; member < size; ++member) {
            members.push_back(member);
            parts.push_back(send_part(wave, member, at));
        }
        return check_uniform(wave, members, parts);
    }
}

void WaveChecks::check_all_to_all(const Wave& wave) {
    const Contribution& first = wave.contributions.front();
    const bool plain = std::all_of(
        wave.contributions.begin(), wave.contributions.end(), [&](const Contribution& one) {
            const bool sends = one.send_in_place || (one.send_type == first.receive_type &&
                                                     one.send_count == first.receive_count);
            return sends && one.receive_type == first.receive_type &&
                   one.receive_count == first.receive_count;
        });
    if (plain) return;
    if (report_.members().inter(wave.communicator)) return check_pairs(wave);
    std::vector<Member> members;
    std::vector<Part> parts;
    for (Member member = 0; member < wave.contributions.size(); ++member) {
        // What a member sends to itself must fit by itself.
        if (!wave.contributions[member].send_in_place &&
            !compare(wave, send_part(wave, member, 0), receive_part(wave, member, 0), member)) {
            return;
        }
        members.push_back(member);
        parts.push_back(receive_part(wave, member, 0));
    }
    check_uniform(wave, members, parts);
}

void WaveChecks::check_allgatherv(const Wave& wave) {
    for (Member from = 0; from < wave.contributions.size(); ++from) {
        const auto rank =
            static_cast<std::size_t>(report_.members().rank_of(wave.communicator, from));
        const Part sent = wave.contributions[from].send_in_place ? receive_part(wave, from, rank)
                                                                 : send_part(wave, from, 0);
        for (Member to = 0; to < wave.contributions.size(); ++to) {
            if (!faces(wave, from, to)) continue;
            if (!compare(wave, sent, receive_part(wave, to, rank), from)) return;
        }
    }
}

void WaveChecks::check_pairs(const Wave& wave) {
    for (Member from = 0; from < wave.contributions.size(); ++from) {
        const auto from_rank =
            static_cast<std::size_t>(report_.members().rank_of(wave.communicator, from));
        for (Member to = 0; to < wave.contributions.size(); ++to) {
            if (!faces(wave, from, to)) continue;
            const auto to_rank =
                static_cast<std::size_t>(report_.members().rank_of(wave.communicator, to));
            const Part sent = wave.contributions[from].send_in_place
                                  ? receive_part(wave, from, to_rank)
                                  : send_part(wave, from, to_rank);
            if (!compare(wave, sent, receive_part(wave, to, from_rank), from)) return;
        }
    }
}

// The N-th edge from one rank to another meets the N-th edge of the other from it.
void WaveChecks::check_neighbors(const Wave& wave) {
    const auto& communicator = report_.execution().communicators[wave.communicator.index()];
    const std::size_t size = wave.contributions.size();
    if (communicator.destinations.size() != size || communicator.sources.size() != size) return;
    for (Member from = 0; from < size; ++from) {
        const std::vector<std::int64_t>& destinations = communicator.destinations[from];
        for (std::size_t edge = 0; edge < destinations.size(); ++edge) {
            const std::int64_t to = destinations[edge];
            if (to < 0 || static_cast<std::size_t>(to) >= size) continue;
            const auto end = destinations.begin() + static_cast<std::ptrdiff_t>(edge);
            auto skip = std::count(destinations.begin(), end, to);
            const std::vector<std::int64_t>& sources =
                communicator.sources[static_cast<std::size_t>(to)];
            for (std::size_t place = 0; place < sources.size(); ++place) {
                if (sources[place] != std::int64_t{from} || skip-- > 0) continue;
                const Part received = receive_part(wave, static_cast<Member>(to), place);
                if (!compare(wave, send_part(wave, from, edge), received, from)) return;
                break;
            }
        }
    }
}

}  // namespace mqinspect::analysis
