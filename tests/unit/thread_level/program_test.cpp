#include <gmock/gmock.h>

#include "tests/unit/thread_level/assessed.h"

#include "thread_level/analysis/externals.h"
#include "thread_level/analysis/procedures.h"

namespace mqinspect::thread_level::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> findings(const std::string& text) {
    return Assessed(text).findings();
}

TEST(Requested, ByConstantsAndVariables) {
    const std::string use = " parallel { single { a: MPI_Send } } }";

    EXPECT_THAT(findings("main() { i: MPI_Init_thread(FUNNELED, tested)" + use),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(
        findings("level wanted = FUNNELED main() { i: MPI_Init_thread(wanted, tested)" + use),
        ElementsAre("warning thread-level a"));
    EXPECT_THAT(findings("global wanted main() { i: MPI_Init_thread(wanted, tested)" + use),
                IsEmpty());
    EXPECT_THAT(
        findings("init() { i: MPI_Init_thread($0, tested) } main() { call init(FUNNELED)" + use),
        ElementsAre("warning thread-level a"));
    const Assessed assessed("main() { MPI_Init_thread(SERIALIZED, tested)" + use);
    EXPECT_THAT(assessed.findings(), IsEmpty());
    EXPECT_THAT(assessed.all().requested, ElementsAre(Level::Serialized));
}

TEST(Requested, TheLeastOfSeveral) {
    const Assessed assessed(
        "main() { maybe { MPI_Init_thread(SERIALIZED, tested) } else { MPI_Init } parallel { "
        "single { a: "
        "MPI_Send } } }");

    EXPECT_THAT(assessed.complaints(), ElementsAre("warning thread-level a"));
    EXPECT_THAT(assessed.all().requested, ElementsAre(Level::Serialized, Level::Single));
}

TEST(Requested, MoreThanIsNeeded) {
    EXPECT_THAT(findings("main() { i: MPI_Init_thread(MULTIPLE, tested) MPI_Send }"),
                ElementsAre("note level-too-high i"));
    EXPECT_THAT(findings("main() { MPI_Init_thread(MULTIPLE, tested) MPI_Send call elsewhere() }"),
                IsEmpty());
}

TEST(Requested, FunneledIsNotTooMuchForTeams) {
    EXPECT_THAT(findings("main() { MPI_Init_thread(FUNNELED, tested) parallel { } MPI_Send }"),
                IsEmpty());
    EXPECT_THAT(findings("main() { i: MPI_Init_thread(SERIALIZED, tested) parallel { } MPI_Send }"),
                ElementsAre("note level-too-high i"));
}

TEST(Requested, ProvidedIsNeverTested) {
    EXPECT_THAT(
        findings("main() { i: MPI_Init_thread(FUNNELED) parallel { master { MPI_Send } } }"),
        ElementsAre("note provided-untested i"));
    EXPECT_THAT(
        findings("main() { MPI_Init_thread(FUNNELED, tested) parallel { master { MPI_Send } } }"),
        IsEmpty());
}

TEST(Requested, StrictSingle) {
    const char* const text = "main() { MPI_Init parallel { } MPI_Send }";
    Settings settings;

    EXPECT_THAT(Assessed(text).findings(), ElementsAre("note strict-single"));
    settings.strict_single = true;
    EXPECT_THAT(Assessed(text, settings).findings(), ElementsAre("warning strict-single"));
    EXPECT_THAT(Assessed("main() { MPI_Init MPI_Send }", settings).findings(), IsEmpty());
}

TEST(Start, InATeam) {
    EXPECT_THAT(
        Assessed("main() { parallel { i: MPI_Init_thread(MULTIPLE, tested) } }").complaints(),
        ElementsAre("error init-in-parallel i"));
    EXPECT_THAT(Assessed("main() { parallel { single { i: MPI_Init } } }").complaints(),
                ElementsAre("warning init-in-parallel i"));
    EXPECT_THAT(Assessed("main() { MPI_Init parallel { } }").complaints(), IsEmpty());
}

TEST(End, ByAnotherThread) {
    const std::string start = "main() { MPI_Init_thread(MULTIPLE, tested) ";

    EXPECT_THAT(Assessed(start + "parallel { single { z: MPI_Finalize } } }").complaints(),
                ElementsAre("warning finalize z"));
    EXPECT_THAT(Assessed(start + "parallel { master { MPI_Finalize } } }").complaints(), IsEmpty());
    EXPECT_THAT(Assessed(start + "parallel { z: MPI_Finalize } }").complaints(),
                ElementsAre("error finalize z"));
    EXPECT_THAT(
        Assessed(start + "parallel { a: MPI_Send master { z: MPI_Finalize } } }").complaints(),
        ElementsAre("error finalize a z"));
    EXPECT_THAT(
        Assessed(start + "parallel { MPI_Send barrier master { MPI_Finalize } } }").complaints(),
        IsEmpty());
}

TEST(Nesting, OneInOne) {
    EXPECT_THAT(
        findings("f() { single { } } main() { MPI_Init_thread(SERIALIZED, tested) parallel { "
                 "single { call f() } single { a: MPI_Send } } }"),
        ElementsAre("warning invalid-nesting"));
    EXPECT_THAT(
        findings("f() { single { } } main() { MPI_Init_thread(SERIALIZED, tested) parallel { call "
                 "f() single { a: MPI_Send } } }"),
        IsEmpty());
    EXPECT_THAT(findings("f() { parallel { tid0 { single { } } } }"),
                ElementsAre("warning invalid-nesting"));
    EXPECT_THAT(findings("f() { parallel { single { parallel { single { } } } } }"), IsEmpty());
    EXPECT_THAT(findings("f() { parallel { single { parallel(never) { single { } } } } }"),
                IsEmpty());
    EXPECT_THAT(findings("f() { tid0 { single { } barrier } }"), IsEmpty());
}

TEST(Nesting, BarriersForAllThreads) {
    EXPECT_THAT(findings("f() { parallel { master { barrier } } }"),
                ElementsAre("warning invalid-nesting"));
    EXPECT_THAT(findings("f() { barrier } g() { parallel { task { call f() } } }"),
                ElementsAre("warning invalid-nesting"));
    EXPECT_THAT(findings("f() { barrier } g() { parallel { call f() } call f() }"), IsEmpty());
}

TEST(Nesting, TheWayIsThatOfWhoComesThereInALoop) {
    const Assessed assessed(R"(
        total() { barrier }
        start() { call total() }
        project() {
            call start()
            for {
                call total()
            }
        }
        main() {
            MPI_Init_thread(SERIALIZED, tested)
            parallel {
                call start()
                call project()
            }
        })");

    const Diagnostic* found = assessed.find(Rule::InvalidNesting);
    ASSERT_NE(found, nullptr);
    EXPECT_THAT(remarks_of(*found),
                ElementsAre("7: 'total' is called from 'project' here",
                            "6: the worksharing loop begins here",
                            "14: 'project' is called from 'main' here",
                            "12: in the 'parallel' region that begins here"));
}

TEST(Checks, WhereTheRunTimeIsToLook) {
    const Assessed assessed(R"(
        created c1 created c2
        main() {
            MPI_Init_thread(SERIALIZED, tested)
            MPI_Barrier(comm=WORLD)
            parallel {
                single nowait { a: MPI_Reduce(comm=c1) }
                single { b: MPI_Reduce(comm=c2) }
                single { MPI_Reduce(comm=c2) }
            }
        })");

    EXPECT_EQ(assessed.all().checks.words.size(), 2U);
    EXPECT_EQ(assessed.all().checks.concurrent.size(), 2U);
    EXPECT_EQ(assessed.all().checks.concurrent[0].step, assessed.site("a").step);
}

TEST(Findings, AreSortedByPlace) {
    const Assessed assessed(
        "main() {\n MPI_Init\n parallel { single { a: MPI_Send } }\n parallel { b: "
        "MPI_Barrier(comm=WORLD) } }\n f() {\n parallel { single { c: MPI_Send } } }");

    EXPECT_THAT(
        assessed.complaints(),
        ElementsAre(
            "warning thread-level a", "error concurrent-collectives b", "warning thread-level c"));
}

TEST(Externals, LibrariesAreHarmless) {
    for (const char* symbol : {"printf",
                               "malloc",
                               "sqrtf",
                               "cosl",
                               "GOMP_barrier",
                               "omp_get_thread_num",
                               "_gfortran_st_write",
                               "_ZNSolsEi",
                               "_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_",
                               "_ZdlPvm",
                               "__cxa_throw",
                               "MPI_Send",
                               "mpi_send_",
                               "memcpy"})
        EXPECT_TRUE(is_harmless(symbol)) << symbol;
    for (const char* symbol :
         {"solve", "stream_init", "prin", "rintf_all", "_ZN5Solve3runEv", "exchange", "mpi_enter"})
        EXPECT_FALSE(is_harmless(symbol)) << symbol;
}

TEST(Procedures, OfEachUse) {
    EXPECT_EQ(procedure_of("MPI_Wtime").use, Use::Exempt);
    EXPECT_EQ(procedure_of("MPI_T_init_thread").use, Use::Exempt);
    EXPECT_EQ(procedure_of("MPI_Allreduce").use, Use::Collective);
    EXPECT_EQ(procedure_of("MPI_Allreduce_c").use, Use::Collective);
    EXPECT_TRUE(procedure_of("MPI_Iallreduce").is_nonblocking);
    EXPECT_FALSE(procedure_of("MPI_Intercomm_create").is_nonblocking);
    EXPECT_TRUE(procedure_of("MPI_Irecv").is_nonblocking);
    EXPECT_EQ(procedure_of("MPI_Comm_rank").use, Use::Other);
    EXPECT_EQ(procedure_of("MPI_").use, Use::Other);
    EXPECT_EQ(procedure_of("Send").use, Use::Other);
    EXPECT_EQ(procedure_of("MPI_Win_fence").use, Use::ObjectCollective);
}

}  // namespace
}  // namespace mqinspect::thread_level::test
