#include <gmock/gmock.h>

#include "tests/unit/thread_level/assessed.h"

#include "thread_level/facts/join.h"

namespace mqinspect::thread_level::test {
namespace {

using testing::ElementsAre;

std::vector<std::string> remarks_of(const Diagnostic& diagnostic) {
    std::vector<std::string> remarks;
    for (const Remark& remark : diagnostic.remarks)
        remarks.push_back(std::to_string(remark.place.line) + ": " + remark.message);
    return remarks;
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
