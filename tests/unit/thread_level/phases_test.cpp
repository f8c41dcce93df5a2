#include <gmock/gmock.h>

#include "tests/unit/thread_level/assessed.h"

namespace mqinspect::thread_level::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Phases, SingleWithNowaitBeforeAnother) {
    const std::string without =
        "parallel { single nowait { a: MPI_Reduce(comm=c1) } single { b: MPI_Reduce(comm=c2) } }";
    const std::string with =
        "parallel { single { a: MPI_Reduce(comm=c1) } single { b: MPI_Reduce(comm=c2) } }";

    EXPECT_THAT(complaints("SERIALIZED", without), ElementsAre("warning thread-level a b"));
    EXPECT_THAT(complaints("MULTIPLE", without), IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED", with), IsEmpty());
}

TEST(Phases, SectionsOfOneConstructLackNoBarrier) {
    const Assessed assessed(
        "main() { MPI_Init_thread(SERIALIZED, tested) parallel { sections nowait { section { a: "
        "MPI_Send } section { b: MPI_Recv } } } MPI_Finalize }");

    const Diagnostic* found = assessed.find(Rule::ThreadLevel);
    ASSERT_NE(found, nullptr);
    EXPECT_THAT(found->fix, HasSubstr("put a barrier or a critical section"));
}

TEST(Phases, MessageNamesPartnerRegionAndFix) {
    const Assessed assessed(R"(
        created c1 created c2
        main() {
            MPI_Init_thread(SERIALIZED, tested)
            parallel {
                single nowait {
                    a: MPI_Reduce(comm=c1)
                }
                single {
                    b: MPI_Bcast(comm=c2)
                }
            }
        })");

    const Diagnostic* found = assessed.find(Rule::ThreadLevel);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->message,
              "'MPI_Reduce' may run at the same time as another MPI call: that needs "
              "MPI_THREAD_MULTIPLE, but the program requests MPI_THREAD_SERIALIZED");
    EXPECT_THAT(found->fix, HasSubstr("remove 'nowait'"));
    EXPECT_THAT(remarks_of(*found),
                ElementsAre("10: at the same time as 'MPI_Bcast' here",
                            "6: no thread waits at the end of this 'single' construct",
                            "5: in the 'parallel' region that begins here",
                            "4: 'MPI_Init_thread' requests MPI_THREAD_SERIALIZED here"));
}

TEST(Phases, BarrierBetween) {
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { single nowait { MPI_Send } barrier single { MPI_Send } }"),
                IsEmpty());
}

TEST(Phases, BarrierOnOneBranchOnly) {
    EXPECT_THAT(
        complaints(
            "SERIALIZED",
            "parallel { single nowait { a: MPI_Send } maybe { barrier } single { b: MPI_Send } }"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { single nowait { MPI_Send } maybe { barrier } else { barrier } "
                   "single { MPI_Send } }"),
        IsEmpty());
}

TEST(Phases, SingleWithNowaitInALoopMeetsItself) {
    EXPECT_THAT(complaints("SERIALIZED", "parallel { loop { single nowait { a: MPI_Send } } }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("SERIALIZED", "parallel { loop { single { MPI_Send } } }"), IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { loop { single nowait { MPI_Send } barrier } }"),
        IsEmpty());
}

TEST(Phases, NextRoundOfALoop) {
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { loop { single { a: MPI_Send } single nowait { b: MPI_Recv } } }"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { loop { single nowait { MPI_Send } for { } single { MPI_Recv } } }"),
        IsEmpty());
}

TEST(Phases, WaysThatTheTeamTakesTogether) {
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { maybe { single nowait { MPI_Send } } else { single nowait { "
                           "MPI_Recv } } }"),
                IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { loop { maybe { single nowait { a: MPI_Send } } else { single "
                   "nowait { b: MPI_Recv } } } }"),
        ElementsAre("warning thread-level a b"));
}

TEST(Phases, MasterDoesNotMeetItself) {
    EXPECT_THAT(
        complaints("FUNNELED", "parallel { loop { master { MPI_Send } } master { MPI_Recv } }"),
        IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { master { a: MPI_Send } single { b: MPI_Recv } }"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { master { MPI_Send } barrier single { MPI_Recv } }"),
        IsEmpty());
}

TEST(Phases, SectionsMeetEachOther) {
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { sections { section { a: MPI_Send } section { b: MPI_Recv } } }"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { sections { section { MPI_Send MPI_Recv } section { } } }"),
                IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { loop { sections nowait { section { a: MPI_Send } } } }"),
                ElementsAre("warning thread-level a"));
}

TEST(Phases, EndOfALoopInTheRegion) {
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { for nowait { } single nowait { MPI_Send } for { } single { "
                           "MPI_Recv } }"),
                IsEmpty());
    // "parallel for": the barrier is the region's.
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { for nowait { } } MPI_Send parallel { for nowait { } } MPI_Recv"),
        IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED", "parallel { for { a: MPI_Send } }"),
                ElementsAre("warning thread-level a"));
}

TEST(Phases, RegionsFollowEachOther) {
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "loop { parallel { single nowait { MPI_Send } } parallel { single nowait { "
                   "MPI_Recv } } }"),
        IsEmpty());
}

TEST(Phases, InnerRegionsOfOneThread) {
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { single { parallel { single { MPI_Send } single { MPI_Recv } } } }"),
        IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { single nowait { parallel { single { a: MPI_Send } } } single { "
                   "b: MPI_Recv } }"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(
        complaints(
            "SERIALIZED",
            "parallel { single { parallel { single nowait { a: MPI_Send } single { b: MPI_Recv "
            "} } } }"),
        ElementsAre("warning thread-level a b"));
}

TEST(Phases, ManyBarriers) {
    std::string body = "parallel {";
    for (int i = 0; i < 200; ++i)
        body += " single { MPI_Send }";
    EXPECT_THAT(complaints("SERIALIZED", body + " }"), IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED", body + " single nowait { a: MPI_Send } single { b: MPI_Recv } }"),
        ElementsAre("warning thread-level a b"));
}

TEST(Phases, ScopeHasABarrierUnlessNowait) {
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { single nowait { MPI_Send } scope { } single { MPI_Recv } }"),
                IsEmpty());
    EXPECT_THAT(
        complaints(
            "SERIALIZED",
            "parallel { single nowait { a: MPI_Send } scope nowait { } single { b: MPI_Recv } }"),
        ElementsAre("warning thread-level a b"));
}

TEST(Phases, ExclusiveThreadsByNumber) {
    EXPECT_THAT(complaints("SERIALIZED", "parallel { tid(1) { MPI_Send } tid(1) { MPI_Recv } }"),
                IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { tid(1) { a: MPI_Send } tid(2) { b: MPI_Recv } }"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { tid(1) { MPI_Send } barrier tid(2) { MPI_Recv } }"),
        IsEmpty());
}

TEST(Phases, LoopsWithABarrierAreLeftTogether) {
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { loop { tid(0) { MPI_Send } barrier } tid(1) { MPI_Recv } }"),
                IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { loop { barrier tid(0) { a: MPI_Send } } tid(1) { b: MPI_Recv "
                   "} }"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { loop { tid(0) { a: MPI_Send } } tid(1) { b: MPI_Recv } "
                           "barrier }"),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { loop { single nowait { MPI_Send } for { } } master { "
                           "MPI_Recv } barrier }"),
                IsEmpty());
}

TEST(Phases, LoopsWithABarrierInAFunction) {
    const std::string rest =
        " main() { MPI_Init_thread(SERIALIZED, tested) parallel { loop { "
        "call turn() } tid(1) { b: MPI_Recv } } }";

    EXPECT_THAT(Assessed("turn() { tid(0) { MPI_Send } barrier }" + rest).complaints(), IsEmpty());
    EXPECT_THAT(Assessed("turn() { barrier tid(0) { a: MPI_Send } }" + rest).complaints(),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(Assessed("turn() { tid(0) { a: MPI_Send } maybe { barrier } }" + rest).complaints(),
                ElementsAre("warning thread-level a b"));
}

TEST(Phases, BarriersOfSomeThreadsOrdersNothing) {
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { tid(0) { a: MPI_Send barrier } tid(1) { b: MPI_Recv barrier "
                           "} }"),
                testing::Contains("warning thread-level a b"));
}

}  // namespace
}  // namespace mqinspect::thread_level::test
