#include "report/dot.h"

#include <gmock/gmock.h>

#include "report/dispatch.h"
#include "tests/unit/report/fixtures.h"

namespace mqinspect::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string dot_of(const Case& given) {
    return print_dot(given.snapshot, given.verdict);
}

TEST(Dot, DrawsTheCoreFilled) {
    const std::string graph = dot_of(ring(2));
    EXPECT_THAT(graph, HasSubstr("n0 [label=\"rank 0: MPI_Recv at ring.c:14\", style=\"filled\""));
    EXPECT_THAT(graph, HasSubstr("  n0 -> n1;\n  n1 -> n0;\n"));
}

TEST(Dot, DashesAlternatives) {
    Case given = ring(3);
    given.verdict.waits[0].targets = {model::WorldRank(1), model::WorldRank(2)};
    given.verdict.waits[0].all = false;
    EXPECT_THAT(dot_of(given),
                HasSubstr("  n0 -> n1 [style=\"dashed\"];\n  n0 -> n2 [style=\"dashed\"];\n"));
}

TEST(Dot, DrawsAlternativesThatManyHaveOnce) {
    Case given = ring(3);
    for (int i = 0; i < 3; ++i) {
        const auto rank = static_cast<std::size_t>(i);
        given.verdict.waits[rank].targets = {
            model::WorldRank(0), model::WorldRank(1), model::WorldRank(2)};
        given.verdict.waits[rank].all = false;
        given.snapshot.ranks[rank].call->location.line = i;
    }
    const std::string graph = dot_of(given);
    EXPECT_THAT(graph, HasSubstr("n3 [label=\"any of ranks 0-2\", shape=\"ellipse\""));
    EXPECT_THAT(graph, HasSubstr("  n0 -> n3 [style=\"dashed\"];\n"));
    EXPECT_THAT(graph, HasSubstr("  n3 -> n0 [style=\"dashed\"];\n"));
}

TEST(Dot, RanksThatWaitAlikeShareANode) {
    const std::string graph = dot_of(barrier_without(64, 17));
    EXPECT_THAT(graph, HasSubstr("ranks 0-16,18-63: MPI_Barrier at heat.c:91"));
    EXPECT_THAT(graph, HasSubstr("  n0 -> n1;\n"));
    EXPECT_THAT(graph, Not(HasSubstr("n2")));
}

TEST(Dot, QuotesHostileNames) {
    Case given = ring(1);
    given.snapshot.ranks[0].call->function = "a\"]; evil [label=\"\n\\";
    EXPECT_THAT(dot_of(given),
                HasSubstr("rank 0: a\\\"]; evil [label=\\\"\\\\n\\\\ at ring.c:14\""));
}

TEST(Dispatch, KnowsEveryFormatThatItNames) {
    const Case given = ring(2);
    for (const std::string_view name : format_names()) {
        EXPECT_TRUE(print_report(name, given.snapshot, given.verdict, {}).has_value()) << name;
    }
}

TEST(Dispatch, RejectsOtherFormatsAndNamesTheRightOnes) {
    const Case given = ring(2);
    const auto report = print_report("xml", given.snapshot, given.verdict, {});
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(report.error().message,
              "no report format \"xml\"; "
              "there is text, json, html, dot, csv, folded");
}

}  // namespace
}  // namespace mqinspect::report
