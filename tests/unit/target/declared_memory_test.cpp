#include "inspector/target/declared_memory.h"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mqinspect::target {
namespace {

using model::DeclaredElement;

std::string text_of(const model::DeclaredBuffer& buffer) {
    std::string text = buffer.type + ":";
    for (const DeclaredElement& element : buffer.elements) {
        const char* kinds[] = {"i", "f", "p"};
        text += fmt::format(
            " {}{}@{}", kinds[static_cast<int>(element.kind)], element.size, element.offset);
    }
    if (buffer.period > 0) text += fmt::format(" every {}", buffer.period);
    if (buffer.start > 0) text += fmt::format(" from {}", buffer.start);
    if (buffer.described) text += fmt::format(" for {}", *buffer.described);
    if (buffer.room) text += fmt::format(" in {}", *buffer.room);
    return text;
}

/// What the argument is in a call of a function; "?": nothing is known.
class Function {
public:
    Function(const char* file, const char* function) {
        auto image = Image::open(file, file);
        EXPECT_TRUE(image);
        image_ = std::move(*image);
        const auto symbol = image_->find_symbol(function);
        EXPECT_TRUE(symbol) << function;
        if (symbol) address_ = symbol->address + symbol->size / 2;
    }

    bool on_stack(const char* argument) const {
        const auto buffer = declared_memory(*image_, address_, argument);
        return buffer && buffer->on_stack;
    }

    std::string operator()(const char* argument) const {
        const auto buffer = declared_memory(*image_, address_, argument);
        return buffer ? text_of(*buffer) : "?";
    }

private:
    std::unique_ptr<Image> image_;
    std::uint64_t address_ = 0;
};

TEST(DeclaredMemory, OfVariablesInC) {
    for (const char* file : {FIXTURE_C_O0, FIXTURE_C_O2}) {
        const Function show(file, "show");
        EXPECT_EQ(show("&large"), "long unsigned int: i8@0 every 8 in 8");
        EXPECT_EQ(show("(void *)&single"), "float: f4@0 every 4 in 4");
        EXPECT_EQ(show("&wide"), "long double: f16@0 every 16 in 16");
        EXPECT_EQ(show("&z"), "complex double: f8@0 f8@8 every 16 in 16");
        EXPECT_EQ(show("&colour"), "Colour: i4@0 every 4 in 4");
        EXPECT_EQ(show("&letter"), "char: every 1 in 1");
        EXPECT_EQ(show("&nothing"), "void *: p8@0 every 8 in 8");
        EXPECT_EQ(show("numbers"), "int *: i4@0 every 4");
        EXPECT_EQ(show("&global_counter"), "int: i4@0 every 4 in 4");
        EXPECT_EQ(show("file_static"), "double [4]: f8@0 every 8 in 32");
    }
}

TEST(DeclaredMemory, OfArraysInC) {
    const Function show(FIXTURE_C_O0, "show");
    EXPECT_EQ(show("zeros"), "int [50]: i4@0 every 4 in 200");
    EXPECT_EQ(show("&zeros"), "int [50]: i4@0 every 4 in 200");
    EXPECT_EQ(show("&zeros[48]"), "int: i4@0 every 4 in 8");
    EXPECT_EQ(show("zeros + 48"), "int: i4@0 every 4 in 8");
    EXPECT_EQ(show("&zeros[at(n, 2)]"), "int: i4@0 every 4 in 200");
    EXPECT_EQ(show("zeros + n"), "int: i4@0 every 4 in 200");
    EXPECT_EQ(show("zeros - n"), "int: i4@0 every 4");
    EXPECT_EQ(show("matrix"), "int [2][3]: i4@0 every 4 in 24");
    EXPECT_EQ(show("matrix[1]"), "int [3]: i4@0 every 4 in 12");
    EXPECT_EQ(show("&matrix[1][2]"), "int: i4@0 every 4 in 4");
    EXPECT_EQ(show("*matrix"), "int [3]: i4@0 every 4 in 24");
    EXPECT_EQ(show("rows[1]"), "int [3]: i4@0 every 4 in 12");
    EXPECT_EQ(show("&vla[2]"), "int: i4@0 every 4");
    EXPECT_EQ(show("all"), "void *[41]: p8@0 every 8 in 328");
}

TEST(DeclaredMemory, OfStructuresInC) {
    const Function show(FIXTURE_C_O0, "show");
    EXPECT_EQ(show("&global_point"), "Point: i4@0 f8@8 every 16 in 16");
    EXPECT_EQ(show("&global_point.y"), "double: i4@0 f8@8 every 16 from 8 in 8");
    EXPECT_EQ(show("&outer->corners[1].y"),
              "double: i4@16 f8@24 i4@32 f8@40 i2@52 p8@64 p8@72 every 80 from 40");
    EXPECT_EQ(show("&outer->corners[n].y"), "double: i4@0 f8@8 every 16 from 8 for 8");
    EXPECT_EQ(show("outer->name"), "char [16]: i4@16 f8@24 i4@32 f8@40 i2@52 p8@64 p8@72 every 80");
    EXPECT_EQ(show("&(*outer).as_float"),
              "float: i4@16 f8@24 i4@32 f8@40 i2@52 p8@64 p8@72 every 80 from 48");
    EXPECT_EQ(show("first.next"), "Node *: i4@0 p8@8 every 16");
    EXPECT_EQ(show("&bits.colour"), "?");
}

TEST(DeclaredMemory, OnTheStack) {
    const Function show(FIXTURE_C_O0, "show");
    for (const char* argument : {"&large", "zeros + n", "matrix[1]", "&first.value"})
        EXPECT_TRUE(show.on_stack(argument)) << argument;
    for (const char* argument : {"numbers", "file_static", "&calls", "outer->name", "first.next"})
        EXPECT_FALSE(show.on_stack(argument)) << argument;
    const Function in_main(FIXTURE_CPP_O0, "main");
    EXPECT_FALSE(in_main.on_stack("&reference"));
    EXPECT_FALSE(in_main.on_stack("data.data()"));
    EXPECT_TRUE(in_main.on_stack("&number"));
}

TEST(DeclaredMemory, OfWhatSaysNothingIsNotKnown) {
    const Function show(FIXTURE_C_O0, "show");
    for (const char* argument : {"nothing",
                                 "large",
                                 "MPI_BOTTOM",
                                 "0",
                                 "get(1)",
                                 "n ? &n : 0",
                                 "&no_such_name",
                                 "zeros +",
                                 "",
                                 "(double *)numbers",
                                 "&*nothing"})
        EXPECT_EQ(show(argument), "?") << argument;
    // Meant as something else, but no longer for that.
    EXPECT_EQ(show("(double *)zeros"), "int: in 200");
    EXPECT_EQ(show("(char *)zeros"), "int: i4@0 every 4 in 200");
}

TEST(DeclaredMemory, OfContainersAndMembersInCpp) {
    const Function run(FIXTURE_CPP_O0,
                       "_ZN6SolverIiE3runERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERSt"
                       "6vectorIdSaIdEE");
    EXPECT_EQ(run("data.data()"), "double: f8@0 every 8");
    EXPECT_EQ(run("&data[0]"), "double: f8@0 every 8");
    EXPECT_EQ(run("data.data() + n"), "?");
    EXPECT_EQ(run("&local"), "int: i4@0 every 4 in 4");
    EXPECT_EQ(run("static_cast<void *>(&local)"), "int: i4@0 every 4 in 4");
    EXPECT_EQ(run("reinterpret_cast<float *>(&local)"), "int: in 4");
    // The pointer to the virtual functions comes first.
    EXPECT_EQ(run("&step_"), "int: p8@0 i4@8 i4@12 i4@16 every 24 from 16");
    EXPECT_EQ(run("&this->base_value"), "int: p8@0 i4@8 i4@12 i4@16 every 24 from 12");
    EXPECT_EQ(run("&settings::level"), "int: i4@0 every 4 in 4");
    const Function in_main(FIXTURE_CPP_O0, "main");
    EXPECT_EQ(in_main("&reference"), "int: i4@0 every 4");
    EXPECT_EQ(in_main("&none"),
              "vector<int, std::allocator<int> >: p8@0 p8@8 p8@16 every 24 in 24");
    EXPECT_EQ(in_main("names.data()"),
              "basic_string<char, std::char_traits<char>, std::allocator<char> >: p8@0 i8@8 every "
              "32");
}

TEST(DeclaredMemory, OfFortran) {
    const Function work(FIXTURE_F90_O0, "__params_MOD_work");
    EXPECT_EQ(work("a"), "real(kind=8): f8@0 every 8");
    EXPECT_EQ(work("B(2, :)"), "real(kind=8): f8@0 every 8");
    EXPECT_EQ(work("star"), "integer(kind=4): i4@0 every 4");
    EXPECT_EQ(work("pp(i)"), "integer(kind=4): i4@0 every 4");
    EXPECT_EQ(work("one"), "integer(kind=4): i4@0 every 4");
    EXPECT_EQ(work("z"), "complex(kind=8): f8@0 f8@8 every 16");
    EXPECT_EQ(work("flag"), "logical(kind=4): i4@0 every 4");
    EXPECT_EQ(work("common_x"), "real(kind=4), dimension(2): f4@0 every 4");
    EXPECT_EQ(work("cells(1)%temp"),
              "real(kind=4), dimension(3): i4@0 f4@4 f4@8 f4@12 every 20 from 4 in 36");
    EXPECT_EQ(work("cc%temp(2)"), "real(kind=4): i4@0 f4@4 f4@8 f4@12 every 20 from 8 in 12");
    EXPECT_EQ(work("field"), "real(kind=8): f8@0 every 8");
    EXPECT_EQ(work("name"), "?");
    EXPECT_EQ(work("size(a)"), "?");
}

TEST(DeclaredMemory, OfFortranHasRoomWhereItIsAVariablesOwn) {
    const Function work(FIXTURE_F90_O0, "__params_MOD_work");
    EXPECT_EQ(work("c"), "real(kind=8), dimension(-1:2): f8@0 every 8 in 32");
    EXPECT_EQ(work("c(-1)"), "real(kind=8): f8@0 every 8 in 32");
    EXPECT_EQ(work("c(1)"), "real(kind=8): f8@0 every 8 in 16");
    EXPECT_EQ(work("c(1:)"), "?");
    EXPECT_EQ(work("c(0:1)"), "real(kind=8): f8@0 every 8 in 24");
    EXPECT_EQ(work("c(n)"), "real(kind=8): f8@0 every 8 in 32");
    EXPECT_EQ(work("tt"), "integer(kind=4), dimension(4): i4@0 every 4 in 16");
    EXPECT_EQ(work("words(2)"), "character(len=5): every 5 in 5");
    EXPECT_EQ(work("nsteps"), "integer(kind=4): i4@0 every 4 in 4");
    // Of dummies, automatic arrays, what is allocated and COMMON it is not known.
    for (const char* argument : {"n", "a", "loc", "pp", "gone", "common_i", "common_x(1)"})
        EXPECT_THAT(work(argument), testing::Not(testing::HasSubstr(" in "))) << argument;
}

TEST(DeclaredMemory, OfAProgramWithoutDebugInformationIsNotKnown) {
    auto image = Image::open("/proc/self/exe", "self");
    ASSERT_TRUE(image);
    EXPECT_FALSE(declared_memory(**image, 1, "anything"));
}

}  // namespace
}  // namespace mqinspect::target
