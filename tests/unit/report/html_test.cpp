#include "report/html.h"

#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "report/folded_graph.h"
#include "report/graph_layout.h"
#include "report/html_data.h"
#include "report/html_text.h"
#include "report/source_excerpts.h"
#include "tests/unit/report/fixtures.h"

namespace mqinspect::report {
namespace {

using model::WorldRank;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::string_view kHostile = "</script><b a='\"'>&\x1b\xff\n";

TEST(HtmlText, NamesBecomeText) {
    EXPECT_EQ(html_text(kHostile), "&lt;/script&gt;&lt;b a=&#39;&quot;&#39;&gt;&amp;\\x1b\\xff\\n");
}

TEST(HtmlText, DataCannotEndTheScript) {
    EXPECT_EQ(script_json(R"({"a":"</script>"})"), R"({"a":"\u003c/script>"})");
}

TEST(Html, EscapesEveryNameOfTheTarget) {
    Case given = ring(3);
    const std::string hostile(kHostile);
    model::RankSnapshot& rank = given.snapshot.ranks[0];
    rank.call->function = hostile;
    rank.call->location.file = hostile;
    rank.stack[0].function = hostile;
    rank.stack[1].image = hostile;
    rank.problem = hostile;
    rank.host = hostile;
    given.snapshot.communicators[0].name = hostile;
    given.snapshot.operations[0].datatype = hostile;
    given.snapshot.problems = {hostile};
    given.snapshot.hosts = {hostile};
    given.snapshot.launcher = hostile;
    given.verdict.sentence = hostile;
    given.verdict.waits[0].why = hostile;
    given.verdict.waits[0].hints = {hostile};

    const std::string page = print_html(given.snapshot, given.verdict);

    EXPECT_THAT(page, Not(HasSubstr("<b a")));
    EXPECT_EQ(page.find("</script>", page.find("</script>") + 1), page.rfind("</script>"));
    EXPECT_THAT(page, Not(HasSubstr("\x1b")));
    EXPECT_THAT(page, Not(HasSubstr("\xff")));
}

TEST(Html, LoadsNothing) {
    const std::string page = print_html(ring(2).snapshot, ring(2).verdict);
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    EXPECT_THAT(page, Not(HasSubstr("src=")));
    EXPECT_THAT(page, Not(HasSubstr("@import")));
}

TEST(HtmlData, HasARowForEachRankOperationAndFrame) {
    const Case given = ring(4);
    const auto data = nlohmann::json::parse(
        html_data(given.snapshot, given.verdict, fold_graph(given.snapshot, given.verdict)));
    EXPECT_THAT(data["ranks"], SizeIs(4));
    EXPECT_THAT(data["operations"], SizeIs(4));
    EXPECT_THAT(data["stacks"], SizeIs(3));
    EXPECT_EQ(data["strings"][data["ranks"][1][1].get<std::size_t>()], "core");
    EXPECT_EQ(data["operations"][1][3], 0);
}

TEST(FoldedGraph, JoinsRanksThatWaitForDifferentOnesBeyondTheLimit) {
    const Case given = ring(100);
    EXPECT_THAT(fold_graph(given.snapshot, given.verdict, 100).nodes, SizeIs(100));

    const FoldedGraph graph = fold_graph(given.snapshot, given.verdict, 99);

    EXPECT_TRUE(graph.coarse);
    EXPECT_THAT(graph.nodes, SizeIs(1));
    EXPECT_THAT(graph.edges, ElementsAre(GraphEdge{0, 0, false}));
}

/// Ranks that receive from any source, each at a line of its own.
Case any_source(int size) {
    Case given = ring(size);
    for (analysis::Wait& wait : given.verdict.waits) {
        std::vector<WorldRank> others;
        for (int other = 0; other < size; ++other) {
            if (other != wait.rank.value) others.emplace_back(other);
        }
        wait.targets = others;
        wait.all = false;
    }
    return given;
}

TEST(FoldedGraph, ReceiversFromAnySourceAreAlike) {
    const Case given = any_source(64);

    const FoldedGraph graph = fold_graph(given.snapshot, given.verdict);

    EXPECT_THAT(graph.nodes, SizeIs(1));
    EXPECT_THAT(graph.any_of, IsEmpty());
    EXPECT_THAT(graph.edges, ElementsAre(GraphEdge{0, 0, true}));
}

TEST(FoldedGraph, DrawsAlternativesThatManyHaveOnce) {
    Case given = any_source(5);
    for (int i = 0; i < 5; ++i)
        given.snapshot.ranks[static_cast<std::size_t>(i)].call->location.line = i;

    const FoldedGraph graph = fold_graph(given.snapshot, given.verdict);

    EXPECT_THAT(graph.nodes, SizeIs(5));
    ASSERT_THAT(graph.any_of, SizeIs(1));
    EXPECT_THAT(graph.any_of[0].ranks, SizeIs(5));
    EXPECT_THAT(graph.edges, SizeIs(10));
    EXPECT_THAT(graph.edges, ::testing::Contains(GraphEdge{3, 5, true}));
    EXPECT_THAT(graph.edges, ::testing::Contains(GraphEdge{5, 3, true}));
    EXPECT_THAT(print_html(given.snapshot, given.verdict), HasSubstr(">any of ranks 0-4</text>"));
}

TEST(FoldedGraph, FewAlternativesAreDrawnOneByOne) {
    const Case given = any_source(2);

    EXPECT_THAT(fold_graph(given.snapshot, given.verdict).any_of, IsEmpty());
}

TEST(FoldedGraph, KeepsTheCoresApartAsLongAsItCan) {
    Case given = ring(20);
    given.verdict.cores[0].ranks.resize(2);
    const FoldedGraph graph = fold_graph(given.snapshot, given.verdict, 5);
    EXPECT_THAT(graph.nodes, SizeIs(3));
}

TEST(GraphLayout, ReadsPlain) {
    const auto layout = parse_plain(
        "graph 1 2 3\nnode n0 1 2.5 1 1 \"\" solid box black lightgrey\n"
        "node n1 1 0.5 1 1 \"\" solid box black lightgrey\n"
        "edge n0 n1 4 1 2 1 1.7 1 1.3 1 1 solid black\nstop\n",
        2,
        1);
    ASSERT_TRUE(layout.has_value());
    EXPECT_DOUBLE_EQ(layout->size.height, 216);
    EXPECT_DOUBLE_EQ(layout->centers[0].y, 36);
    EXPECT_THAT(layout->edges, ElementsAre(std::pair<std::size_t, std::size_t>(0, 1)));
    EXPECT_DOUBLE_EQ(layout->curves[0][3].y, 144);
}

TEST(GraphLayout, RejectsWhatCannotBe) {
    for (const char* text : {"",
                             "graph 1 2\n",
                             "graph 1 2 3\nnode n7 1 1 1 1\n",
                             "graph 1 2 3\nnode n0 nan 1 1 1\n",
                             "graph 1 2 3\nnode n0 1 1 1 1\nedge n0 n0 999999999999 1 1\n",
                             "graph 1 2 3\nnode n0 1 1 1 1\nedge n0 n0 4 1 1 1 1\n",
                             "graph 1 2 3\nnode n0 1 1 1 1\nnonsense\n"}) {
        EXPECT_FALSE(parse_plain(text, 1, 1).has_value()) << text;
    }
}

TEST(GraphLayout, AsksGraphviz) {
    const BoxSize box{100, 50};
    const std::vector<BoxSize> nodes = {box, box};
    const std::vector<std::pair<std::size_t, std::size_t>> edges = {{0, 1}, {1, 0}, {0, 0}};
    const auto layout = lay_out(nodes, edges, std::chrono::seconds(30));
    ASSERT_TRUE(layout.has_value()) << layout.error().message;
    EXPECT_THAT(layout->curves, SizeIs(3));
    EXPECT_GE(std::abs(layout->centers[0].y - layout->centers[1].y), 50);
}

TEST(GraphLayout, PutsManyThatWaitForOneInSeveralRows) {
    const std::vector<BoxSize> nodes(65, BoxSize{100, 50});
    for (const bool reversed : {false, true}) {
        std::vector<std::pair<std::size_t, std::size_t>> edges;
        for (std::size_t i = 1; i < nodes.size(); ++i)
            edges.push_back(reversed ? std::pair<std::size_t, std::size_t>(0, i)
                                     : std::pair<std::size_t, std::size_t>(i, 0));
        const auto layout = lay_out(nodes, edges, std::chrono::seconds(30));
        ASSERT_TRUE(layout.has_value()) << layout.error().message;
        EXPECT_LT(layout->size.width, 64 * 100 / 3);
        EXPECT_LT(layout->size.height, 20 * 100);
    }
}

TEST(GraphLayout, GivesUpInTime) {
    const std::vector<BoxSize> nodes(2, BoxSize{100, 50});
    const auto layout = lay_out(nodes, {}, std::chrono::milliseconds(0));
    ASSERT_FALSE(layout.has_value());
    EXPECT_EQ(layout.error().message, "dot takes too long");
}

class Excerpts : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::path(::testing::TempDir()) / "mqinspect_excerpts";
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string file(const std::string& name, const std::string& content) {
        const std::string path = folder_ / name;
        std::ofstream(path) << content;
        return path;
    }

    static model::SourceExcerpt excerpt_at(const std::string& path,
                                           int line,
                                           const std::string& image) {
        model::JobSnapshot snapshot = job_of(1);
        snapshot.ranks[0].stack = {{1, "f", image, {path, line}}};
        return source_excerpts(snapshot).at(0).excerpt;
    }

    std::filesystem::path folder_;
};

TEST_F(Excerpts, ShowsLinesAroundThePlace) {
    const std::string path = file("a.c", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    const model::SourceExcerpt excerpt = excerpt_at(path, 6, path);
    EXPECT_EQ(excerpt.first_line, 2);
    EXPECT_THAT(excerpt.lines, ElementsAre("2", "3", "4", "5", "6", "7", "8", "9", "10"));
    EXPECT_EQ(excerpt.remark, "");
}

TEST_F(Excerpts, KeptOnesNeedNoFile) {
    const std::string path = file("a.c", "1\n2\n3\n");
    model::JobSnapshot snapshot = job_of(2);
    snapshot.ranks[0].stack = {{1, "f", path, {path, 2}}};
    snapshot.ranks[1].stack = {{1, "f", path, {"/nowhere/b.c", 2}}};

    keep_sources(snapshot);
    std::filesystem::remove(path);

    ASSERT_THAT(snapshot.sources, SizeIs(1));
    const auto excerpts = source_excerpts(snapshot);
    ASSERT_THAT(excerpts, SizeIs(2));
    for (const auto& [excerpt, ranks] : excerpts) {
        const bool kept = excerpt.file == path;
        EXPECT_THAT(excerpt.lines, SizeIs(kept ? 3 : 0));
        EXPECT_THAT(ranks, ElementsAre(WorldRank(kept ? 0 : 1)));
    }
}

TEST_F(Excerpts, SaysIfTheSourceIsNewerThanTheProgram) {
    const std::string program = file("a", "");
    std::filesystem::last_write_time(
        program, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    const std::string path = file("a.c", "1\n");
    EXPECT_THAT(excerpt_at(path, 1, program).remark, HasSubstr("changed after"));
    EXPECT_THAT(excerpt_at(path, 1, "/nowhere/a").remark, HasSubstr("the program is not here"));
}

TEST_F(Excerpts, OpensOnlyWhatIsNamedLikeSource) {
    EXPECT_THAT(excerpt_at(file("secret", "x\n"), 1, "").lines, IsEmpty());
    EXPECT_THAT(excerpt_at("/etc/passwd", 1, "").remark, HasSubstr("not named like"));
    EXPECT_THAT(excerpt_at("relative.c", 1, "").remark, HasSubstr("which folder"));
    EXPECT_THAT(excerpt_at("/nowhere/a.c", 1, "").remark, HasSubstr("cannot be read here"));
    EXPECT_THAT(excerpt_at(file("short.c", "1\n"), 9, "").remark, HasSubstr("fewer lines"));
}

TEST_F(Excerpts, DoesNotWaitForAPipe) {
    const std::string path = folder_ / "pipe.c";
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    EXPECT_THAT(excerpt_at(path, 1, "").remark, HasSubstr("no ordinary file"));
}

}  // namespace
}  // namespace mqinspect::report
