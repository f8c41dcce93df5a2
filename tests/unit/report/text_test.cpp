#include "report/text.h"

#include <sstream>
#include <utility>

#include <gmock/gmock.h>

#include "tests/unit/report/fixtures.h"

namespace mqinspect::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string text_of(const Case& given, TextOptions options = {}) {
    return print_text(given.snapshot, given.verdict, options);
}

TEST(Text, BeginsWithTheSentence) {
    EXPECT_THAT(text_of(ring(4)), StartsWith("Deadlock: ranks 0-3 wait for each other.\n"));
}

TEST(Text, ShowsEachWaitWithItsPlace) {
    EXPECT_THAT(text_of(ring(4)),
                HasSubstr("  2     1          ring.c:14  "
                          "MPI_Recv(1 MPI_INT, source=1, tag=7, MPI_COMM_WORLD)\n"
                          "                              "
                          "receive from 1 with tag 7 on MPI_COMM_WORLD\n"));
}

TEST(Text, RanksThatAreAlikeShareARow) {
    EXPECT_THAT(text_of(barrier_without(64, 17)), HasSubstr("\n  0-16,18-63  17 "));
}

TEST(Text, NamesARunningRankAndWhoWaitsForIt) {
    EXPECT_THAT(text_of(barrier_without(64, 17)),
                HasSubstr("  17    0-16,18-63  heat.c:88  solve, in clock_nanosleep\n"));
}

TEST(Text, CutsLongTablesUnlessVerbose) {
    TextOptions verbose;
    verbose.verbose = true;

    EXPECT_THAT(text_of(ring(64)), HasSubstr("... 54 more ranks\n"));
    EXPECT_THAT(text_of(ring(64)), HasSubstr("... 54 more operations\n"));
    EXPECT_THAT(text_of(ring(64), verbose), Not(HasSubstr("more")));
}

TEST(Text, ShowsHintsBeneathTheirWait) {
    Case given = ring(2);
    given.verdict.cores[0].waits[0].hints = {"rank 1 has sent a message with tag 8"};
    EXPECT_THAT(text_of(given), HasSubstr(" note: rank 1 has sent a message with tag 8\n"));
}

TEST(Text, NamesVictimsWithTheirChain) {
    Case given = ring(4);
    const model::WorldRank two(2);
    const model::WorldRank three(3);
    given.verdict.victims = {{three, {three, two, model::WorldRank(1)}}};
    EXPECT_THAT(text_of(given), HasSubstr("\n  3     2 -> 1 "));
}

TEST(Text, SaysAnyForWaitsThatOneRankCanEnd) {
    Case given = ring(3);
    given.verdict.cores[0].waits[0].targets = {model::WorldRank(1), model::WorldRank(2)};
    given.verdict.cores[0].waits[0].all = false;
    EXPECT_THAT(text_of(given), HasSubstr("any of 1,2"));
}

TEST(Text, JoinsTheWaitsOfARank) {
    Case given = ring(3);
    analysis::Wait& first = given.verdict.cores[0].waits[0];
    analysis::Wait second = first;
    second.targets = {model::WorldRank(0), model::WorldRank(1)};
    second.all = false;
    second.why = "receive from any rank";
    given.verdict.cores[0].waits.insert(given.verdict.cores[0].waits.begin() + 1, second);
    const std::string text = text_of(given);
    EXPECT_THAT(text, HasSubstr("\n  0     2 and any of 0,1  ring.c:14  MPI_Recv("));
    EXPECT_THAT(text, HasSubstr(" receive from any rank\n"));
}

TEST(Text, ShowsTheCallsOfOtherThreads) {
    Case given = ring(2);
    given.snapshot.ranks[0].more_calls = {receive_call(5)};
    EXPECT_THAT(text_of(given), HasSubstr(" another thread: MPI_Recv(1 MPI_INT, source=5, "));
}

TEST(Text, NamesRanksInCallsThatWaitForNobody) {
    Case given = ring(2);
    given.verdict = {};
    EXPECT_THAT(text_of(given), HasSubstr("\nIn MPI calls that wait for no rank\n  RANK  AT "));
}

TEST(Text, NumbersCoresIfThereAreSeveral) {
    Case given = ring(4);
    given.verdict.cores.push_back(given.verdict.cores[0]);
    given.verdict.cores[1].kind = analysis::VerdictKind::HangUp;
    EXPECT_THAT(text_of(given), HasSubstr("\nDeadlock 1 of 2: ranks 0-3\n"));
    EXPECT_THAT(text_of(given), HasSubstr("\nHang-up 2 of 2: ranks 0-3\n"));
}

TEST(Text, SaysWhatCouldNotBeRead) {
    Case given = ring(4);
    given.snapshot.ranks[2].state = model::RankState::Unreadable;
    given.snapshot.ranks[2].queues_known = false;
    given.snapshot.ranks[2].problem = "permission denied";
    EXPECT_THAT(text_of(given), HasSubstr("  2     no    permission denied\n"));
    EXPECT_THAT(text_of(given), HasSubstr("not known for rank 2\n"));
}

TEST(Text, NamesEndedRanks) {
    Case given = ring(4);
    given.snapshot.ranks[3].state = model::RankState::Exited;
    EXPECT_THAT(text_of(given), HasSubstr("\nEnded: rank 3\n"));
}

TEST(Text, CountsEqualOperationsInARow) {
    Case given = ring(2);
    given.snapshot.operations.assign(5, given.snapshot.operations[0]);
    EXPECT_THAT(text_of(given), HasSubstr("    0     5 x  posted receive, MPI_Recv  1 "));
}

TEST(Text, CountsTheTrafficOfCollectives) {
    Case given = ring(2);
    given.snapshot.operations[0].collective = true;
    EXPECT_THAT(text_of(given), HasSubstr("... 1 more, inside collective calls\n"));
}

TEST(Text, ShowsStacksOnRequest) {
    TextOptions options;
    options.show_stacks = true;
    EXPECT_THAT(text_of(ring(4)), Not(HasSubstr("MPIR_Wait")));
    EXPECT_THAT(text_of(ring(4), options),
                HasSubstr("  RANKS  STACK\n"
                          "  0-3    main at ring.c:30\n"
                          "         exchange at ring.c:14\n"
                          "         MPIR_Wait in libmpi.so\n"));
}

TEST(Text, EscapesEveryNameOfTheTarget) {
    Case given = ring(2);
    const std::string hostile = "\x1b]0;x\x07\n\xff";
    model::RankSnapshot& rank = given.snapshot.ranks[0];
    rank.call->arguments[3].text = hostile;
    rank.call->location.file = hostile;
    rank.stack[0].function = hostile;
    rank.problem = hostile;
    given.snapshot.communicators[0].name = hostile;
    given.snapshot.operations[0].datatype = hostile;
    given.snapshot.operations[0].extra_text = {hostile};
    given.snapshot.problems = {hostile};
    given.snapshot.hosts = {hostile};
    given.verdict.sentence = hostile;
    given.verdict.cores[0].waits[0].why = hostile;
    given.verdict.cores[0].waits[0].hints = {hostile};
    TextOptions options;
    options.verbose = true;
    options.show_stacks = true;

    for (const char c : text_of(given, options)) {
        EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7F)) << static_cast<int>(c);
    }
}

TEST(Text, KeepsToTheWidth) {
    for (const int width : {60, 80, 120}) {
        TextOptions options;
        options.width = width;
        std::istringstream lines(text_of(ring(64), options));
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(line.size(), static_cast<std::size_t>(width)) << line;
        }
    }
}

TEST(Text, TakesSnapshotsWithoutAnything) {
    EXPECT_THAT(text_of({}), HasSubstr("0 ranks"));
}

}  // namespace
}  // namespace mqinspect::report
