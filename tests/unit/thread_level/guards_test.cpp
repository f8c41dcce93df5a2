#include <gmock/gmock.h>

#include "tests/unit/thread_level/assessed.h"

namespace mqinspect::thread_level::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Guards, ThreadZeroIsTheMaster) {
    EXPECT_THAT(complaints("FUNNELED", "parallel { tid0 { MPI_Send } }"), IsEmpty());
    EXPECT_THAT(complaints("FUNNELED", "parallel { tid(1) { a: MPI_Send } }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("SERIALIZED", "parallel { tid(1) { MPI_Send } }"), IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED", "parallel { other_tids { a: MPI_Send } }"),
                ElementsAre("warning thread-level a"));
}

TEST(Guards, ZeroAndTheOthersMeet) {
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { tid0 { a: MPI_Send } other_tids { b: MPI_Recv } }"),
        ElementsAre("warning thread-level a b"));
}

TEST(Guards, MainThread) {
    EXPECT_THAT(complaints("FUNNELED", "parallel { main_thread { MPI_Send } }"), IsEmpty());
    EXPECT_THAT(complaints("FUNNELED", "parallel { parallel { main_thread { MPI_Send } } }"),
                IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED", "parallel { not_main_thread { a: MPI_Send } }"),
                ElementsAre("warning thread-level a"));
}

TEST(Guards, MainThreadInEachRoundOfALoop) {
    const std::string functions = "f() { main_thread { MPI_Send } } g() { a: MPI_Send } ";
    const std::string start = "main() { MPI_Init_thread(FUNNELED, tested) parallel { loop { ";
    EXPECT_THAT(Assessed(functions + start + "call f() } } }").complaints(), IsEmpty());
    EXPECT_THAT(Assessed(functions + start + "call g() } } }").complaints(),
                ElementsAre("warning thread-level a"));
}

TEST(Guards, OutsideOfAllRegions) {
    EXPECT_THAT(complaints("SINGLE", "tid0 { MPI_Send } not_in_parallel { MPI_Send }"), IsEmpty());
    const Assessed assessed("main() { tid(1) { a: MPI_Send } in_parallel { b: MPI_Send } }");
    EXPECT_EQ(assessed.states("a"), "");
    EXPECT_EQ(assessed.states("b"), "");
}

TEST(Guards, OrphanedGuardsAreJudgedWhereTheyAreCalled) {
    const Assessed assessed(R"(
        f() { tid0 { a: MPI_Send } not_in_parallel { b: MPI_Send } }
        main() { MPI_Init_thread(FUNNELED, tested) call f() parallel { call f() } })");

    EXPECT_EQ(assessed.states("a"), "03");
    EXPECT_EQ(assessed.states("b"), "0");
    EXPECT_THAT(assessed.complaints(), IsEmpty());
}

TEST(Guards, WrappersOfTheThreadNumber) {
    const std::string body =
        " main() { MPI_Init_thread(FUNNELED, tested) parallel { tid0 by my_id { a: MPI_Send } } }";

    EXPECT_THAT(Assessed("returns tid my_id() { }" + body).complaints(), IsEmpty());
    EXPECT_THAT(Assessed("my_id() { }" + body).complaints(), ElementsAre("warning thread-level a"));
    EXPECT_THAT(Assessed("returns size my_id() { }" + body).complaints(),
                ElementsAre("warning thread-level a"));
}

TEST(Guards, WrapperThatIsNotThereGivesANote) {
    const Assessed assessed(
        "main() { MPI_Init_thread(FUNNELED, tested) parallel { tid0 by my_id { a: MPI_Send } } }");

    EXPECT_THAT(assessed.complaints(), IsEmpty());
    EXPECT_TRUE(assessed.has(Rule::ThreadLevel, Severity::Note));
    EXPECT_TRUE(assessed.site("a").perhaps);
}

TEST(Guards, LevelThatIsFoundToBeProvided) {
    EXPECT_THAT(complaints("FUNNELED", "provided(MULTIPLE) { parallel { MPI_Send } }"), IsEmpty());
    EXPECT_THAT(complaints("FUNNELED", "provided(SERIALIZED) { parallel { a: MPI_Send } }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("FUNNELED", "provided(SERIALIZED) { parallel { single { MPI_Send } } }"),
                IsEmpty());
}

TEST(Guards, LevelThatTheCallerFoundToBeProvided) {
    const std::string program = "f() { parallel { a: MPI_Send } }";
    Settings settings;
    settings.whole_program = true;

    EXPECT_THAT(
        Assessed(program +
                     "main() { MPI_Init_thread(FUNNELED, tested) provided(MULTIPLE) { call f() } }",
                 settings)
            .complaints(),
        IsEmpty());
    EXPECT_THAT(
        Assessed(program + "main() { MPI_Init_thread(FUNNELED, tested) call f() }", settings)
            .complaints(),
        ElementsAre("warning thread-level a"));
}

TEST(Guards, OneOfThoseThatAreCounted) {
    EXPECT_THAT(complaints("SERIALIZED", "parallel { drew(0) { MPI_Send MPI_Recv } }"), IsEmpty());
    EXPECT_THAT(complaints("FUNNELED", "parallel { drew(0) { a: MPI_Send } }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("SERIALIZED", "parallel { drew(0) { a: MPI_Send } b: MPI_Recv }"),
                testing::Contains("warning thread-level a b"));
    EXPECT_THAT(complaints("SERIALIZED", "parallel { loop { drew(-1) { a: MPI_Send } } }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("SERIALIZED", "parallel { loop { drew(-1) { MPI_Send } barrier } }"),
                IsEmpty());
}

TEST(Guards, OneOfTheThreadsThatAreCounted) {
    const std::string start =
        " main() { MPI_Init_thread(SERIALIZED, tested) loop { start f } "
        "loop { join } }";

    EXPECT_THAT(Assessed("f() { drew(0) { MPI_Send } }" + start).complaints(), IsEmpty());
    EXPECT_THAT(Assessed("f() { drew(-1) { MPI_Send } }" + start).complaints(), IsEmpty());
    EXPECT_THAT(Assessed("f() { loop { drew(-1) { a: MPI_Send } } }" + start).complaints(),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(
        Assessed("g() { drew(-1) { a: MPI_Send } } f() { loop { call g() } }" + start).complaints(),
        ElementsAre("warning thread-level a"));
}

}  // namespace
}  // namespace mqinspect::thread_level::test
