#include "analysis/pairing/wave_checks.h"

#include <algorithm>
#include <map>

#include "analysis/under_way.h"

namespace mqinspect::analysis {

using model::ProcessId;

namespace {

/// So many calls of the ranks that agree are enough to see what they do.
constexpr std::size_t kShownOfMany = 2;
constexpr std::size_t kShownOfFew = 16;

bool all_equal(const Wave& wave, auto value_of) {
    const auto first = value_of(wave.contributions.front());
    return std::all_of(wave.contributions.begin(),
                       wave.contributions.end(),
                       [&](const Contribution& one) { return value_of(one) == first; });
}

}  // namespace

void WaveChecks::check(const Wave& wave, std::span<const ProcessId> members) {
    if (derailed_.count(wave.order) != 0 || is_made_of_wrong_groups(wave)) return;
    // Where the beginning is missing, the numbers of the operations mean nothing.
    for (const ProcessId process : members)
        if (process.value < 0 || report_.incomplete(process)) return;
    if (wave.contributions.size() < 2) {
        keep_side(wave);
        return;
    }
    if (!check_procedures(wave)) {
        derailed_.insert(wave.order);
        return;
    }
    check_groups(wave);
    check_lists(wave);
    check_split_types(wave);
    check_assertions(wave);
    check_edges(wave);
    check_weights(wave);
    check_views(wave);
    check_opened(wave);
    check_values(wave);
    check_leaders(wave);
    check_in_place(wave);
    if (check_roots(wave) && check_operators(wave)) check_types(wave);
    if (wave.completed < wave.arrived && !keep_side(wave)) check_unfinished(wave);
}

Finding WaveChecks::start_finding(FindingClass finding_class, const Wave& wave) const {
    Finding finding;
    finding.finding_class = finding_class;
    finding.severity = Severity::Error;
    if (wave.communicator.value >= 0) finding.communicator = wave.communicator;
    return finding;
}

std::string WaveChecks::operation_name(const Wave& wave, Member member) const {
    std::string name{report_.procedure_name(wave.contributions[member].site)};
    if (wave.communicator.value < 0) return name;
    return name + " on " + report_.members().name(wave.communicator);
}

std::string WaveChecks::ranks(const Wave& wave, const std::vector<Member>& members) const {
    std::vector<ProcessId> processes;
    processes.reserve(members.size());
    for (const Member member : members)
        processes.push_back(wave.contributions[member].site.process);
    return report_.ranks_text(std::move(processes));
}

// The opinions, rarest first: "rank 2 calls MPI_Barrier, ranks 0 and 1 call MPI_Bcast". `rule`:
// what should be, a sentence.
void WaveChecks::report_opinions(FindingClass finding_class,
                                 const Wave& wave,
                                 const std::vector<Opinion>& opinions,
                                 std::string_view verb,
                                 Severity severity,
                                 std::string_view rule) {
    Finding finding = start_finding(finding_class, wave);
    finding.severity = severity;
    std::vector<const EventSite*> sites;
    std::string text;
    for (std::size_t at = 0; at < opinions.size(); ++at) {
        const Opinion& opinion = opinions[at];
        const bool last = at + 1 == opinions.size();
        if (at > 0) text += last ? ", but " : ", ";
        text += ranks(wave, opinion.members) + " " + std::string(verb);
        if (opinion.members.size() == 1 && !verb.empty()) text += "s";
        text += (verb.empty() ? "" : " ") + opinion.text;
        const std::size_t shown =
            std::min(opinion.members.size(), last ? kShownOfMany : kShownOfFew);
        for (std::size_t index = 0; index < opinion.members.size(); ++index) {
            const EventSite& site = wave.contributions[opinion.members[index]].site;
            finding.processes.push_back(site.process);
            if (index >= shown) continue;
            finding.calls.push_back(site.involved(opinion.text, !last));
            if (index == 0) sites.push_back(&site);
        }
    }
    text[0] = 'R';
    finding.message = std::move(text) + " in the same operation";
    finding.message += finding_class == FindingClass::DifferentCollectives
                           ? " on " + report_.members().name(wave.communicator) + "."
                           : ", " + operation_name(wave, opinions.front().members.front()) + ".";
    finding.message += rule;
    std::uint64_t key = InterprocessReport::key(finding_class, {sites.front(), sites.back()});
    if (report_.count_again(key, finding.processes)) return;
    report_.add(key, std::move(finding));
}

std::vector<WaveChecks::Opinion> WaveChecks::procedures_of(const Wave& wave) const {
    return opinions(wave,
                    [&](const Contribution& one) { return "MPI_" + std::string(kind(one).name); });
}

std::vector<WaveChecks::Opinion> WaveChecks::lists_of(const Wave& wave) const {
    return opinions(wave,
                    [](const Contribution& one) { return "the numbers " + group_text(one.given); });
}

std::vector<WaveChecks::Opinion> WaveChecks::local_leaders_of(const Wave& wave) const {
    return opinions(wave, [](const Contribution& one) {
        return one.given.size() >= kLeadersGiven
                   ? "local leader " + std::to_string(one.given[kLocalLeader])
                   : std::string{};
    });
}

bool WaveChecks::check_procedures(const Wave& wave) {
    if (all_equal(wave, [](const Contribution& one) { return one.site.procedure; })) return true;
    if (all_equal(wave, [&](const Contribution& one) { return kind(one).name; })) return true;
    const bool goes_on =
        all_equal(wave, [&](const Contribution& one) { return kind(one).matched_by; });
    const std::vector<Opinion> procedures = procedures_of(wave);
    const bool harmless = goes_on && std::ranges::any_of(procedures, [&](const Opinion& one) {
                              return moves_nothing(wave, one.members);
                          });
    report_procedures(wave, procedures, harmless ? Severity::Note : Severity::Error);
    return goes_on;
}

// Libraries that write files in parallel rely on it that who has nothing to write may call either
// procedure.
bool WaveChecks::moves_nothing(const Wave& wave, const std::vector<Member>& members) {
    return std::ranges::all_of(
        members, [&](Member member) { return wave.contributions[member].send_count == 0; });
}

// Who has given the communicator back already has left out what the others call on it.
void WaveChecks::report_procedures(const Wave& wave,
                                   const std::vector<Opinion>& opinions,
                                   Severity severity) {
    std::vector<const Opinion*> used;
    std::vector<const Opinion*> given_back;
    for (const Opinion& opinion : opinions) {
        const bool gives_back = kind(wave.contributions[opinion.members.front()]).gives_back;
        (gives_back ? given_back : used).push_back(&opinion);
    }
    if (used.size() != 1 || given_back.size() != 1) {
        return report_opinions(
            FindingClass::DifferentCollectives, wave, opinions, "call", severity);
    }
    const std::vector<Member>& here = used.front()->members;
    const std::vector<Member>& left = given_back.front()->members;
    Finding finding = start_finding(FindingClass::IncompleteCollective, wave);
    for (const std::vector<Member>* members : {&here, &left}) {
        for (const Member member : *members) {
            const EventSite& site = wave.contributions[member].site;
            finding.processes.push_back(site.process);
            if (finding.calls.size() >= 2 * kShownOfFew) continue;
            finding.calls.push_back(members == &here ? site.involved("started")
                                                     : site.involved("did not start it"));
        }
    }
    finding.message = operation_name(wave, here.front()) + " is not called by all: r" +
                      ranks(wave, left).substr(1) + (left.size() == 1 ? " goes" : " go") +
                      " on to " + given_back.front()->text + " without it, " + ranks(wave, here) +
                      (here.size() == 1 ? " has" : " have") + " called it.";
    const std::uint64_t key = InterprocessReport::key(
        FindingClass::IncompleteCollective,
        {&wave.contributions[here.front()].site, &wave.contributions[left.front()].site});
    if (report_.count_again(key, finding.processes)) return;
    report_.add(key, std::move(finding));
}

bool WaveChecks::check_roots(const Wave& wave) {
    if (!kind(wave.contributions.front()).rooted) return true;
    std::string rule;
    if (report_.members().inter(wave.communicator)) {
        rule = wrong_roots(wave);
        if (rule.empty()) return true;
    } else if (all_equal(wave, [](const Contribution& one) { return one.root; })) {
        return true;
    }
    const auto text_of = [](const Contribution& one) -> std::string {
        if (one.root == model::kRoot) return "root MPI_ROOT";
        if (one.root == model::kProcNull) return "root MPI_PROC_NULL";
        return "root " + std::to_string(one.root);
    };
    std::vector<Opinion> found = opinions(wave, text_of);
    // Too many of them are what is wrong, and not the rest.
    const auto roots = std::ranges::find(found, "root MPI_ROOT", &Opinion::text);
    if (!rule.empty() && roots != found.end() && roots->members.size() > 1)
        std::rotate(found.begin(), roots, roots + 1);
    report_opinions(FindingClass::WrongRootProcess, wave, found, "give", Severity::Error, rule);
    return false;
}

// On an intercommunicator the root gives MPI_ROOT, those beside it MPI_PROC_NULL, and the other
// group its rank (MPI 4.0, 6.2.3).
std::int64_t WaveChecks::expected_root(const Wave& wave, Member root, Member member) const {
    if (member == root) return model::kRoot;
    return faces(wave, root, member) ? report_.members().rank_of(wave.communicator, root)
                                     : model::kProcNull;
}

std::string WaveChecks::wrong_roots(const Wave& wave) const {
    std::vector<Member> roots;
    for (Member member = 0; member < wave.contributions.size(); ++member)
        if (wave.contributions[member].root == model::kRoot) roots.push_back(member);
    if (roots.empty())
        return " None of them gives MPI_ROOT: on an intercommunicator the root does.";
    if (roots.size() > 1) {
        return " Only one process may give MPI_ROOT, and those of its group MPI_PROC_NULL: " +
               ranks(wave, roots) + " do.";
    }
    std::vector<Member> beside;
    std::vector<Member> across;
    for (Member member = 0; member < wave.contributions.size(); ++member) {
        if (wave.contributions[member].root == expected_root(wave, roots[0], member)) continue;
        (faces(wave, roots[0], member) ? across : beside).push_back(member);
    }
    const std::string root = ranks(wave, roots);
    std::string rule;
    if (!beside.empty())
        rule = " In the group of the root, " + root + ", the others have to give MPI_PROC_NULL.";
    if (!across.empty()) {
        const auto rank = report_.members().rank_of(wave.communicator, roots[0]);
        rule += " The root, " + root + ", has rank " + std::to_string(rank) +
                " in its group: the other group has to give that.";
    }
    return rule;
}

// "... to the argument sendbuf at all processes" (MPI 4.0, 6.7, 6.8 and 6.9.6).
void WaveChecks::check_in_place(const Wave& wave) {
    const CallKind& called = kind(wave.contributions.front());
    const bool by_all =
        called.pattern == Pattern::Allgather || called.pattern == Pattern::Allgatherv ||
        called.pattern == Pattern::Alltoallv || called.name.find("llreduce") != called.name.npos;
    if (!by_all || all_equal(wave, [](const Contribution& one) { return one.send_in_place; }))
        return;
    const auto text_of = [](const Contribution& one) -> std::string {
        return one.send_in_place ? "MPI_IN_PLACE" : "a send buffer";
    };
    report_opinions(FindingClass::InvalidArgument, wave, opinions(wave, text_of), "give");
}

bool WaveChecks::check_operators(const Wave& wave) {
    const Pattern pattern = kind(wave.contributions.front()).pattern;
    if (pattern != Pattern::Reduce && pattern != Pattern::Reducev) return true;
    if (all_equal(wave, [](const Contribution& one) { return one.operation; })) return true;
    const auto& operators = report_.execution().operators;
    const auto text_of = [&](const Contribution& one) -> std::string {
        if (one.operation < 0 || static_cast<std::size_t>(one.operation) >= operators.size()) {
            return "an unknown operator";
        }
        const model::RecordedOperator& known = operators[static_cast<std::size_t>(one.operation)];
        if (!known.name.empty()) return known.name;
        return "the operator of the function at " +
               (known.function.empty() ? "an unknown place" : known.function) +
               (known.commutes ? ", said to commute" : ", said not to commute");
    };
    const std::vector<Opinion> found = opinions(wave, text_of);
    if (found.size() == 1) return true;
    report_opinions(FindingClass::DifferentReductions, wave, found, "give");
    return false;
}

// The run was ended from outside right after the last member had started it: it was at work.
bool WaveChecks::was_under_way(const Wave& wave, const std::vector<Member>& open) const {
    using Kind = model::Termination::Kind;
    const model::Execution& run = report_.execution();
    if (!run.end_ns) return false;
    std::int64_t last_ns = INT64_MIN;
    for (const Contribution& one : wave.contributions)
        last_ns = std::max(last_ns, one.site.time_ns);
    const bool just_now = last_ns > *run.end_ns - moment_before_end(*run.end_ns);
    return just_now && std::ranges::all_of(open, [&](Member member) {
               const ProcessId process = wave.contributions[member].site.process;
               return run.processes[process.index()].termination.kind == Kind::Killed;
           });
}

// All have started it. Processes that were killed because of another one's crash are not to blame.
void WaveChecks::check_unfinished(const Wave& wave) {
    const auto& processes = report_.execution().processes;
    const bool any_crashed = std::any_of(processes.begin(), processes.end(), [&](const auto& one) {
        return report_.crashed(one.id);
    });
    if (any_crashed) return;
    std::vector<Member> open;
    std::vector<Member> finished;
    for (Member member = 0; member < wave.contributions.size(); ++member) {
        const Contribution& one = wave.contributions[member];
        // A request that is never completed is for the checks of single processes to tell.
        const bool stays = !one.completed && !one.site.returned;
        (stays ? open : finished).push_back(member);
    }
    if (open.empty()) return;
    Finding finding = start_finding(FindingClass::UnfinishedCollective, wave);
    for (const Member member : open) {
        const EventSite& site = wave.contributions[member].site;
        finding.processes.push_back(site.process);
        if (finding.calls.size() < kShownOfFew) {
            finding.calls.push_back(site.involved("never finished"));
        }
    }
    for (std::size_t at = 0; at < std::min(finished.size(), kShownOfMany); ++at) {
        finding.calls.push_back(wave.contributions[finished[at]].site.involved("finished", false));
    }
    finding.message = "All members have started " + operation_name(wave, open.front()) + ", but " +
                      ranks(wave, open) +
                      (open.size() == 1 ? " has not finished it." : " have not finished it.");
    if (was_under_way(wave, open)) {
        finding.severity = Severity::Note;
        finding.message += under_way_text(report_.execution());
    }
    const std::uint64_t key = InterprocessReport::key(FindingClass::UnfinishedCollective,
                                                      {&wave.contributions[open.front()].site});
    if (report_.count_again(key, finding.processes)) return;
    report_.add(key, std::move(finding));
}

void WaveChecks::check_open(Matcher& matcher) {
    std::unordered_set<std::uint32_t> seen;
    const std::vector<WaveIndex> open = matcher.open_waves();
    check_open_groups(matcher, open);
    check_sides();
    for (const WaveIndex index : open) {
        const Wave& wave = matcher.wave(index);
        // What comes after the first one that is not whole follows from it.
        if (derailed_.count(wave.order) != 0 || !seen.insert(wave.order).second ||
            is_made_of_wrong_groups(wave))
            continue;
        const std::uint32_t parent = matcher.parent_of(wave);
        if (derailed_.count(parent) != 0 || seen.count(parent) != 0) continue;
        const std::span<const ProcessId> members = matcher.wave_members(wave);
        const bool known = std::all_of(members.begin(), members.end(), [&](ProcessId process) {
            return process.value >= 0 && process.index() < report_.execution().processes.size() &&
                   !report_.incomplete(process);
        });
        if (!known) continue;
        // Members that are here may already disagree: then that is the cause.
        const std::vector<Opinion> procedures = procedures_of(wave);
        if (procedures.size() > 1) {
            derailed_.insert(wave.order);
            report_procedures(wave, procedures, Severity::Error);
            continue;
        }
        std::vector<const Wave*> started;
        for (const WaveIndex other : open) {
            if (matcher.parent_of(matcher.wave(other)) == wave.order) {
                started.push_back(&matcher.wave(other));
            }
        }
        report_incomplete(wave, members, started);
    }
}

// `started`: of a persistent operation that not all have made, what was started with it.
void WaveChecks::report_incomplete(const Wave& wave,
                                   std::span<const ProcessId> members,
                                   const std::vector<const Wave*>& started) {
    std::vector<Member> here;
    std::vector<ProcessId> missing;
    bool any_over = false;
    for (Member member = 0; member < wave.contributions.size(); ++member) {
        if (wave.contributions[member].arrived) {
            here.push_back(member);
        } else {
            missing.push_back(members[member]);
            any_over = any_over || report_.over(members[member]);
        }
    }
    // Those that have not ended stand in a deadlock, or have crashed: that is the cause.
    if (!any_over || here.empty()) return;
    Finding finding = start_finding(FindingClass::IncompleteCollective, wave);
    std::vector<ProcessId> over;
    for (const ProcessId process : missing)
        if (report_.over(process)) over.push_back(process);
    for (const Member member : here) {
        const EventSite& site = wave.contributions[member].site;
        finding.processes.push_back(site.process);
        if (finding.calls.size() < kShownOfFew) finding.calls.push_back(site.involved("started"));
    }
    for (const Wave* start : started) {
        for (const Contribution& one : start->contributions) {
            if (one.arrived && finding.calls.size() < 2 * kShownOfFew) {
                finding.calls.push_back(one.site.involved("started with it", false));
            }
        }
    }
    finding.processes.insert(finding.processes.end(), over.begin(), over.end());
    finding.message = operation_name(wave, here.front()) +
                      " is not called by all: " + report_.ranks_text(over) +
                      (over.size() == 1 ? " has ended without it, " : " have ended without it, ") +
                      ranks(wave, here) + (here.size() == 1 ? " has" : " have") + " called it.";
    const std::uint64_t key = InterprocessReport::key(FindingClass::IncompleteCollective,
                                                      {&wave.contributions[here.front()].site});
    if (report_.count_again(key, finding.processes)) return;
    report_.add(key, std::move(finding));
}

}  // namespace mqinspect::analysis
