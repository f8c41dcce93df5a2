// The shell on a snapshot: every view, and what is refused.

#include "inspector/shell/shell.h"

#include <cstdio>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deadlock.h"
#include "inspector/session/snapshot_file.h"
#include "model/snapshot_text.h"

namespace mqinspect::shell {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class SavedShell {
public:
    explicit SavedShell(std::string_view text) : shell_(surface(), findings(text)) {}

    /// What a line prints; complaints begin with "!".
    std::string operator()(std::string_view line) {
        seen_.clear();
        outcome_ = shell_.execute(line);
        return seen_;
    }
    Shell::Outcome outcome() const { return outcome_; }
    Shell& shell() { return shell_; }

private:
    static session::Findings findings(std::string_view text) {
        session::Findings findings;
        findings.snapshot = *model::parse_snapshot(text);
        findings.verdict = analysis::analyze(findings.snapshot);
        return findings;
    }
    Surface surface() {
        Surface surface;
        surface.print = [this](std::string_view text) { seen_ += text; };
        surface.complain = [this](std::string_view text) { (seen_ += "!") += text; };
        surface.confirm = [](std::string_view) { return false; };
        surface.interrupted_within = [](std::chrono::milliseconds) { return true; };
        surface.run = [](const std::vector<std::string>&) -> Result<int> { return 0; };
        surface.width = [] { return 100; };
        return surface;
    }

    std::string seen_;
    Shell shell_;
    Shell::Outcome outcome_ = Shell::Outcome::Done;
};

constexpr std::string_view kRing = R"(
    communicator 0 "MPI_COMM_WORLD"
    communicator 1 "pair" members 1,0
    rank 0 blocked MPI_Recv source 1 tag 7 comm 0 at ring.c:14 pid 100
    rank 1 blocked MPI_Recv source 0 tag 7 comm 0 at ring.c:14 pid 101
    rank 2 blocked MPI_Recv source 0 tag 9 comm 0 at main.c:3 pid 102
    rank 3 running in compute at work.c:33 pid 103
    rank 0 posted source 1 tag 7 bytes 4 own
    rank 1 posted source 0 tag 7 bytes 4 own
    rank 2 posted source 0 tag 9 bytes 4 own
    rank 1 send comm 1 to 1 tag 5 bytes 8)";

TEST(Shell, ShowsRanks) {
    SavedShell shell(kRing);

    const std::string all = shell("ranks");
    EXPECT_THAT(all, HasSubstr("100"));
    EXPECT_THAT(all, HasSubstr("MPI_Recv"));
    EXPECT_THAT(all, HasSubstr("work.c:33"));
    EXPECT_THAT(shell("ranks 2-3"), Not(HasSubstr("ring.c")));
    EXPECT_THAT(shell("ranks running"), Not(HasSubstr("MPI_Recv")));
    EXPECT_THAT(shell("ranks 0 running"), HasSubstr("none"));
    EXPECT_EQ(shell("ranks 4"), "!no rank 4; ranks are 0 to 3");
    EXPECT_THAT(shell("ranks sleeping"), HasSubstr("!\"sleeping\" is neither ranks"));
    EXPECT_EQ(shell("ranks 0 running x"), "!\"x\" is too much here");
}

TEST(Shell, ShowsQueuesOfACommunicatorByLocalRanks) {
    SavedShell shell(kRing);

    EXPECT_THAT(shell("queues"), HasSubstr("all 4 ranks"));
    const std::string world = shell("queues comm pair");
    EXPECT_THAT(world, HasSubstr("0 (comm rank 1)"));
    EXPECT_THAT(world, Not(HasSubstr("MPI_COMM_WORLD")));
    const std::string local = shell("queues comm pair local");
    EXPECT_THAT(local, HasSubstr("COMM RANK"));
    EXPECT_THAT(local, HasSubstr("    0          pending send  1     5"));
    EXPECT_THAT(shell("queues tag 1"), HasSubstr("none"));
}

TEST(Shell, ShowsCommunicators) {
    SavedShell shell(kRing);

    EXPECT_THAT(shell("comms"), HasSubstr("#1  pair"));
    EXPECT_THAT(shell("comms pair"), HasSubstr("COMM RANK"));
    EXPECT_THAT(shell("comms ring"), HasSubstr("!no communicator \"ring\""));
}

TEST(Shell, ExplainsWaits) {
    SavedShell shell(kRing);

    EXPECT_THAT(shell("waits 2"), HasSubstr("receive from rank 0 with tag 9"));
    EXPECT_THAT(shell("waits 3"), HasSubstr("No rank waits"));
    EXPECT_THAT(shell("deadlock"), HasSubstr("Victims"));
    EXPECT_THAT(shell("why 0"), HasSubstr("rank 0 is one of those that wait for each other"));
    EXPECT_THAT(shell("why 2"), HasSubstr("rank 2 is a victim: it goes on only after rank 0"));
    EXPECT_THAT(shell("why 3"), HasSubstr("rank 3 is not blocked"));
    EXPECT_EQ(shell("why"), "!which rank?");
    EXPECT_EQ(shell("why x"), "!\"x\" is no rank");
    EXPECT_EQ(shell("why 99999999999999999999"), "!no rank 99999999999999999999; ranks are 0 to 3");
}

TEST(Shell, ShowsStacks) {
    SavedShell shell(R"(
        rank 0-1 blocked MPI_Barrier comm 0 at main.c:9
        rank 2 running
        rank 0-1 frame MPI_Barrier image libmpi.so
        rank 0-1 frame solve at main.c:9
        rank 0-1 frame main at main.c:20
        rank 2 frame compute at main.c:3
        rank 2 frame main at main.c:20)");

    const std::string tree = shell("where");
    EXPECT_THAT(tree, HasSubstr("solve"));
    EXPECT_THAT(tree, HasSubstr("0,1"));
    EXPECT_THAT(tree, HasSubstr("compute"));
    EXPECT_THAT(shell("where 2"), Not(HasSubstr("solve")));
    EXPECT_THAT(shell("where all"), HasSubstr("MPI_Barrier"));
    EXPECT_EQ(shell("where x"), "!\"x\" is too much here");
    const std::string stack = shell("stack 1");
    EXPECT_THAT(stack, HasSubstr("#0  MPI_Barrier in libmpi.so"));
    EXPECT_THAT(stack, HasSubstr("#2  main at main.c:20"));
    EXPECT_EQ(shell("stack 1 locals"), "!this is a saved snapshot: there is no job to ask");
    EXPECT_EQ(shell("stack 1 globals"), "!\"globals\" is neither arguments nor locals");
    EXPECT_EQ(shell("stack 1 locals x"), "!\"x\" is too much here");
    EXPECT_EQ(shell("stack"), "!which rank?");
}

TEST(Shell, WritesReportsInAllFormats) {
    SavedShell shell(kRing);

    EXPECT_THAT(shell("report"), HasSubstr("Pending operations"));
    EXPECT_THAT(shell("report json"), HasSubstr("mqinspect.report/1"));
    EXPECT_THAT(shell("report nothing"), HasSubstr("!no report format"));
}

TEST(Shell, HelpsWithEachCommand) {
    SavedShell shell(kRing);

    const std::string list = shell("help");
    for (const Command& command : commands()) {
        EXPECT_THAT(list, HasSubstr(std::string(command.name)));
        EXPECT_THAT(shell("help " + std::string(command.name)),
                    HasSubstr(std::string(command.summary)));
    }
    EXPECT_THAT(shell("help me"), HasSubstr("!no command \"me\""));
}

TEST(Shell, RefusesWhatNeedsTheJob) {
    SavedShell shell(kRing);

    for (const Command& command : commands()) {
        if (!command.needs_job) continue;
        EXPECT_EQ(shell(command.name), "!this is a saved snapshot: there is no job to ask");
        EXPECT_EQ(shell.outcome(), Shell::Outcome::Failed);
    }
    EXPECT_EQ(shell.shell().prompt(), "mqinspect (saved)> ");
}

TEST(Shell, GoesOnAfterNonsense) {
    SavedShell shell(kRing);

    EXPECT_THAT(shell("\"open"), HasSubstr("!a quote"));
    EXPECT_THAT(shell("nonsense"), HasSubstr("!no command"));
    EXPECT_THAT(shell(std::string(100000, 'x')), HasSubstr("!no command"));
    EXPECT_THAT(shell(""), IsEmpty());
    EXPECT_EQ(shell.outcome(), Shell::Outcome::Done);
    shell("quit");
    EXPECT_EQ(shell.outcome(), Shell::Outcome::Quit);
}

TEST(ShellOnASnapshot, DiffComparesWithASavedOne) {
    const std::string file = ::testing::TempDir() + "mqinspect_shell_diff.snapshot";
    const auto save = [&file](std::string_view text) {
        session::Findings earlier;
        earlier.snapshot = *model::parse_snapshot(text);
        earlier.verdict = analysis::analyze(earlier.snapshot);
        ASSERT_TRUE(session::save_findings(earlier, file));
    };
    SavedShell shell(kRing);

    save(kRing);
    EXPECT_THAT(shell("diff " + file), HasSubstr("Nothing has moved"));
    std::string earlier(kRing);
    earlier.replace(earlier.find("rank 3 running"), 14, "rank 3 exited #");
    save(earlier);
    EXPECT_THAT(shell("diff " + file), HasSubstr("3     ended  compute at work.c:33"));
    save("rank 0 exited");
    EXPECT_THAT(shell("diff " + file), HasSubstr("is of a job of 1 ranks; this one has 4"));
    std::remove(file.c_str());
    EXPECT_THAT(shell("diff " + file), HasSubstr("!cannot read "));
}

}  // namespace
}  // namespace mqinspect::shell
