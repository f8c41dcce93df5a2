#include "inspector/launch/hang_judge.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace mqinspect::launch {
namespace {

using std::chrono::seconds;

const Clock::time_point kStart = Clock::time_point() + seconds(1000);
constexpr seconds kHangAfter(10);

/// Two ranks, pids 100 and 101; `quiet` is how long ago they moved.
std::vector<RankProgress> ranks(Clock::time_point now,
                                seconds first_quiet,
                                seconds second_quiet,
                                bool counted = true) {
    return {{100, counted, now - first_quiet}, {101, counted, now - second_quiet}};
}

session::Findings findings(analysis::VerdictKind kind, std::string_view states = "BB") {
    session::Findings result;
    for (std::size_t i = 0; i < states.size(); ++i) {
        model::RankSnapshot rank;
        rank.rank = model::WorldRank(static_cast<int>(i));
        rank.pid = 100 + static_cast<int>(i);
        rank.state = states[i] == 'B'   ? model::RankState::Blocked
                     : states[i] == 'R' ? model::RankState::Running
                                        : model::RankState::Unreadable;
        rank.call_identity = 7;
        rank.queues_known = true;
        result.snapshot.ranks.push_back(rank);
    }
    result.snapshot.stopped_ms = 20;
    result.verdict.kind = kind;
    if (kind == analysis::VerdictKind::Deadlock)
        result.verdict.cores.push_back({kind, {model::WorldRank(0), model::WorldRank(1)}, {}});
    return result;
}

using enum analysis::VerdictKind;

TEST(HangJudge, LooksAtNoJobThatGetsOn) {
    const HangJudge judge(kHangAfter);

    EXPECT_FALSE(judge.look_is_due(kStart, ranks(kStart, seconds(9), seconds(9))));
    EXPECT_TRUE(judge.look_is_due(kStart, ranks(kStart, seconds(10), seconds(10))));
    EXPECT_FALSE(judge.look_is_due(kStart, ranks(kStart, seconds(19), seconds(9))));
    EXPECT_TRUE(judge.look_is_due(kStart, ranks(kStart, seconds(20), seconds(0))));
    EXPECT_FALSE(judge.look_is_due(kStart, {}));
}

TEST(HangJudge, RationsLooks) {
    HangJudge judge(kHangAfter);
    judge.judge(kStart, ranks(kStart, seconds(10), seconds(10)), findings(None, "BR"));

    const auto due_after = [&](seconds later, seconds second_quiet) {
        const auto now = kStart + later;
        return judge.look_is_due(now, ranks(now, later + seconds(10), second_quiet));
    };
    EXPECT_FALSE(due_after(seconds(9), seconds(20)));
    EXPECT_TRUE(due_after(seconds(11), seconds(20)));
    EXPECT_FALSE(due_after(seconds(11), seconds(0))) << "one moves";
    EXPECT_TRUE(due_after(seconds(41), seconds(0)));
}

TEST(HangJudge, ADeadlockIsAHangAlsoWhileOthersMove) {
    HangJudge judge(kHangAfter);
    session::Findings found = findings(Deadlock);
    found.snapshot.ranks.push_back(found.snapshot.ranks.back());
    found.snapshot.ranks.back().pid = 102;
    found.snapshot.ranks.back().state = model::RankState::Running;
    auto progress = ranks(kStart, seconds(10), seconds(10));
    progress.push_back({102, true, kStart});

    EXPECT_EQ(Judgement::Hang, judge.judge(kStart, progress, found));
}

TEST(HangJudge, ADeadlockHasToLastForTheTime) {
    HangJudge judge(kHangAfter);

    EXPECT_EQ(Judgement::GoesOn,
              judge.judge(kStart, ranks(kStart, seconds(10), seconds(1)), findings(Deadlock)));
}

TEST(HangJudge, ASuspicionIsNoHangWhileRanksMove) {
    HangJudge judge(kHangAfter);

    EXPECT_EQ(Judgement::GoesOn,
              judge.judge(kStart, ranks(kStart, seconds(10), seconds(1)), findings(Suspected)));
}

TEST(HangJudge, RanksThatAllStandStillHangWhateverTheVerdict) {
    for (const auto kind : {None, Unknown, Suspected}) {
        HangJudge judge(kHangAfter);
        EXPECT_EQ(Judgement::Hang,
                  judge.judge(kStart, ranks(kStart, seconds(10), seconds(12)), findings(kind)));
    }
}

TEST(HangJudge, ARankThatComputesIsLate) {
    HangJudge judge(kHangAfter);

    EXPECT_EQ(Judgement::Late,
              judge.judge(kStart, ranks(kStart, seconds(10), seconds(12)), findings(None, "BR")));
    EXPECT_EQ(Judgement::GoesOn,
              judge.judge(kStart, ranks(kStart, seconds(10), seconds(12)), findings(None, "RR")));
}

TEST(HangJudge, WithoutCountersTheSameLookAgainTells) {
    HangJudge judge(kHangAfter);
    session::Findings found = findings(Unknown);
    for (auto& rank : found.snapshot.ranks)
        rank.progress_count = 5;
    const auto later = kStart + seconds(11);

    EXPECT_EQ(Judgement::GoesOn,
              judge.judge(kStart, ranks(kStart, seconds(10), seconds(10), false), found));
    EXPECT_EQ(Judgement::Hang,
              judge.judge(later, ranks(later, seconds(21), seconds(21), false), found));

    found.snapshot.ranks[1].progress_count = 6;
    const auto even_later = later + seconds(11);
    EXPECT_EQ(Judgement::GoesOn,
              judge.judge(even_later, ranks(even_later, seconds(32), seconds(32), false), found));
}

TEST(HangJudge, WhatNothingTellsOfIsNoHang) {
    HangJudge judge(kHangAfter);
    for (int i = 0; i < 5; ++i) {
        const auto now = kStart + i * seconds(11);
        EXPECT_EQ(Judgement::Blind,
                  judge.judge(now, ranks(now, seconds(60), seconds(60), false), findings(Unknown)));
    }
}

TEST(HangJudge, TellsEachFindingOnce) {
    HangJudge judge(kHangAfter);

    EXPECT_TRUE(judge.is_news(Judgement::Hang, findings(Deadlock)));
    EXPECT_FALSE(judge.is_news(Judgement::Hang, findings(Deadlock)));
    EXPECT_FALSE(judge.is_news(Judgement::GoesOn, findings(None)));
    EXPECT_TRUE(judge.is_news(Judgement::Late, findings(None)));
}

}  // namespace
}  // namespace mqinspect::launch
