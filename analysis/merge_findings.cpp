#include "analysis/merge_findings.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace mqinspect::analysis {
namespace {

// Process and event are left out: what remains says where in the program it happened.
using Sites = std::vector<std::tuple<int, int, std::string>>;

Sites sites_of(const Finding& finding, const PlaceOf& place_of) {
    Sites sites;
    for (const InvolvedCall& call : finding.calls) {
        const int place = place_of(finding.finding_class, call.stack);
        // Of two calls at the same time it is chance which comes first.
        const bool alike = finding.finding_class == FindingClass::ThreadLevel;
        sites.emplace_back(call.procedure.value, place, alike ? std::string{} : call.part);
    }
    std::ranges::sort(sites);
    sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
    return sites;
}

constexpr std::size_t kMostCalls = 64;

void take_equal(Finding& kept, Finding equal) {
    kept.count += equal.count;
    kept.ends_process = kept.ends_process || equal.ends_process;
    kept.spoils_memory = kept.spoils_memory || equal.spoils_memory;
    std::vector<model::ProcessId> processes;
    std::ranges::set_union(kept.processes, equal.processes, std::back_inserter(processes));
    for (InvolvedCall& call : equal.calls) {
        const bool is_new = !std::ranges::binary_search(kept.processes, call.process);
        if (is_new && kept.calls.size() < kMostCalls) kept.calls.push_back(std::move(call));
    }
    kept.processes = std::move(processes);
    for (std::string& consequence : equal.consequences) {
        if (kept.consequences.size() < kMostCalls) add_consequence(kept, std::move(consequence));
    }
}

/// Without numbers and addresses.
std::string words_of(const std::string& message) {
    std::string words;
    bool in_number = false;
    for (const char letter : message) {
        const auto byte = static_cast<unsigned char>(letter);
        in_number = std::isdigit(byte) != 0 || (in_number && std::isalnum(byte) != 0);
        if (!in_number) words += letter;
    }
    return words;
}

/// Of findings of one class at the same places the first stays; `take` gets it and each other one.
/// `words`: only if its message has the same words.
template <class Take>
void keep_first(Findings& findings, const PlaceOf& place_of, bool words, Take take) {
    std::map<std::tuple<FindingClass, Severity, Sites, std::string>, std::size_t> known;
    std::vector<Finding> kept;
    for (Finding& finding : findings.findings) {
        // One without a call is about a process as such.
        const bool placed = !finding.calls.empty();
        const auto [place, is_new] =
            placed ? known.try_emplace({finding.finding_class,
                                        finding.severity,
                                        sites_of(finding, place_of),
                                        words ? words_of(finding.message) : std::string()},
                                       kept.size())
                   : std::pair(known.end(), true);
        if (is_new) {
            kept.push_back(std::move(finding));
        } else {
            take(place->second, kept[place->second], std::move(finding));
        }
    }
    findings.findings = std::move(kept);
}

bool is_seen_behind(const Finding& finding) {
    return finding.calls.size() > 1 && finding.calls[1].part == kBehindChange;
}

/// What the program has changed was caught in the act in some passes of a place, and seen behind in
/// others.
void fold_changes(Findings& findings, const PlaceOf& place_of) {
    std::vector<Finding>& all = findings.findings;
    const auto start_of = [&](const Finding& finding) {
        const InvolvedCall& call = finding.calls.front();
        return std::tuple(finding.finding_class,
                          finding.severity,
                          call.procedure.value,
                          place_of(finding.finding_class, call.stack),
                          words_of(finding.message));
    };
    for (std::size_t at = 0; at < all.size();) {
        const Finding& behind = all[at];
        const auto caught = std::ranges::find_if(all, [&](const Finding& other) {
            return is_seen_behind(behind) && !is_seen_behind(other) && other.calls.size() > 1 &&
                   start_of(other) == start_of(behind);
        });
        if (caught == all.end()) {
            ++at;
            continue;
        }
        take_equal(*caught, std::move(all[at]));
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

}  // namespace

void merge_equal(Findings& findings) {
    merge_equal(findings, [](FindingClass, model::StackId stack) { return stack.value; });
}

void merge_equal(Findings& findings, const PlaceOf& place_of) {
    keep_first(findings, place_of, false, [](std::size_t, Finding& kept, Finding equal) {
        take_equal(kept, std::move(equal));
    });
    fold_changes(findings, place_of);
}

void fold_callers(Findings& findings, const PlaceOf& place_of, const CallerOf& caller_of) {
    struct Callers {
        std::size_t count = 0;
        std::vector<std::string> shown;
    };
    constexpr std::size_t most = 4;
    std::map<std::size_t, Callers> others;
    keep_first(findings, place_of, true, [&](std::size_t at, Finding& kept, Finding equal) {
        Callers& callers = others[at];
        ++callers.count;
        std::string caller = caller_of(kept, equal);
        if (!caller.empty() && callers.shown.size() < most &&
            std::ranges::find(callers.shown, caller) == callers.shown.end())
            callers.shown.push_back(std::move(caller));
        take_equal(kept, std::move(equal));
    });
    for (auto& [at, callers] : others) {
        std::string text = " The same happens there through " + std::to_string(callers.count) +
                           (callers.count == 1 ? " other caller" : " other callers");
        for (std::size_t i = 0; i < callers.shown.size(); ++i)
            text += (i == 0 ? ": " : ", ") + callers.shown[i];
        if (!callers.shown.empty() && callers.shown.size() < callers.count) text += " and others";
        findings.findings[at].message += text + ".";
    }
}

}  // namespace mqinspect::analysis
