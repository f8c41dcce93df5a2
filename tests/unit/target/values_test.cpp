#include "inspector/target/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/target/value_fixture.h"

namespace mqinspect::target {
namespace {

using mqinspect::testing::Inspected;
using mqinspect::testing::ValueFixture;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

constexpr const char* kWork = "__params_MOD_work";

TEST(FrameVariables, OfCAreShownWithAllTheirKinds) {
    // The fixture keeps everything alive, so that optimised code has it, too.
    for (const char* program : {FIXTURE_C_O0, FIXTURE_C_O2}) {
        SCOPED_TRACE(program);
        const ValueFixture fixture(program);
        auto variables = fixture.variables("show");
        const auto text = [&variables](const char* name) { return variables[name].value.text; };

        EXPECT_EQ(text("argument"), "17");
        EXPECT_THAT(text("text"), MatchesRegex("0x[0-9a-f]+ \"hello\""));
        EXPECT_EQ(text("vla"), "{0, 1, 4, 9, 16, 25}");
        EXPECT_EQ(text("matrix"), "{{1, 2, 3}, {4, 5, 6}}");
        EXPECT_EQ(text("zeros"), "{0 <repeats 50 times>}");
        EXPECT_EQ(text("mixed"), "{1, 2, 0 <repeats 37 times>, 9}");
        EXPECT_EQ(text("rows"), "{{1, 1, 1}, {2, 2, 2}}");
        EXPECT_EQ(text("letter"), "113 'q'");
        EXPECT_EQ(text("byte"), "200 '\\310'");
        EXPECT_EQ(text("newline"), "10 '\\n'");
        EXPECT_EQ(text("small"), "-5");
        EXPECT_EQ(text("large"), "18446744073709551615");
        EXPECT_EQ(text("negative"), "-9223372036854775808");
        EXPECT_EQ(text("single"), "1.5");
        EXPECT_EQ(text("real"), "0.1");
        EXPECT_EQ(text("wide"), "2.25");
        EXPECT_EQ(text("z"), "1 + 2i");
        EXPECT_EQ(text("yes"), "true");
        EXPECT_EQ(text("colour"), "GREEN");
        EXPECT_EQ(text("odd_colour"), "77");
        EXPECT_EQ(text("flags"), "(READ | EXECUTE)");
        EXPECT_EQ(text("bits"), "{a = 5, b = -3, c = 123456789012, colour = BLUE, set = true}");
        EXPECT_EQ(text("last"), "{value = 2, next = 0x0}");
        EXPECT_EQ(text("nothing"), "0x0");
        EXPECT_EQ(text("wild_text"), "0x10 <cannot be read at 0x10>");
        EXPECT_THAT(text("function"), MatchesRegex("0x[0-9a-f]+ <twice>"));
        EXPECT_EQ(text("blanks"), "' ' <repeats 64 times>");
        EXPECT_EQ(text("partly"), "\"abc\"");
        EXPECT_THAT(text("escapes"), HasSubstr(R"("tab\there \"quoted\" \\ \001")"));
        EXPECT_EQ(text("huge"), "1267650600228229401496703205383");
        EXPECT_EQ(text("uhuge"), "340282366920938463463374607431768211455");
        EXPECT_EQ(text("calls"), "3");   // static
        EXPECT_EQ(text("shadow"), "2");  // the innermost
        EXPECT_EQ(variables["scale"].inlined, "inlined");
        EXPECT_EQ(text("scale"), "10");
        EXPECT_EQ(text("product"), "10");

        EXPECT_TRUE(variables["argument"].is_parameter);
        EXPECT_FALSE(variables["vla"].is_parameter);
        EXPECT_EQ(variables["vla"].value.type, "int [6]");
        EXPECT_EQ(variables["function"].value.type, "int (*)(int)");
        EXPECT_EQ(variables["matrix"].value.type, "int [2][3]");
        EXPECT_EQ(variables["argument"].value.integer, 17U);
    }
}

TEST(FrameVariables, ThatHaveNoValueSayWhy) {
    const ValueFixture fixture(FIXTURE_CPP_O2);

    EXPECT_EQ(fixture.variables("main")["diamond"].value.text, "<optimized out>");
    EXPECT_EQ(fixture.variables("_start").size(), 0U);
}

TEST(FrameVariables, OfCppAreShownByTheirMeaning) {
    const ValueFixture fixture(FIXTURE_CPP_O0);
    auto variables = fixture.variables("main");
    const auto text = [&variables](const char* name) { return variables[name].value.text; };

    EXPECT_EQ(text("empty"), "\"\"");
    EXPECT_EQ(text("word"), "\"short\"");
    EXPECT_EQ(text("sentence"), "\"a sentence that does not fit into the object itself\"");
    EXPECT_EQ(text("data"), "std::vector of length 3 {1.5, 2.5, 3.5}");
    EXPECT_EQ(text("names"), "std::vector of length 2 {\"one\", \"two\"}");
    EXPECT_EQ(text("none"), "std::vector of length 0 {}");
    EXPECT_THAT(text("reference"), MatchesRegex("@0x[0-9a-f]+: 5"));
    EXPECT_THAT(text("alias"), MatchesRegex("@0x[0-9a-f]+: \"short\""));
    EXPECT_EQ(text("mode"), "Fast");
    EXPECT_THAT(text("diamond"), StartsWith("{<Base> = {base_value = 11}, _vptr.Left = 0x"));
    EXPECT_THAT(text("solver"), StartsWith("{<Base> = {base_value = 11}, <Virtual> = {_vptr"));
    EXPECT_THAT(text("solver"), HasSubstr("id = 77}, step_ = 40}"));
}

TEST(FrameVariables, OfFortranAreShownAsFortranWritesThem) {
    const ValueFixture fixture(FIXTURE_F90_O0);
    auto variables = fixture.variables(kWork);
    const auto text = [&variables](const char* name) { return variables[name].value.text; };

    EXPECT_EQ(text("a"), "((11, 21) (12, 22) (13, 23))");
    EXPECT_EQ(text("b"), "((0, 31) (0, 0) (0, 0) (0, 0) (0, 0))");  // each other row
    EXPECT_EQ(text("n"), "2");
    EXPECT_EQ(text("name"), "'hello'");
    EXPECT_EQ(text("flag"), ".TRUE.");
    EXPECT_EQ(text("z"), "(1,2)");
    EXPECT_THAT(text("star"), StartsWith("<array without bounds at 0x"));
    EXPECT_EQ(text("c"), "(4, 2, 2, 2)");
    EXPECT_EQ(text("loc"), "(5, 5)");
    EXPECT_EQ(text("pp"), "(1, 3)");  // each other element of tt
    EXPECT_EQ(text("unset"), "<not associated>");
    EXPECT_EQ(text("gone"), "<not allocated>");
    EXPECT_EQ(text("cc"), "( id = 3, temp = (1, 2, 3), tag = 'ab  ' )");
    EXPECT_EQ(text("words"), "('one  ', 'it''s ')");
    EXPECT_EQ(text("common_i"), "9");
    EXPECT_EQ(text("common_x"), "(2.5, 2.5)");

    EXPECT_EQ(variables["a"].value.type, "real(kind=8) (2,3)");
    EXPECT_EQ(variables["c"].value.type, "real(kind=8) (-1:2)");
    EXPECT_EQ(variables["name"].value.type, "character(len=5)");
    EXPECT_EQ(variables["words"].value.type, "character(len=5) (2)");
    EXPECT_TRUE(variables["b"].is_parameter);
    EXPECT_EQ(variables.count("_name"), 0U);  // the length, an argument of the compiler's
}

TEST(Expressions, FollowAccessPaths) {
    const ValueFixture fixture(FIXTURE_C_O0);
    const auto print = [&fixture](const char* text) { return fixture.print("show", text); };

    EXPECT_EQ(print("argument"), "17");
    EXPECT_EQ(print("outer->corners[1].y"), "1.5");
    EXPECT_EQ(print("outer.corners[1]"), "{x = 2, y = 1.5}");  // gdb's short cut
    EXPECT_EQ(print("outer->name"), "\"outer\"");
    EXPECT_EQ(print("outer->as_int"), "12");  // of an anonymous union
    EXPECT_EQ(print("outer->named.inner_short"), "3");
    EXPECT_EQ(print("outer->bits"), "{a = 1, b = -1, c = 5, colour = RED, set = false}");
    EXPECT_EQ(print("outer->bits.b + 1"), "0");
    EXPECT_EQ(print("outer->list->next->next->value"), "99");
    EXPECT_EQ(print("*outer->list->next == *outer->list"),
              "error: at column 20: Node is no number");
    EXPECT_EQ(print("first.next->value"), "2");
    EXPECT_EQ(print("(*first.next).value"), "2");
    EXPECT_EQ(print("matrix[1][2]"), "6");
    EXPECT_EQ(print("matrix[1]"), "{4, 5, 6}");
    EXPECT_EQ(print("rows[1][0]"), "2");
    EXPECT_EQ(print("vla[5]"), "25");
    EXPECT_EQ(print("*vla"), "0");
    EXPECT_EQ(print("*(vla + 2)"), "4");
    EXPECT_EQ(print("&vla[3] - &vla[0]"), "3");
    EXPECT_EQ(print("text[1]"), "101 'e'");
    EXPECT_EQ(print("flexible->tail[3]"), "13");
    EXPECT_THAT(print("&argument"), StartsWith("0x7ff"));
    EXPECT_EQ(print("*&argument"), "17");
    EXPECT_THAT(print("twice"), MatchesRegex("\\{function\\} 0x[0-9a-f]+ <twice>"));
    EXPECT_EQ(print("function == twice"), "1");
    EXPECT_EQ(print("shadow"), "2");
    EXPECT_EQ(fixture.type("show", "&outer->corners[0]"), "Point *");
    EXPECT_EQ(fixture.type("show", "matrix[1]"), "int [3]");
}

TEST(Variables, OfFortranHaveTheSizeThatTheirBoundsSay) {
    const Inspected inspected(FIXTURE_F90_O0, {});
    const auto of_bounds = inspected.variable(kWork, "c");  // (-1:2)
    const auto of_length = inspected.variable(kWork, "tt");

    ASSERT_TRUE(of_bounds && of_length);
    EXPECT_EQ(of_bounds->bytes.size(), 4 * sizeof(double));
    EXPECT_EQ(of_bounds->type, "real(kind=8) [4]");
    EXPECT_EQ(of_length->bytes.size(), 4 * sizeof(int));
    EXPECT_EQ(of_length->type, "integer(kind=4) [4]");
}

TEST(Expressions, FindGlobalsStaticsAndEnumerators) {
    const ValueFixture fixture(FIXTURE_C_O2);
    const auto print = [&fixture](const char* text) { return fixture.print("main", text); };

    EXPECT_EQ(print("global_counter + 1"), "42");
    EXPECT_EQ(print("per_thread"), "4");
    EXPECT_EQ(print("file_static"), "{1.5, 2.5, 3.5, 4.5}");
    EXPECT_EQ(print("global_point.y"), "8.25");
    EXPECT_THAT(print("global_text"), HasSubstr("\"a global\""));
    EXPECT_EQ(print("big_array"), "{0 <repeats 100000 times>}");
    EXPECT_THAT(print("colour == GREEN"), StartsWith("error: no variable 'colour' in main (val"));
    EXPECT_EQ(print("GREEN + 1"), "6");
}

TEST(Expressions, OfSlices) {
    const ValueFixture fixture(FIXTURE_C_O0);
    const auto print = [&fixture](const char* text) { return fixture.print("show", text); };

    EXPECT_EQ(print("vla[2:4]"), "{4, 9, 16}");
    EXPECT_EQ(print("numbers[0:3]"), "{100, 101, 102, 103}");
    EXPECT_EQ(print("*numbers@3"), "{100, 101, 102}");
    EXPECT_EQ(print("numbers@3"), "{100, 101, 102}");
    EXPECT_EQ(print("numbers[4]@2"), "{104, 105}");
    EXPECT_EQ(print("matrix[0:1]"), "{{1, 2, 3}, {4, 5, 6}}");
    EXPECT_EQ(print("flexible->tail[0:3]"), "{10, 11, 12, 13}");
    EXPECT_EQ(fixture.type("show", "vla[2:4]"), "int [3]");
    EXPECT_EQ(print("vla[4:2]"), "error: at column 4: the range 4:2 is empty or too long");
    EXPECT_EQ(print("*numbers@0"), "error: at column 9: an array of 0 elements");
    EXPECT_EQ(print("argument@100000000000"),
              "error: at column 9: an array of 100000000000 elements");
}

TEST(Expressions, ComputeAsCDoes) {
    const ValueFixture fixture(FIXTURE_C_O0);
    const auto print = [&fixture](const char* text) { return fixture.print("show", text); };

    EXPECT_EQ(print("1 + 2 * 3"), "7");
    EXPECT_EQ(print("(1 + 2) * 3"), "9");
    EXPECT_EQ(print("7 / 2"), "3");
    EXPECT_EQ(print("-7 / 2"), "-3");
    EXPECT_EQ(print("-7 % 3"), "-1");
    EXPECT_EQ(print("7 / 2.0"), "3.5");
    EXPECT_EQ(print("1 << 4 | 3"), "19");
    EXPECT_EQ(print("0xff & ~0x0f"), "240");
    EXPECT_EQ(print("2147483647 + 1"), "-2147483648");
    EXPECT_EQ(print("2147483648"), "2147483648");
    EXPECT_EQ(print("0u - 1"), "4294967295");
    EXPECT_EQ(print("large + 1"), "0");
    EXPECT_EQ(print("-1 < 0u"), "0");
    EXPECT_EQ(print("negative / -1"), "-9223372036854775808");
    EXPECT_EQ(print("'a' + 1"), "98");
    EXPECT_EQ(print("!nothing && argument == 17"), "1");
    EXPECT_EQ(print("nothing && *wild"), "0");  // the right side is not looked at
    EXPECT_EQ(print("real * 2 == 0.2"), "1");
    EXPECT_EQ(print("(int)3.9"), "3");
    EXPECT_EQ(print("(unsigned char)300"), "44 ','");
    EXPECT_EQ(print("(char)argument"), "17 '\\021'");
    EXPECT_EQ(print("*(int*)numbers"), "100");
    EXPECT_EQ(print("((struct Node*)&first)->value"), "1");
    EXPECT_EQ(print("((OuterAlias *)outer)->as_int"), "12");
    EXPECT_EQ(print("(enum Colour)6"), "BLUE");
    EXPECT_EQ(print("(argument) - 1"), "16");  // no cast
    EXPECT_EQ(print("sizeof(struct Point)"), "16");
    EXPECT_EQ(print("sizeof vla"), "24");
    EXPECT_EQ(print("sizeof(int*) + sizeof matrix"), "32");
    EXPECT_EQ(print("1.5e3"), "1500");
    EXPECT_EQ(print("010"), "8");
}

TEST(Expressions, ThatAreWrongSayWhatAndWhere) {
    const ValueFixture fixture(FIXTURE_C_O0);
    const auto print = [&fixture](const char* text) { return fixture.print("show", text); };

    EXPECT_THAT(print("foo"),
                MatchesRegex("error: no variable 'foo' in show \\(values.c:[0-9]+\\); there are: "
                             "node, scale, product, shadow, argument, text, outer, n, .*"));
    EXPECT_THAT(print("1 + foo"), StartsWith("error: at column 5: no variable 'foo' in show"));
    EXPECT_EQ(print(""), "error: an expression is missing");
    EXPECT_EQ(print("1 +"), "error: at column 4: expected a name, a number or '(' at the end");
    EXPECT_EQ(print("vla[1"), "error: at column 6: expected ']' at the end");
    EXPECT_EQ(print("a b"), "error: at column 3: expected an operator or the end, not 'b'");
    EXPECT_EQ(print("twice(3)"), "error: at column 6: expected an operator or the end, not '('");
    EXPECT_EQ(print("1 $ 2"), "error: at column 3: expected an operator or the end, not '$'");
    EXPECT_EQ(print("#"), "error: at column 1: '#' means nothing here");
    EXPECT_EQ(print("99999999999999999999"),
              "error: at column 1: the number does not fit into 64 bits");
    EXPECT_EQ(print("first.nothing"),
              "error: at column 7: Node has no member 'nothing'; there are: value, next");
    EXPECT_EQ(print("argument.x"), "error: at column 10: int has no members");
    EXPECT_EQ(print("argument[0]"), "error: at column 9: int is no array");
    EXPECT_EQ(print("*argument"), "error: int is no pointer");
    EXPECT_EQ(print("*nothing"), "error: a pointer to void has no value; cast it to another type");
    EXPECT_EQ(print("*wild"), "<cannot be read at 0x10>");
    EXPECT_EQ(print("*wild + 1"), "error: at column 7: cannot be read at 0x10");
    EXPECT_EQ(print("1 / 0"), "error: at column 3: division by zero");
    EXPECT_EQ(print("1 << 99"), "error: at column 3: a shift by 99 of 32 bits");
    EXPECT_EQ(print("&1"), "error: it is not in memory and has no address");
    EXPECT_EQ(print("&bits.a"), "error: a bit field has no address");
    EXPECT_EQ(print("(struct Nowhere*)text"), "error: no type 'Nowhere'");
    EXPECT_THAT(print(std::string(5000, '(').c_str()), HasSubstr("longer than 4096 bytes"));
    EXPECT_THAT(print(std::string(500, '(').c_str()), HasSubstr("nested too deeply"));
    EXPECT_THAT(print(std::string(500, '-').c_str()), HasSubstr("nested too deeply"));
    EXPECT_THAT(fixture.print("read", "foo"), HasSubstr("has no debug information"));
}

TEST(Expressions, OfCpp) {
    const ValueFixture fixture(FIXTURE_CPP_O0);
    const auto print = [&fixture](const char* text) { return fixture.print("main", text); };
    const char* run = "Solver<int>::run";

    EXPECT_EQ(print("data[2]"), "3.5");
    EXPECT_EQ(print("names[0]"), "\"one\"");
    EXPECT_EQ(print("data[0:1]"), "{1.5, 2.5}");
    EXPECT_EQ(print("word[0]"), "115 's'");
    EXPECT_EQ(print("reference + 1"), "6");
    EXPECT_EQ(print("settings::level"), "6");
    EXPECT_EQ(print("Base::shared"), "5");
    EXPECT_EQ(print("diamond.base_value"), "11");  // of a virtual base class
    EXPECT_EQ(print("solver.id"), "77");
    EXPECT_EQ(print("mode == settings::Mode::Fast"), "1");
    EXPECT_EQ(fixture.print(run, "step_"), "40");  // of this
    EXPECT_EQ(fixture.print(run, "this->step_ + local"), "83");
    EXPECT_EQ(fixture.print(run, "data[1]"), "2.5");
}

TEST(Expressions, OfFortran) {
    const ValueFixture fixture(FIXTURE_F90_O0);
    const auto print = [&fixture](const char* text) { return fixture.print(kWork, text); };

    EXPECT_EQ(print("A(2,3)"), "23");  // names have no case
    EXPECT_EQ(print("a(1:2,2)"), "(12, 22)");
    EXPECT_EQ(print("a(2,:)"), "(21, 22, 23)");
    EXPECT_EQ(print("b(2,1)"), "31");
    EXPECT_EQ(print("c(-1)"), "4");
    EXPECT_EQ(print("c(-1:0)"), "(4, 2)");
    EXPECT_EQ(print("star(2)"), "8");
    EXPECT_EQ(print("star(1:3)"), "(8, 8, 8)");
    EXPECT_EQ(print("pp(2)"), "3");
    EXPECT_EQ(print("one + 1"), "4");  // a pointer stands for its target
    EXPECT_EQ(print("cc%temp(2)"), "2");
    EXPECT_EQ(print("cells(2)%id"), "4");
    EXPECT_EQ(print("cells(2)"), "( id = 4, temp = (1, 2, 3), tag = 'ab  ' )");
    EXPECT_EQ(print("words(2)"), "'it''s '");
    EXPECT_EQ(print("nsteps"), "7");
    EXPECT_EQ(print("params::nsteps"), "7");
    EXPECT_EQ(print("field(3,1)"), "9");
    EXPECT_EQ(print("FIELD"), "((1.5, 1.5) (1.5, 9))");
    EXPECT_EQ(print("common_x(1) * 2"), "5");
    EXPECT_EQ(print("n .eq. 2 .and. .not. n > 5"), "1");
    EXPECT_EQ(print("1.5d0 + n"), "3.5");
    EXPECT_EQ(print("a(3,1)"), "error: at column 3: the bounds are 1:2");
    EXPECT_EQ(print("a(1)"), "error: at column 2: the array has 2 dimensions, not 1");
    EXPECT_EQ(print("gone(1)"), "error: at column 5: not allocated");
    EXPECT_EQ(fixture.print("MAIN__", "nsteps"), "7");  // of a used module
}

}  // namespace
}  // namespace mqinspect::target
