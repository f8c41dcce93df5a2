#include "thread_level/notes/notes.h"

#include <gtest/gtest.h>

#include "tests/unit/thread_level_facts/unit_builder.h"
#include "tests/unit/thread_level_notes/random_unit.h"

#include "thread_level/facts/print.h"
#include "thread_level/notes/reduction.h"

namespace mqinspect::thread_level {
namespace {

Unit through_notes(const Unit& unit) {
    Decoded decoded = decode(encode(unit));
    EXPECT_EQ("", decoded.error);
    EXPECT_EQ(1U, decoded.units.size());
    return decoded.units.empty() ? Unit{} : std::move(decoded.units.front());
}

TEST(Notes, CarryAllOfAUnit) {
    const Unit unit = rich_unit();

    EXPECT_EQ(print(notes::reduce(unit)), print(through_notes(unit)));
}

TEST(Notes, CarryRandomUnits) {
    for (std::uint32_t seed = 1; seed <= 500; ++seed) {
        const Unit unit = random_unit(seed);
        ASSERT_EQ(print(notes::reduce(unit)), print(through_notes(unit))) << "seed " << seed;
    }
}

TEST(Notes, OfNothingAreEmpty) {
    EXPECT_TRUE(decode("").units.empty());
    EXPECT_EQ("", decode("").error);
    EXPECT_TRUE(through_notes(Unit{}).functions.empty());
}

TEST(Notes, FollowEachOtherAsTheLinkerPutsThem) {
    const std::string section = std::string(3, '\0') + encode(rich_unit("a.c")) +
                                encode(rich_unit("b.c")) + std::string(7, '\0') +
                                encode(rich_unit("c.c"));

    const Decoded decoded = decode(section);

    ASSERT_EQ(3U, decoded.units.size());
    EXPECT_EQ("", decoded.error);
    EXPECT_EQ("c.c", decoded.units[2].strings[decoded.units[2].source]);
}

TEST(Notes, NumbersOfAllSizesSurvive) {
    UnitBuilder builder;
    builder.function("main").place.line = 0xffff'ffff;
    const StepId send = builder.step(StepKind::Mpi, 0, "MPI_Send");
    MpiArguments& mpi = builder.current().steps[send].mpi;
    mpi.tag = UnitBuilder::constant(std::numeric_limits<std::int64_t>::min());
    mpi.peer = UnitBuilder::constant(std::numeric_limits<std::int64_t>::max());
    builder.current().steps[send].place = {.file = builder.string("b.h"), .line = 1, .column = 77};
    builder.exit();
    Variable& variable = builder.variable("v");
    variable.creations = variable.other_writes = 0xffff'ffff;

    EXPECT_EQ(print(builder.unit), print(through_notes(builder.unit)));
}

TEST(Notes, NamesOfMangledSymbolsAreLeftToTheReader) {
    UnitBuilder builder;
    builder.function("_ZN6Solver3runEv").name = builder.string("void Solver::run()");
    builder.step(StepKind::Mpi, 0, "MPI_Send");
    builder.exit();
    builder.function("solve_").name = builder.string("solve");
    builder.step(StepKind::Mpi, 0, "MPI_Send");
    builder.exit();

    const Unit unit = through_notes(builder.unit);

    EXPECT_EQ("_ZN6Solver3runEv", unit.strings[unit.functions[0].name]);
    EXPECT_EQ("solve", unit.strings[unit.functions[1].name]);
}

TEST(Notes, AreSmallForManyCallsOfFewFunctions) {
    UnitBuilder builder;
    builder.function("work");
    for (int call = 0; call < 1000; ++call)
        builder.step(StepKind::Call, 0, "exchange_" + std::to_string(call % 5));
    builder.exit();

    EXPECT_LT(encode(builder.unit).size(), 120U);
}

TEST(Notes, ManyAlikeStringsStayWithinWhatDecodingAllows) {
    UnitBuilder builder;
    builder.function("main");
    const std::string prefix(3000, 'x');
    for (int call = 0; call < 500; ++call)
        builder.step(StepKind::Call, 0, prefix + std::to_string(call));
    builder.exit();

    EXPECT_EQ(501U, through_notes(builder.unit).functions[0].steps.size());
}

}  // namespace
}  // namespace mqinspect::thread_level
