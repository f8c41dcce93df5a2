// The same variables as gdb shows of the same process.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/target/value_fixture.h"

namespace mqinspect::target {
namespace {

using mqinspect::testing::temporary_path;
using mqinspect::testing::ValueFixture;

std::string run(const std::string& command) {
    const auto file = temporary_path("gdb");
    const int status = std::system((command + " > " + file.string() + " 2>/dev/null").c_str());
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    in.close();
    std::filesystem::remove(file);
    EXPECT_EQ(status, 0) << command;
    return text.str();
}

// What the two write differently on purpose: gdb puts the type before a pointer, names
// data symbols, writes floats with all digits, and zeros behind a text.
std::string normalised(std::string text) {
    text = std::regex_replace(
        text, std::regex("^\\([^()]*(\\(\\*\\)\\([^()]*\\))?\\) (0x|@0x)"), "$2");
    text = std::regex_replace(text, std::regex(" <[A-Za-z_][^<>]*>"), "");
    text = std::regex_replace(text, std::regex("(\\\\000)+\""), "\"");
    text = std::regex_replace(text, std::regex("\", '\\\\000' <repeats [0-9]+ times>"), "\"");
    text = std::regex_replace(
        text,
        std::regex("<(error: Cannot access memory at address|cannot be read at) (0x[0-9a-f]+)>"),
        "<$2>");
    text = std::regex_replace(text, std::regex("0\\.10000000000000001"), "0.1");
    return text;
}

void compare(const char* program,
             const std::string& function,
             const std::vector<std::string>& expressions,
             bool in_inlined = false) {
    const ValueFixture fixture(program);
    std::string command = fmt::format(
        "gdb -nx -batch -p {} -ex 'set debuginfod enabled off' -ex 'frame function {}' {}",
        fixture.inspected.child->pid(),
        function,
        in_inlined ? "-ex up" : "");
    for (const std::string& expression : expressions)
        command += fmt::format(
            " -ex 'echo @@{}=' -ex 'output {}' -ex 'echo @\\n'", expression, expression);
    const std::string answer = run(command);
    for (const std::string& expression : expressions) {
        const std::string start = "@@" + expression + "=";
        const std::size_t at = answer.find(start);
        ASSERT_NE(at, std::string::npos) << expression << " in: " << answer;
        const std::size_t from = at + start.size();
        const std::string theirs = answer.substr(from, answer.find("@\n", from) - from);
        EXPECT_EQ(normalised(fixture.print(function, expression)), normalised(theirs))
            << expression;
    }
}

TEST(ValuesLikeGdb, OfC) {
    for (const char* program : {FIXTURE_C_O0, FIXTURE_C_O2}) {
        SCOPED_TRACE(program);
        compare(program,
                "show",
                {"argument",
                 "text",
                 "outer->corners",
                 "n",
                 "vla",
                 "matrix",
                 "zeros",
                 "mixed",
                 "rows",
                 "letter",
                 "byte",
                 "newline",
                 "small",
                 "large",
                 "negative",
                 "single",
                 "real",
                 "wide",
                 "yes",
                 "colour",
                 "odd_colour",
                 "bits",
                 "last",
                 "first",
                 "nothing",
                 "wild",
                 "wild_text",
                 "function",
                 "blanks",
                 "partly",
                 "huge",
                 "uhuge",
                 "calls",
                 "*first.next",
                 "flexible->tail[1]",
                 "*numbers@4",
                 "sizeof(bits)",
                 "matrix[1]",
                 "outer->bits",
                 "outer->corners[1].y * 2",
                 "file_static",
                 "global_point",
                 "1 << 4 | 3",
                 "-7 % 3",
                 "large + 1",
                 "z",
                 "flags",
                 "(char)300",
                 "numbers[2] / 3.0 > 2"},
                true);
    }
}

TEST(ValuesLikeGdb, OfFortran) {
    compare(FIXTURE_F90_O0,
            "__params_MOD_work",
            {"a",
             "b",
             "n",
             "name",
             "flag",
             "z",
             "c",
             "pp",
             "tt",
             "cc",
             "cells",
             "common_i",
             "common_x",
             "a(2,3)",
             "cells(2)%id",
             "nsteps",
             "field",
             "cc%tag"});
}

TEST(ValuesLikeGdb, OfCpp) {
    compare(FIXTURE_CPP_O0,
            "main",
            {"number",
             "diamond.left",
             "settings::level",
             "result",
             "solver.id",
             "Base::shared",
             "solver.base_value"});
}

}  // namespace
}  // namespace mqinspect::target
