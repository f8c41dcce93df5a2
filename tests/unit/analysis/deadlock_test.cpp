#include "analysis/deadlock.h"

#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/snapshot_text.h"

namespace mqinspect::analysis {
namespace {

using model::WorldRank;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

model::JobSnapshot parse(const std::string& text) {
    auto snapshot = model::parse_snapshot(text);
    EXPECT_TRUE(snapshot) << (snapshot ? "" : snapshot.error().message);
    return snapshot ? std::move(*snapshot) : model::JobSnapshot{};
}

TEST(Deadlock, CutsLongChainsInTheMiddle) {
    const Verdict verdict = analyze(parse(R"(
        rank 0-69 blocked MPI_Recv source next tag 4 comm 0 at a.c:9
        rank 0-69 posted source next tag 4 own
        rank 70 blocked MPI_Ssend to 70 tag 1 comm 0 at s.c:1
        rank 70 send to 70 tag 1 own)"));

    ASSERT_EQ(verdict.victims.size(), 70U);
    EXPECT_EQ(verdict.victims[0].chain.size(), 64U);
    EXPECT_EQ(verdict.victims[0].chain[62], WorldRank(62));
    EXPECT_EQ(verdict.victims[0].chain[63], WorldRank(70));
    EXPECT_EQ(verdict.victims[7].chain.size(), 64U);
    EXPECT_THAT(verdict.victims[68].chain,
                ElementsAre(WorldRank(68), WorldRank(69), WorldRank(70)));
}

TEST(Deadlock, ShortensLongListsOfRanks) {
    std::string odd;
    for (int rank = 1; rank < 40; rank += 2)
        odd += (odd.empty() ? "" : ",") + std::to_string(rank);
    std::string even;
    for (int rank = 0; rank < 40; rank += 2) {
        even += (even.empty() ? "" : ",") + std::to_string(rank);
    }

    const Verdict verdict = analyze(parse("rank " + odd + " blocked MPI_Barrier comm 0 at b.c:1\n" +
                                          "rank " + even + " running"));

    EXPECT_THAT(verdict.sentence,
                HasSubstr("ranks 1, 3, 5, 7, 9, 11, 13, 15, ... (20 ranks) wait for"));
}

TEST(Deadlock, SharesTheTargetsOfACollective) {
    const Verdict verdict = analyze(parse(R"(
        rank 0-1999 blocked MPI_Barrier comm 0 at b.c:1
        rank 2000-3999 running)"));

    ASSERT_EQ(verdict.waits.size(), 2000U);
    EXPECT_EQ(verdict.waits[0].targets.size(), 2000U);
    EXPECT_EQ(verdict.waits[0].targets.data(), verdict.waits[1999].targets.data());
}

// What snapshots of real, broken or hostile processes have in common: nothing can
// be relied upon.
TEST(Deadlock, SurvivesAnySnapshot) {
    const char* const calls[] = {"MPI_Recv",
                                 "MPI_Probe",
                                 "MPI_Mrecv",
                                 "MPI_Ssend",
                                 "MPI_Send",
                                 "MPI_Sendrecv",
                                 "MPI_Wait",
                                 "MPI_Waitall",
                                 "MPI_Waitany",
                                 "MPI_Barrier",
                                 "MPI_Bcast",
                                 "MPI_Reduce",
                                 "MPI_Scan",
                                 "MPI_Neighbor_alltoall",
                                 "MPI_Finalize",
                                 "MPI_Init",
                                 "MPI_Win_lock",
                                 "MPI_Intercomm_create",
                                 "main"};
    const char* const peers[] = {"0", "1", "2", "3@?", "7", "any", "null", "root", "next", "2@9"};
    const char* const queues[] = {"posted", "unexpected", "send", "collective"};
    const char* const extras[] = {"matched",
                                  "complete",
                                  "internal",
                                  "any_source",
                                  "any_tag",
                                  "own",
                                  "waited",
                                  "protocol eager",
                                  "mode buffered",
                                  "sequence 0",
                                  "sequence 1",
                                  "by MPI_Ibcast"};
    for (unsigned seed = 0; seed < 4000; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](std::size_t limit) { return random() % limit; };
        const auto number = [&](std::size_t limit) { return std::to_string(below(limit)); };
        std::string text =
            "communicator 0 w\ncommunicator 1 a members 0 2\n"
            "communicator 2 i members 0 1 remote 2 3\ncommunicator 3 f members 1 ? 9\n";
        for (int rank = 0; rank < 4; ++rank) {
            const std::string subject = "rank " + std::to_string(rank) + " ";
            const auto add_call = [&] {
                text += calls[below(std::size(calls))];
                if (below(4) > 0) text += " comm " + number(below(8) == 0 ? 9 : 3);
                std::string peer = peers[below(std::size(peers))];
                if (peer == "next") peer = "1";
                if (below(3) > 0) text += " source " + peer + " to " + peer;
                if (below(2) > 0) text += " root " + number(3);
                if (below(2) > 0) text += " tag " + number(2);
                if (below(3) == 0) text += " requests op=" + number(12) + " null ?";
                if (below(3) == 0) text += " ops " + number(12);
                text += below(2) == 0 ? " at a.c:1\n" : "\n";
            };
            if (below(6) == 0) {
                text += subject + (below(2) == 0 ? "exited\n" : "unreadable\n");
            } else if (below(5) == 0) {
                text += subject + "running\n";
            } else {
                text += subject + "blocked call ";
                add_call();
                if (below(6) == 0) {
                    text += subject + "also ";
                    add_call();
                }
            }
            for (std::size_t i = below(4); i > 0; --i) {
                text += subject + queues[below(4)] + " comm " + number(below(8) == 0 ? 9 : 3);
                text += " source " + std::string(peers[below(5)]) + " tag " + number(2);
                for (std::size_t k = below(4); k > 0; --k) {
                    text += " " + std::string(extras[below(std::size(extras))]);
                }
                text += "\n";
            }
            if (below(3) == 0) text += subject + "member 0 0 started " + number(3) + "\n";
        }
        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
        const model::JobSnapshot snapshot = parse(text);

        const Verdict verdict = analyze_confirmed(snapshot, snapshot);

        ASSERT_THAT(verdict.sentence, EndsWith("."));
        ASSERT_THAT(verdict.sentence, Not(HasSubstr("no rank,")));
        ASSERT_EQ(verdict.kind == VerdictKind::None || verdict.kind == VerdictKind::Unknown,
                  verdict.cores.empty());
        ASSERT_EQ(verdict.kind == VerdictKind::Unknown,
                  verdict.cores.empty() && !verdict.unknown.empty());
        for (const Victim& victim : verdict.victims) {
            ASSERT_GE(victim.chain.size(), 2U);
            ASSERT_EQ(victim.chain.front(), victim.rank);
            const bool ends_in_core =
                std::any_of(verdict.cores.begin(), verdict.cores.end(), [&](const Core& core) {
                    return std::count(core.ranks.begin(), core.ranks.end(), victim.chain.back()) >
                           0;
                });
            ASSERT_TRUE(ends_in_core);
        }
    }
}

}  // namespace
}  // namespace mqinspect::analysis
