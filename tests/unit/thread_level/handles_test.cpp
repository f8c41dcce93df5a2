#include <gmock/gmock.h>

#include "tests/unit/thread_level/assessed.h"

namespace mqinspect::thread_level::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string two(const std::string& first, const std::string& second) {
    return "parallel { single nowait { a: MPI_Reduce(comm=" + first +
           ") } single { b: MPI_Bcast(comm=" + second + ") } }";
}

TEST(Communicators, EqualOnesAreWrongAtEachLevel) {
    for (const char* level : {"FUNNELED", "SERIALIZED", "MULTIPLE"}) {
        EXPECT_THAT(complaints(level, two("WORLD", "WORLD")),
                    ElementsAre("error concurrent-collectives a b"));
        EXPECT_THAT(complaints(level, two("c1", "c1")),
                    ElementsAre("error concurrent-collectives a b"));
    }
    EXPECT_THAT(complaints("MULTIPLE", two("new.x", "new.x")),
                ElementsAre("error concurrent-collectives a b"));
}

TEST(Communicators, DifferentOnesNeedMultiple) {
    for (const auto& [first, second] :
         std::vector<std::pair<std::string, std::string>>{{"WORLD", "SELF"},
                                                          {"WORLD", "c1"},
                                                          {"c1", "c2"},
                                                          {"new.x", "new.y"},
                                                          {"new.x", "c1"}}) {
        EXPECT_THAT(complaints("SERIALIZED", two(first, second)),
                    ElementsAre("warning thread-level a b"));
        EXPECT_THAT(complaints("MULTIPLE", two(first, second)), IsEmpty());
    }
}

TEST(Communicators, UnknownOnesAreNoted) {
    const Assessed multiple("main() { MPI_Init_thread(MULTIPLE, tested) " + two("?", "WORLD") +
                            " }");
    EXPECT_THAT(multiple.complaints(), IsEmpty());
    EXPECT_TRUE(multiple.has(Rule::ConcurrentCollectives, Severity::Note));

    const Assessed serialized("main() { MPI_Init_thread(SERIALIZED, tested) " + two("?", "WORLD") +
                              " }");
    ASSERT_NE(serialized.find(Rule::ThreadLevel), nullptr);
    EXPECT_THAT(serialized.find(Rule::ThreadLevel)->message,
                HasSubstr("an error at every level if the communicators are equal"));
}

TEST(Communicators, AllThreadsOnOne) {
    EXPECT_THAT(complaints("MULTIPLE", "parallel { a: MPI_Barrier(comm=WORLD) }"),
                ElementsAre("error concurrent-collectives a"));
    EXPECT_THAT(complaints("MULTIPLE", "parallel { MPI_Barrier(comm=mine.c) }"), IsEmpty());
    EXPECT_THAT(complaints("MULTIPLE", "parallel { MPI_Barrier(comm=own.c) }"), IsEmpty());
    EXPECT_THAT(complaints("MULTIPLE", "parallel { single { MPI_Barrier(comm=WORLD) } }"),
                IsEmpty());
    EXPECT_THAT(complaints("MULTIPLE", "parallel { a: MPI_Ibarrier(comm=WORLD) }"),
                ElementsAre("error concurrent-collectives a"));
}

TEST(Communicators, AreSeenWithoutALevel) {
    EXPECT_THAT(Assessed("f() { " + two("WORLD", "WORLD") + " }").findings(),
                ElementsAre("error concurrent-collectives a b"));
    EXPECT_THAT(Assessed("created c1 created c2 f() { " + two("c1", "c2") + " }").findings(),
                IsEmpty());
}

TEST(Communicators, WrittenElsewhereAreUnknown) {
    MiniProgram program = parse("created c1 created c2 f() { " + two("c1", "c2") + " }");
    program.unit.variables[0].other_writes = 1;
    Settings settings;
    settings.requested = Level::Multiple;

    const Assessment assessment = assess(program.unit, settings);
    ASSERT_EQ(assessment.diagnostics.size(), 1U);
    EXPECT_EQ(assessment.diagnostics[0].severity, Severity::Note);
}

TEST(Communicators, FollowedThroughParameters) {
    const std::string f = "created c1 created c2 static f() { " + two("$0", "$1") + " } ";
    const std::string start = "main() { MPI_Init_thread(MULTIPLE, tested) ";

    EXPECT_THAT(Assessed(f + start + "call f(c1, c2) }").findings(), IsEmpty());
    EXPECT_THAT(Assessed(f + start + "call f(c1, c2) call f(c1, c1) }").complaints(),
                ElementsAre("error concurrent-collectives a b"));
    EXPECT_THAT(Assessed("created c1 created c2 g() { call f($0, c2) } static f() { " +
                         two("$0", "$1") + " } " + start + "call g(c1) }")
                    .findings(),
                IsEmpty());
    EXPECT_THAT(Assessed("static f() { " + two("$0", "$0") + " } " + start + "call f(WORLD) }")
                    .complaints(),
                ElementsAre("error concurrent-collectives a b"));
}

TEST(Communicators, FollowedIntoWhatAllThreadsCall) {
    const std::string f = "created c1 created c2 static f() { a: MPI_Allreduce(comm=$0) } ";
    const std::string start = "main() { MPI_Init_thread(MULTIPLE, tested) parallel { ";

    EXPECT_THAT(Assessed(f + start + "call f(WORLD) } }").complaints(),
                ElementsAre("error concurrent-collectives a"));
    EXPECT_THAT(Assessed(f + start + "call f(shared.c) } }").complaints(),
                ElementsAre("error concurrent-collectives a"));
    EXPECT_THAT(Assessed(f + start + "call f(mine.c) } }").findings(), IsEmpty());
    EXPECT_THAT(
        Assessed(f + start + "sections { section { call f(c1) } section { call f(c2) } } } }")
            .findings(),
        IsEmpty());
    EXPECT_THAT(
        Assessed(f + start + "sections { section { call f(c1) } section { call f(c1) } } } }")
            .complaints(),
        ElementsAre("error concurrent-collectives a"));
}

TEST(Communicators, InTurnButInAnyOrder) {
    const std::string body =
        "parallel { sections { section { critical { a: MPI_Bcast(comm=WORLD) } } section { "
        "critical { "
        "b: MPI_Reduce(comm=WORLD) } } } }";

    EXPECT_THAT(complaints("SERIALIZED", body), ElementsAre("warning collective-order a b"));
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { critical { MPI_Bcast(comm=WORLD) MPI_Reduce(comm=WORLD) } }"),
        IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { lock(l) MPI_Bcast(comm=WORLD) MPI_Reduce(comm=WORLD) unlock(l) }"),
        IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { critical { a: MPI_Bcast(comm=WORLD) } critical { b: "
                           "MPI_Reduce(comm=WORLD) } }"),
                ElementsAre("warning collective-order a b"));
    EXPECT_THAT(complaints("SERIALIZED", "parallel { for { ordered { MPI_Bcast(comm=WORLD) } } }"),
                IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { critical { MPI_Bcast(comm=c1) } critical { MPI_Reduce(comm=c2) } }"),
        IsEmpty());
}

TEST(Requests, OneForTwoThreads) {
    EXPECT_THAT(complaints("MULTIPLE", "parallel { a: MPI_Wait(object=r) }"),
                ElementsAre("error concurrent-request a"));
    EXPECT_THAT(complaints("MULTIPLE", "parallel { MPI_Wait(object=own.r) }"), IsEmpty());
    EXPECT_THAT(
        complaints("MULTIPLE", "parallel { MPI_Wait(object=mine.r) MPI_Wait(object=each.r) }"),
        IsEmpty());
    EXPECT_THAT(complaints("MULTIPLE", "parallel { single { MPI_Wait(object=r) } }"), IsEmpty());
    EXPECT_THAT(
        complaints("MULTIPLE",
                   "parallel { sections { section { a: MPI_Wait(object=shared.r) } section { b: "
                   "MPI_Test(object=shared.r) } } }"),
        ElementsAre("error concurrent-request a b"));
    EXPECT_THAT(complaints("MULTIPLE",
                           "parallel { sections { section { MPI_Wait(object=r) } section { "
                           "MPI_Test(object=s) } } }"),
                IsEmpty());
    EXPECT_THAT(complaints("MULTIPLE", "parallel { a: MPI_Isend(comm=WORLD, object=r) }"),
                ElementsAre("warning concurrent-request a"));
}

TEST(Requests, LocalsOfWhatAllThreadsCallAreTheirOwn) {
    EXPECT_THAT(
        Assessed("f() { MPI_Wait(object=shared.r) } main() { MPI_Init_thread(MULTIPLE, tested) "
                 "parallel { call f() } }")
            .findings(),
        IsEmpty());
}

TEST(Windows, OneForTwoThreads) {
    EXPECT_THAT(complaints("MULTIPLE", "parallel { a: MPI_Win_fence(object=w) }"),
                ElementsAre("error concurrent-request a"));
    EXPECT_THAT(complaints("MULTIPLE", "parallel { MPI_Put(object=w) }"), IsEmpty());
    EXPECT_THAT(
        complaints("MULTIPLE",
                   "parallel { for { MPI_Put(object=w) } single { MPI_Win_fence(object=w) } }"),
        IsEmpty());
    EXPECT_THAT(complaints("MULTIPLE",
                           "parallel { for nowait { a: MPI_Put(object=w) } single { b: "
                           "MPI_Win_fence(object=w) } }"),
                ElementsAre("warning concurrent-request a b"));
    EXPECT_THAT(complaints("MULTIPLE", "parallel { a: MPI_Win_lock(object=w, peer=1) }"),
                ElementsAre("error concurrent-request a"));
    EXPECT_THAT(complaints("MULTIPLE", "parallel { MPI_Win_lock(object=w, peer=?) }"), IsEmpty());
    EXPECT_THAT(complaints("MULTIPLE", "parallel { a: MPI_File_write_all(object=f) }"),
                ElementsAre("error concurrent-request a"));
    EXPECT_THAT(complaints("MULTIPLE", "parallel { MPI_File_write_at(object=f) }"), IsEmpty());
}

TEST(Messages, OfOneEnvelope) {
    const std::string start = "main() { MPI_Init_thread(MULTIPLE, tested) parallel { ";

    EXPECT_THAT(Assessed(start + "a: MPI_Send(comm=WORLD, peer=1, tag=3) } }").findings(),
                ElementsAre("note message-order a"));
    EXPECT_THAT(Assessed(start + "MPI_Send(comm=WORLD, peer=1, tag=?) } }").findings(), IsEmpty());
    EXPECT_THAT(Assessed(start + "single { MPI_Send(comm=WORLD, peer=1, tag=3) } } }").complaints(),
                IsEmpty());
    EXPECT_THAT(
        Assessed(start +
                 "a: MPI_Probe(comm=WORLD, peer=1, tag=3) b: MPI_Recv(comm=WORLD, peer=1, tag=3) "
                 "} }")
            .complaints(),
        ElementsAre("warning message-order a b"));
    EXPECT_THAT(
        Assessed(start +
                 "MPI_Mprobe(comm=WORLD, peer=1, tag=3) MPI_Mrecv(comm=WORLD, peer=1, tag=3) } }")
            .complaints(),
        IsEmpty());
}

TEST(Messages, ThreadsThatOnlyLookForThemTakeNoneAway) {
    const std::string start = "main() { MPI_Init_thread(MULTIPLE, tested) parallel { ";

    EXPECT_THAT(Assessed(start + "MPI_Iprobe(comm=WORLD, peer=1, tag=3) } }").findings(),
                IsEmpty());
    EXPECT_THAT(Assessed(start + "a: MPI_Iprobe(comm=WORLD, peer=1, tag=3) "
                                 "MPI_Recv(comm=WORLD, peer=?, tag=?) } }")
                    .complaints(),
                ElementsAre("warning message-order a"));
    EXPECT_THAT(Assessed(start + "MPI_Iprobe(comm=WORLD, peer=1, tag=3) "
                                 "MPI_Recv(comm=WORLD, peer=?, tag=4) } }")
                    .complaints(),
                IsEmpty());
}

TEST(Messages, OneCallIsReportedOnceHoweverManyReachIt) {
    const Assessed assessed(R"(
        f() { a: MPI_Probe(comm=WORLD, peer=1, tag=3) MPI_Recv(comm=WORLD, peer=?, tag=?) }
        g() { call f() maybe { call f() } }
        h() { call g() maybe { call f() } }
        main() {
            MPI_Init_thread(MULTIPLE, tested)
            parallel { call g() call h() }
        })");

    EXPECT_THAT(assessed.complaints(), ElementsAre("warning message-order a"));
    const Diagnostic* found = assessed.find(Rule::MessageOrder);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(
        found->message,
        "'MPI_Probe' may run at the same time as itself, in another thread, and each may find "
        "the message that the other one is about to receive");
}

}  // namespace
}  // namespace mqinspect::thread_level::test
