#include <gmock/gmock.h>

#include "tests/unit/thread_level/assessed.h"

#include "thread_level/analysis/wording.h"

namespace mqinspect::thread_level::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Words, StatesOfTheAutomaton) {
    const Assessed assessed(R"(
        main() {
            s0: MPI_Send
            parallel {
                s1: MPI_Send
                single {
                    s2: MPI_Send
                    parallel {
                        s4: MPI_Send
                        single { s42: MPI_Send }
                        master { s42m: MPI_Send }
                        parallel { s45: MPI_Send }
                    }
                }
                master {
                    s3: MPI_Send
                    parallel { s31: MPI_Send }
                }
                parallel {
                    s5: MPI_Send
                    single { s6: MPI_Send parallel { s65: MPI_Send } }
                    master { s6m: MPI_Send }
                    parallel { s55: MPI_Send }
                }
            }
        })");

    EXPECT_EQ(assessed.states("s0"), "0");
    EXPECT_EQ(assessed.states("s1"), "1");
    EXPECT_EQ(assessed.states("s2"), "2");
    EXPECT_EQ(assessed.states("s3"), "3");
    EXPECT_EQ(assessed.states("s4"), "4");
    EXPECT_EQ(assessed.states("s5"), "5");
    EXPECT_EQ(assessed.states("s6"), "6");
    EXPECT_EQ(assessed.states("s42"), "2");
    EXPECT_EQ(assessed.states("s42m"), "2");
    EXPECT_EQ(assessed.states("s45"), "5");
    EXPECT_EQ(assessed.states("s31"), "1");
    EXPECT_EQ(assessed.states("s65"), "5");
    EXPECT_EQ(assessed.states("s6m"), "6");
    EXPECT_EQ(assessed.states("s55"), "5");
}

TEST(Words, AreWrittenFromTheStartOfTheFunction) {
    const Assessed assessed(
        "main() { parallel { single { a: MPI_Send } master { b: MPI_Send } } c: MPI_Send }");

    EXPECT_EQ(assessed.site("a").word, "P1 S2");
    EXPECT_EQ(assessed.site("b").word, "P1 M3");
    EXPECT_EQ(assessed.site("c").word, "");
}

TEST(Words, LevelsOfTheirLanguages) {
    const Assessed assessed(R"(
        main() {
            single_: MPI_Send
            parallel { master { funneled: MPI_Send } }
            parallel { single { serialized: MPI_Send } }
            parallel { multiple: MPI_Send }
        })");

    EXPECT_EQ(assessed.level("single_"), "SINGLE");
    EXPECT_EQ(assessed.level("funneled"), "FUNNELED");
    EXPECT_EQ(assessed.level("serialized"), "SERIALIZED");
    EXPECT_EQ(assessed.level("multiple"), "MULTIPLE");
    EXPECT_EQ(assessed.all().required, Level::Multiple);
}

TEST(Words, EachLevelIsCheckedAgainstWhatIsRequested) {
    const std::string funneled = "parallel { master { a: MPI_Send } }";
    const std::string serialized = "parallel { single { a: MPI_Send } }";
    const std::string multiple = "parallel { a: MPI_Send }";

    EXPECT_THAT(complaints("SINGLE", "MPI_Send"), IsEmpty());
    EXPECT_THAT(complaints("SINGLE", funneled), ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("FUNNELED", funneled), IsEmpty());
    EXPECT_THAT(complaints("FUNNELED", serialized), ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("SERIALIZED", serialized), IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED", multiple), ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("MULTIPLE", multiple), IsEmpty());
}

TEST(Words, RegionsWithoutATeamAreTransparent) {
    EXPECT_THAT(complaints("SINGLE", "parallel(never) { MPI_Send }"), IsEmpty());
    EXPECT_THAT(complaints("SINGLE", "parallel(perhaps) { a: MPI_Send }"),
                ElementsAre("warning thread-level a"));
}

TEST(Words, ConstructsWithoutATeamDoNothing) {
    EXPECT_THAT(
        complaints("SINGLE",
                   "single { MPI_Send } master { MPI_Send } for { MPI_Send } task { MPI_Send } "
                   "sections { section { MPI_Send } section { MPI_Send } }"),
        IsEmpty());
}

TEST(Words, OneWarningForOneRegion) {
    EXPECT_THAT(
        complaints("FUNNELED", "parallel { single { a: MPI_Send b: MPI_Recv c: MPI_Barrier } }"),
        ElementsAre("warning thread-level a b c"));
}

TEST(Words, MasterOfATeamThatIsNotTheMainThreads) {
    EXPECT_THAT(
        complaints("FUNNELED", "parallel { single { parallel { master { a: MPI_Send } } } }"),
        ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("FUNNELED", "parallel { master { parallel { master { MPI_Send } } } }"),
                IsEmpty());
}

TEST(Words, OneOfEachInnerTeamIsSeveral) {
    const std::string body = "parallel { parallel { single { a: MPI_Send } } }";

    EXPECT_THAT(complaints("SERIALIZED", body), ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("MULTIPLE", body), IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { parallel { single { critical(x) { MPI_Send } } } }"),
        IsEmpty());
}

TEST(Words, ExemptProceduresMayBeCalledByAll) {
    EXPECT_THAT(complaints("SINGLE",
                           "parallel { MPI_Wtime MPI_Initialized MPI_Finalized MPI_Query_thread "
                           "MPI_Is_thread_main MPI_Get_version MPI_T_pvar_start MPI_Info_create }"),
                IsEmpty());
}

TEST(Words, NothingIsSaidOfLevelsThatAreNotKnown) {
    EXPECT_THAT(Assessed("f() { parallel { MPI_Send } }").findings(), IsEmpty());
    Settings settings;
    settings.requested = Level::Funneled;
    EXPECT_THAT(Assessed("f() { parallel { a: MPI_Send } }", settings).findings(),
                ElementsAre("warning thread-level a"));
}

TEST(Words, EntryStatesAreSettings) {
    Settings settings;
    settings.requested = Level::Serialized;
    const char* const text = "f() { a: MPI_Send single { b: MPI_Send } }";

    EXPECT_THAT(Assessed(text, settings).findings(), IsEmpty());
    settings.entry_states = 1U << static_cast<unsigned>(State::Team);
    const Assessed assessed(text, settings);
    EXPECT_EQ(assessed.level("a"), "MULTIPLE");
    settings.entry_states = 1U << static_cast<unsigned>(State::OneThread);
    EXPECT_EQ(Assessed(text, settings).level("a"), "SERIALIZED");
    settings.entry_states = 1U << static_cast<unsigned>(State::NestedTeam);
    EXPECT_EQ(Assessed(text, settings).level("b"), "MULTIPLE");
}

TEST(Words, TeamsOfOneThread) {
    EXPECT_THAT(complaints("SINGLE", "parallel { one_thread { MPI_Send } }"), IsEmpty());
    EXPECT_THAT(complaints("SINGLE", "parallel { not_in_parallel { MPI_Send } }"), IsEmpty());
    EXPECT_THAT(complaints("SINGLE", "parallel { several_threads { a: MPI_Send } }"),
                ElementsAre("warning thread-level a"));
}

TEST(Words, TeamsOfOneThreadInATeam) {
    const std::string one = "parallel { parallel(never) { ";

    EXPECT_THAT(complaints("SERIALIZED", one + "tid0 { a: MPI_Send } } }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("SERIALIZED", one + "master { a: MPI_Send } } }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("SERIALIZED", one + "single { a: MPI_Send } } }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { tid(0) { a: MPI_Send } parallel(never) { barrier } tid(1) "
                           "{ b: MPI_Recv } }"),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(complaints("SERIALIZED", "parallel { critical { parallel(never) { MPI_Send } } }"),
                IsEmpty());
    EXPECT_THAT(complaints("FUNNELED", "parallel { master { parallel(never) { MPI_Send } } }"),
                IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED", "parallel { single { parallel(never) { MPI_Send } } }"),
                IsEmpty());
    EXPECT_THAT(complaints("SINGLE", "parallel(never) { tid0 { MPI_Send } single { MPI_Recv } }"),
                IsEmpty());
}

TEST(Words, FunctionsInTeamsOfOneThread) {
    const std::string tell = "tell() { tid0 { a: MPI_Send } } ";
    const std::string start = "main() { MPI_Init_thread(SERIALIZED, tested) parallel { ";

    EXPECT_THAT(Assessed(tell + start + "parallel(never) { call tell() } } }").complaints(),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(
        Assessed(tell + start + "critical { parallel(never) { call tell() } } } }").complaints(),
        IsEmpty());
    EXPECT_THAT(Assessed(tell + start + "call tell() } }").complaints(), IsEmpty());
}

TEST(Words, VariablesAreNamedAsInTheSource) {
    EXPECT_EQ("lock", readable_variable("lock@12"));
    EXPECT_EQ("lock.inner", readable_variable("lock.inner"));
    EXPECT_EQ("mutex()::lock", readable_variable("_ZZ5mutexvE4lock"));
    EXPECT_EQ("Library::instance()::library.mutex_",
              readable_variable("a.cpp:_ZZN7Library8instanceEvE7library.mutex_"));
    EXPECT_EQ("mutex()", readable_variable("_Z5mutexv()"));
    EXPECT_EQ("_Z", readable_variable("_Z"));
}

}  // namespace
}  // namespace mqinspect::thread_level::test
