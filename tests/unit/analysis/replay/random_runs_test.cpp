// Random runs against a simulation that is too simple to be wrong.

#include <random>

#include <gmock/gmock.h>

#include "analysis/pairing/check_pairing.h"
#include "analysis/pairing/matcher.h"
#include "analysis/replay/check_replay.h"
#include "tests/support/finding_list.h"
#include "tests/support/random_run.h"

namespace mqinspect::analysis {
namespace {

using ::testing::IsEmpty;

constexpr std::uint32_t kRuns = 3000;

class Pairs : public MatchVisitor {
public:
    explicit Pairs(const model::Execution& execution) : execution_(execution) {}

    void on_pair(const Operation& send, const Operation& receive) override {
        found.emplace(place(send), place(receive));
    }
    void on_wave(const Wave& wave) override {
        ++waves;
        EXPECT_EQ(wave.arrived, wave.contributions.size());
    }

    std::set<std::pair<int, int>> found;
    int waves = 0;

private:
    int place(const Operation& operation) const {
        const std::string text = test::place_of(execution_, operation.site.stack);
        return std::stoi(text.substr(text.find(':') + 1));
    }

    const model::Execution& execution_;
};

// The calls of each process in order, the processes in a random order.
void feed_shuffled(const model::Recording& recording, Matcher& matcher, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::unique_ptr<model::CallStream>> streams;
    for (const model::RecordedProcess& process : recording.execution().processes)
        streams.push_back(recording.calls(process.id));
    while (!streams.empty()) {
        const std::size_t at = random() % streams.size();
        model::RecordedCall call;
        if (streams[at]->next(call)) {
            matcher.feed(call);
        } else {
            streams.erase(streams.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }
}

TEST(RandomRuns, AreMatchedAsTheyWere) {
    for (std::uint32_t seed = 1; seed <= kRuns; ++seed) {
        const test::RandomRun run = test::make_random_run(seed);
        const auto recording = test::recording_of(run.processes, run.statements);
        Pairs pairs(recording->execution());
        const std::vector<CallKind> kinds = classify_procedures(recording->execution());
        Members members(recording->execution());
        Matcher matcher(*recording, kinds, members, &pairs);
        feed_shuffled(*recording, matcher, seed);
        EXPECT_THAT(matcher.open_operations(), IsEmpty());
        EXPECT_THAT(matcher.open_waves(), IsEmpty());
        ASSERT_EQ(pairs.found, run.pairs) << "seed " << seed << "\n" << run.statements;
    }
}

TEST(RandomRuns, AreWithoutFindingsOfPairs) {
    for (std::uint32_t seed = 1; seed <= kRuns; ++seed) {
        const test::RandomRun run = test::make_random_run(seed);
        const auto recording = test::recording_of(run.processes, run.statements);
        Findings findings;
        check_pairing(*recording, {}, findings);
        ASSERT_THAT(test::lines_of(recording->execution(), findings), IsEmpty())
            << "seed " << seed << "\n"
            << run.statements;
    }
}

TEST(RandomRuns, GetStuckWhereTheSimulationDoes) {
    int stuck = 0;
    CheckOptions options;
    options.alternative_matchings = 0;
    options.without = {FindingClass::MessageRace};
    for (std::uint32_t seed = 1; seed <= kRuns; ++seed) {
        const test::RandomRun run = test::make_random_run(seed);
        const auto recording = test::recording_of(run.processes, run.statements);
        Findings findings;
        check_replay(*recording, options, findings);
        const std::vector<std::string> lines = test::lines_of(recording->execution(), findings);
        ASSERT_EQ(!lines.empty(), run.gets_stuck())
            << "seed " << seed << "\n"
            << run.statements << testing::PrintToString(lines);
        for (const Finding& finding : findings.findings)
            EXPECT_EQ(finding.finding_class, FindingClass::PotentialDeadlock) << "seed " << seed;
        stuck += run.gets_stuck() ? 1 : 0;
    }
    // Both kinds are common.
    EXPECT_GT(stuck, static_cast<int>(kRuns) / 10);
    EXPECT_LT(stuck, static_cast<int>(kRuns) * 9 / 10);
}

}  // namespace
}  // namespace mqinspect::analysis
