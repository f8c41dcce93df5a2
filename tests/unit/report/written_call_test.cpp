#include "report/written_call.h"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace mqinspect::report {
namespace {

/// The arguments of MPI_Send in a line of the text, which begins with line 1; "?": not known.
std::string arguments(const std::string& text, int line, bool fortran = false) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string one; std::getline(stream, one);)
        lines.push_back(one);
    const auto found = written_arguments(lines, line, "MPI_Send", fortran);
    if (!found) return "?";
    std::string joined;
    for (const std::string& argument : *found)
        joined += (joined.empty() ? "" : "|") + argument;
    return joined;
}

TEST(WrittenCall, OnOneLine) {
    EXPECT_EQ(arguments("MPI_Send(&x, 1, MPI_INT);", 1), "&x|1|MPI_INT");
    EXPECT_EQ(arguments("if (r) CHECK(MPI_Send ( a[f(1, 2)] , n*(2+m), {1, 2} ));", 1),
              "a[f(1, 2)]|n*(2+m)|{1, 2}");
    EXPECT_EQ(arguments("MPI_Send(x, /* many, (of them */ n) // sent(y, n)", 1), "x|n");
    EXPECT_EQ(arguments("MPI_Send(\"a,)\\\"\", ',', n);", 1), "\"a,)\\\"\"|','|n");
}

TEST(WrittenCall, OnSeveralLines) {
    const std::string text =
        "MPI_Send(buffer + 1, // where\n         n,\n /* what\n */ MPI_INT);\nx();";
    for (int line = 1; line <= 4; ++line)
        EXPECT_EQ(arguments(text, line), "buffer + 1|n|MPI_INT") << line;
    EXPECT_EQ(arguments(text, 5), "?");
    EXPECT_EQ(arguments(text, 6), "?");
    EXPECT_EQ(arguments(text, 0), "?");
}

TEST(WrittenCall, ThatIsNotSure) {
    EXPECT_EQ(arguments("MPI_Send(x, 1); MPI_Send(y, 1);", 1), "?");
    EXPECT_EQ(arguments("PMPI_Send(x, 1); MPI_Send_init(y, 1); MPI_Sendx(1)", 1), "?");
    EXPECT_EQ(arguments("MPI_Send(x,\n#ifdef A\n 1);\n#else\n 2);\n#endif", 1), "?");
    EXPECT_EQ(arguments("MPI_Send(x, 1", 1), "?");
    EXPECT_EQ(arguments("f = MPI_Send;", 1), "?");
    EXPECT_EQ(arguments("", 1), "?");
}

TEST(WrittenCall, InFortran) {
    EXPECT_EQ(arguments("  call mpi_send(x(1, 2), n, & ! how many\n  & MPI_REAL)", 1, true),
              "x(1, 2)|n|MPI_REAL");
    EXPECT_EQ(arguments("      CALL MPI_SEND(X,\nC a comment, with a comma\n     +  N)", 1, true),
              "X|N");
    EXPECT_EQ(arguments("call MPI_Send('it''s, !', 1)", 1, true), "'it''s, !'|1");
}

}  // namespace
}  // namespace mqinspect::report
