#include <gmock/gmock.h>

#include "tests/unit/thread_level/assessed.h"

#include "thread_level/facts/join.h"

namespace mqinspect::thread_level::test {
namespace {

using testing::ElementsAre;

TEST(Ways, SayWhichCallTheyLeadTo) {
    const Assessed assessed(R"(
        first() { MPI_Reduce(comm=WORLD) }
        head() { master { call first() } }
        tail() { single { MPI_Bcast(comm=WORLD) } }
        main() {
            MPI_Init_thread(MULTIPLE, tested)
            parallel {
                call head()
                call tail()
            }
        })");

    const Diagnostic* found = assessed.find(Rule::ConcurrentCollectives);
    ASSERT_NE(found, nullptr);
    EXPECT_THAT(remarks_of(*found),
                ElementsAre("4: 'MPI_Bcast' is called from 'tail' here",
                            "9: 'tail' is called from 'main' here",
                            "3: 'first' is called from 'head' here",
                            "8: 'head' is called from 'main' here",
                            "7: in the 'parallel' region that begins here"));
}

TEST(Ways, OfACallThatMeetsItselfByTwo) {
    const Assessed assessed(R"(
        send() { MPI_Bcast(comm=WORLD) }
        head() { single nowait { call send() } }
        main() {
            MPI_Init_thread(MULTIPLE, tested)
            parallel {
                call head()
                single { call send() }
            }
        })");

    const Diagnostic* found = assessed.find(Rule::ConcurrentCollectives);
    ASSERT_NE(found, nullptr);
    EXPECT_THAT(remarks_of(*found),
                ElementsAre("8: in the other thread, 'send' is called from 'main' here",
                            "3: 'send' is called from 'head' here",
                            "7: 'head' is called from 'main' here",
                            "6: in the 'parallel' region that begins here"));
}

TEST(Ways, EndWhereAThreadStarts) {
    const Assessed assessed(R"(
        send() { MPI_Bcast(comm=WORLD) }
        work() { call send() }
        main() {
            MPI_Init_thread(MULTIPLE, tested)
            start work
            call send()
            join
        })");

    const Diagnostic* found = assessed.find(Rule::ConcurrentCollectives);
    ASSERT_NE(found, nullptr);
    EXPECT_THAT(remarks_of(*found),
                ElementsAre("7: in the other thread, 'send' is called from 'main' here",
                            "3: 'send' is called from 'work' here",
                            "6: a thread that runs 'work' is started here"));
}

/// Of a function that is called in order, and beside another call.
TEST(Ways, LeadToWhereACallMeetsAnother) {
    const Assessed assessed(R"(
        step() { MPI_Send(comm=WORLD) }
        work() {
            lock(l)
            call step()
            unlock(l)
            call step()
        }
        main() {
            MPI_Init_thread(SERIALIZED, tested)
            start work
            lock(l)
            MPI_Bcast(comm=WORLD)
            unlock(l)
            join
        })");

    const Diagnostic* found = assessed.find(Rule::ThreadLevel);
    ASSERT_NE(found, nullptr);
    EXPECT_THAT(remarks_of(*found),
                ElementsAre("13: at the same time as 'MPI_Bcast' here",
                            "7: 'step' is called from 'work' here",
                            "11: a thread that runs 'work' is started here",
                            "10: 'MPI_Init_thread' requests MPI_THREAD_SERIALIZED here"));
}

/// In the link step, too, where functions of one unit have its source in front.
TEST(Ways, LeaveTheLibraryOut) {
    const MiniProgram program = parse(R"(
        job() { MPI_Send(comm=WORLD) }
        static _ZSt8__invokeIRZ4mainEUlvE_E() { call job() }
        static _ZNSt8functionIFvvEE4callEv() { call _ZSt8__invokeIRZ4mainEUlvE_E() }
        work() { call _ZNSt8functionIFvvEE4callEv() }
        main() {
            MPI_Init_thread(FUNNELED, tested)
            parallel { call work() }
        })");

    for (const bool is_joined : {false, true}) {
        const Assessment assessment =
            assess(is_joined ? join({program.unit}) : program.unit, Settings());

        ASSERT_EQ(1U, assessment.diagnostics.size());
        EXPECT_THAT(remarks_of(assessment.diagnostics.front()),
                    ElementsAre("5: 'job' is called from 'work' here",
                                "8: 'work' is called from 'main' here",
                                "8: in the 'parallel' region that begins here",
                                "7: 'MPI_Init_thread' requests MPI_THREAD_FUNNELED here"));
    }
}

}  // namespace
}  // namespace mqinspect::thread_level::test
