#include "report/stack_tree.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/unit/report/fixtures.h"

namespace mqinspect::report {
namespace {

using model::Frame;
using model::WorldRank;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Frame at(std::string function, int line) {
    return {0x1000, std::move(function), "/home/user/heat", {"/home/user/heat.c", line}};
}

Frame in_library(std::string function) {
    return {0x2000, std::move(function), "/usr/lib/libmpi.so.12", {}};
}

/// Written outermost first, as one thinks of them.
void give(model::JobSnapshot& snapshot, std::size_t rank, std::vector<Frame> stack) {
    std::ranges::reverse(stack);
    snapshot.ranks[rank].stack = std::move(stack);
}

/// Ranks 0 to 2 send, rank 3 has gone on; inside MPI they differ.
model::JobSnapshot heat() {
    model::JobSnapshot snapshot = job_of(4);
    for (std::size_t rank = 0; rank < 3; ++rank) {
        give(snapshot,
             rank,
             {in_library("_start"),
              at("main", 30),
              at("exchange", 15),
              in_library("PMPI_Send"),
              in_library(rank == 1 ? "MPID_Send" : "MPID_Progress_wait")});
    }
    give(snapshot, 3, {in_library("_start"), at("main", 32), in_library("PMPI_Recv")});
    return snapshot;
}

std::string text_of_tree(const model::JobSnapshot& snapshot, bool verbose = false) {
    TextOptions options;
    options.verbose = verbose;
    std::vector<WorldRank> ranks;
    for (const model::RankSnapshot& rank : snapshot.ranks)
        ranks.push_back(rank.rank);
    return print_stack_tree(snapshot, ranks, options);
}

TEST(StackTree, MergesWhatRanksShare) {
    const model::JobSnapshot snapshot = heat();

    const StackTree tree = merge_stacks(snapshot, Frames::OfUser);

    std::vector<std::string> nodes;
    for (const StackNode& node : tree.nodes)
        nodes.push_back(
            fmt::format("{} {} {} {}", node.depth, node.function, node.line, node.ranks.size()));
    EXPECT_THAT(
        nodes,
        ElementsAre(
            "0 main 30 3", "1 exchange 15 3", "2 PMPI_Send 0 3", "0 main 32 1", "1 PMPI_Recv 0 1"));
}

TEST(StackTree, KnowsWhatIsInsideOfMpi) {
    const model::JobSnapshot snapshot = heat();

    std::vector<std::string_view> inside;
    for (const StackNode& node : merge_stacks(snapshot, Frames::All).nodes) {
        if (node.inside_mpi) inside.push_back(node.function);
    }

    EXPECT_THAT(inside, ElementsAre("MPID_Progress_wait", "MPID_Send"));
}

TEST(StackTree, IndentsOnlyWhereRanksPart) {
    EXPECT_EQ(text_of_tree(heat()),
              "RANKS  STACK\n"
              "0-2    main at heat.c:30\n"
              "       exchange at heat.c:15\n"
              "       PMPI_Send in libmpi.so.12\n"
              "3      main at heat.c:32\n"
              "       PMPI_Recv in libmpi.so.12\n");
}

TEST(StackTree, ShowsEveryFrameIfVerbose) {
    EXPECT_EQ(text_of_tree(heat(), true),
              "RANKS  STACK\n"
              "0-3    _start in libmpi.so.12\n"
              "0-2    +- main at /home/user/heat.c:30\n"
              "       |  exchange at /home/user/heat.c:15\n"
              "       |  PMPI_Send in libmpi.so.12\n"
              "0,2    |  +- MPID_Progress_wait in libmpi.so.12\n"
              "1      |  +- MPID_Send in libmpi.so.12\n"
              "3      +- main at /home/user/heat.c:32\n"
              "          PMPI_Recv in libmpi.so.12\n");
}

TEST(StackTree, ShowsRanksThatStayBehindTheOthers) {
    model::JobSnapshot snapshot = job_of(2);
    give(snapshot, 0, {at("main", 1)});
    give(snapshot, 1, {at("main", 1), at("f", 2)});
    EXPECT_EQ(text_of_tree(snapshot),
              "RANKS  STACK\n"
              "0,1    main at heat.c:1\n"
              "1      +- f at heat.c:2\n");
}

TEST(StackTree, FoldsAFunctionThatCallsItself) {
    model::JobSnapshot snapshot = job_of(1);
    std::vector<Frame> stack = {at("main", 9)};
    stack.resize(20001, at("fib", 3));
    give(snapshot, 0, stack);
    EXPECT_EQ(text_of_tree(snapshot),
              "RANKS  STACK\n"
              "0      main at heat.c:9\n"
              "       fib at heat.c:3, 20000 times\n");
}

TEST(StackTree, BoundsTheIndentOfManyBranches) {
    constexpr std::size_t size = 400;
    model::JobSnapshot snapshot = job_of(size);
    for (std::size_t rank = 0; rank < size; ++rank) {
        std::vector<Frame> stack;
        for (std::size_t depth = 0; depth <= rank; ++depth)
            stack.push_back(at(fmt::format("f{}", depth), 1));
        give(snapshot, rank, std::move(stack));
    }
    EXPECT_LT(text_of_tree(snapshot).size(), size * 100);
}

TEST(StackTree, FramesWithoutANameAreTheSameInTheSameFile) {
    model::JobSnapshot snapshot = job_of(3);
    give(snapshot, 0, {{0x10, "", "/opt/libsolver.so", {}}});
    give(snapshot, 1, {{0x20, "", "/opt/libsolver.so", {}}});
    give(snapshot, 2, {{0x30, "", "", {}}});
    EXPECT_EQ(text_of_tree(snapshot),
              "RANKS  STACK\n"
              "0,1    ?? in libsolver.so\n"
              "2      ??\n");
}

TEST(StackTree, NamesRanksWithoutAStackUnlessTheyHaveEnded) {
    model::JobSnapshot snapshot = job_of(3);
    give(snapshot, 0, {at("main", 1)});
    snapshot.ranks[1].state = model::RankState::Exited;
    EXPECT_THAT(text_of_tree(snapshot), HasSubstr("stack not known of rank 2\n"));
}

TEST(StackTree, TakesRanksInAnyOrderAndPassesOverUnknownOnes) {
    const model::JobSnapshot snapshot = heat();
    const std::vector<WorldRank> ranks = {
        WorldRank(3), WorldRank(1), WorldRank(3), WorldRank(-1), WorldRank(99)};
    const StackTree tree = merge_stacks(snapshot, ranks, Frames::OfUser);
    EXPECT_THAT(tree.nodes.front().ranks, ElementsAre(WorldRank(1)));
    EXPECT_THAT(tree.nodes.back().ranks, ElementsAre(WorldRank(3)));
    EXPECT_THAT(tree.without_stack, IsEmpty());
}

TEST(Folded, HasALineForEachDistinctStack) {
    EXPECT_EQ(print_folded(heat()),
              "_start;main;PMPI_Recv 1\n"
              "_start;main;exchange;PMPI_Send;MPID_Progress_wait 2\n"
              "_start;main;exchange;PMPI_Send;MPID_Send 1\n");
}

TEST(Folded, JoinsLinesOfOneFunction) {
    model::JobSnapshot snapshot = job_of(2);
    give(snapshot, 0, {at("main", 1)});
    give(snapshot, 1, {at("main", 2)});
    EXPECT_EQ(print_folded(snapshot), "main 2\n");
}

TEST(Folded, KeepsSeparatorsOutOfNames) {
    model::JobSnapshot snapshot = job_of(1);
    give(snapshot, 0, {at("operator new(unsigned long)", 1), at("a;b\n\xff", 2)});
    EXPECT_EQ(print_folded(snapshot), "operator_new(unsigned_long);a_b\\n\\xff 1\n");
}

}  // namespace
}  // namespace mqinspect::report
