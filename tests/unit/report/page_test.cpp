#include "report/page.h"

#include <utility>

#include <gmock/gmock.h>

namespace mqinspect::report {
namespace {

using ::testing::ElementsAre;

std::string printed(const Table& table, int width = 80) {
    Page page(false, width);
    table.print(page, 2);
    return std::move(page).finish();
}

TEST(Wrap, BreaksAtSpacesAndIndentsWhatFollows) {
    EXPECT_THAT(wrap("one two three", 8, 2), ElementsAre("one two", "  three"));
    EXPECT_THAT(wrap("one two", 7), ElementsAre("one two"));
    EXPECT_THAT(wrap("", 7), ElementsAre(""));
}

TEST(Wrap, BreaksLongWordsAtJointsElseAnywhere) {
    EXPECT_THAT(wrap("/usr/lib/libmpi.so", 10), ElementsAre("/usr/lib/", "libmpi.so"));
    EXPECT_THAT(wrap("abcdefgh", 3), ElementsAre("abc", "def", "gh"));
    EXPECT_THAT(wrap("äöüäöü", 4), ElementsAre("äöüä", "öü"));
}

TEST(Wrap, EndsForAnyWidth) {
    EXPECT_THAT(wrap("a b", 0), ElementsAre("a", "b"));
    EXPECT_THAT(wrap("ab", 1, 5), ElementsAre("a", "     b"));
}

TEST(Page, ColoursOnlyWhereAsked) {
    Page plain(false, 80);
    plain.paragraph(Style::Bad, "Deadlock");
    EXPECT_EQ(std::move(plain).finish(), "Deadlock\n");

    Page colored(true, 80);
    colored.paragraph(Style::Bad, "Deadlock");
    EXPECT_EQ(std::move(colored).finish(), "\x1b[1;31mDeadlock\x1b[0m\n");
}

TEST(Page, EscapesWhatItIsGiven) {
    Page page(true, 80);
    page.paragraph(Style::Plain, "\x1b[2Jname\n");
    EXPECT_EQ(std::move(page).finish(), "\\x1b[2Jname\\n\n");
}

TEST(Table, AlignsColumnsAndPutsNotesBeneathTheLast) {
    Table table({"RANK", "CALL"});
    table.row({"0-3", "MPI_Recv"});
    table.beneath(Style::Dim, "why");
    EXPECT_EQ(printed(table),
              "  RANK  CALL\n"
              "  0-3   MPI_Recv\n"
              "        why\n");
}

TEST(Table, LeavesOutColumnsWithoutText) {
    Table table({"RANK", "TAG", "STATE"});
    table.row({"0", "", ""});
    table.row({"1", "7", ""});
    EXPECT_EQ(printed(table),
              "  RANK  TAG\n"
              "  0\n"
              "  1     7\n");
}

TEST(Table, NeverGoesBeyondTheWidth) {
    Table table({"RANK", "AT", "CALL"});
    table.row({"0-3,5,7,9,11,13,15,17,19,21,23,25,27,29,31",
               "a_rather_long_name_of_a_source_file.cpp:123456",
               "MPI_Recv(1 MPI_DOUBLE_PRECISION, source=3, tag=7, MPI_COMM_WORLD)"});
    std::string text = printed(table, 60);
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = text.find('\n', start);
        EXPECT_LE(end - start, 60U) << text;
        start = end + 1;
    }
}

}  // namespace
}  // namespace mqinspect::report
