/// Whole verdicts: the scenarios in scenarios/*.txt, a snapshot as text each and
/// the verdict on it as text.
///
/// `== what it shows` starts a scenario, `=>` its verdict. A second snapshot after
/// `-- later` makes it a case for analyze_confirmed.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/deadlock.h"
#include "model/snapshot_text.h"

namespace mqinspect::analysis {
namespace {

struct Scenario {
    std::string file;
    std::string title;
    std::string snapshot;
    std::string later;
    std::string verdict;
};

void PrintTo(const Scenario& scenario, std::ostream* out) {
    *out << scenario.file << ": " << scenario.title;
}

std::vector<Scenario> read_scenarios() {
    std::vector<Scenario> scenarios;
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(MQI_SCENARIOS)) {
        paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) {
        std::ifstream file(path);
        std::string* part = nullptr;
        for (std::string line; std::getline(file, line);) {
            if (line.starts_with("== ")) {
                scenarios.push_back({path.stem(), line.substr(3), {}, {}, {}});
                part = &scenarios.back().snapshot;
            } else if (line == "-- later") {
                part = &scenarios.back().later;
            } else if (line == "=>") {
                part = &scenarios.back().verdict;
            } else if (part != nullptr && !line.empty()) {
                *part += line + "\n";
            }
        }
    }
    return scenarios;
}

template <class Ranks>
std::string ranks_of(const Ranks& ranks) {
    std::string text;
    for (const model::WorldRank rank : ranks)
        text += " " + std::to_string(rank.value);
    return text;
}

std::string kind_of(VerdictKind kind) {
    switch (kind) {
        case VerdictKind::None:
            return "none";
        case VerdictKind::Deadlock:
            return "deadlock";
        case VerdictKind::HangUp:
            return "hang_up";
        case VerdictKind::Suspected:
            return "suspected";
        case VerdictKind::Crash:
            return "crash";
        case VerdictKind::Unknown:
            break;
    }
    return "unknown";
}

std::string text_of(const Verdict& verdict) {
    std::ostringstream text;
    text << kind_of(verdict.kind) << ". " << verdict.sentence << "\n";
    for (const Core& core : verdict.cores) {
        text << "core " << kind_of(core.kind) << ranks_of(core.ranks) << "\n";
    }
    for (const Wait& wait : verdict.waits) {
        text << "wait " << wait.rank.value << (wait.all ? " all" : " any") << ranks_of(wait.targets)
             << ": " << wait.call << ", " << wait.why << "\n";
        for (const std::string& hint : wait.hints)
            text << "    " << hint << "\n";
    }
    for (const Victim& victim : verdict.victims)
        text << "victim" << ranks_of(victim.chain) << "\n";
    if (!verdict.crashed.empty()) text << "crashed" << ranks_of(verdict.crashed) << "\n";
    if (!verdict.unknown.empty()) text << "unknown" << ranks_of(verdict.unknown) << "\n";
    return text.str();
}

class Scenarios : public testing::TestWithParam<Scenario> {};

TEST_P(Scenarios, HaveTheirVerdict) {
    const Scenario& scenario = GetParam();
    SCOPED_TRACE(scenario.file + ": " + scenario.title);
    const auto snapshot = model::parse_snapshot(scenario.snapshot);
    ASSERT_TRUE(snapshot) << snapshot.error().message;

    std::string verdict;
    if (scenario.later.empty()) {
        verdict = text_of(analyze(*snapshot));
    } else {
        const auto later = model::parse_snapshot(scenario.later);
        ASSERT_TRUE(later) << later.error().message;
        verdict = text_of(analyze_confirmed(*snapshot, *later));
    }

    EXPECT_EQ(verdict, scenario.verdict);
}

INSTANTIATE_TEST_SUITE_P(All, Scenarios, testing::ValuesIn(read_scenarios()));

}  // namespace
}  // namespace mqinspect::analysis
