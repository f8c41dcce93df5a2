#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/local/check_local.h"
#include "tests/support/execution_builder.h"
#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Lifecycle, CallsBelongBetweenMpiInitAndMpiFinalize) {
    EXPECT_THAT(check(1, R"(
        0: MPI_Barrier() @a.c:1
        0: MPI_Init()
        0: MPI_Barrier()
        0: MPI_Finalize() @a.c:3
        0: MPI_Barrier() @a.c:4
        0: MPI_Wtime()
    )"),
                ElementsAre("error call outside MPI 0: MPI_Barrier a.c:1",
                            "error call outside MPI 0: MPI_Barrier a.c:4, MPI_Finalize a.c:3"));
}

TEST(Lifecycle, MpiBeginsAndEndsOnce) {
    EXPECT_THAT(check(1, R"(
        0: MPI_Init() @a.c:1
        0: MPI_Init() @a.c:2
        0: MPI_Finalize() @a.c:3
        0: MPI_Finalize() @a.c:4
        0: MPI_Init() @a.c:5
    )"),
                ElementsAre("error call outside MPI 0: MPI_Init a.c:2, MPI_Init a.c:1",
                            "error call outside MPI 0: MPI_Finalize a.c:4, MPI_Finalize a.c:3",
                            "error call outside MPI 0: MPI_Init a.c:5, MPI_Finalize a.c:3"));
    EXPECT_THAT(check(1, "0: MPI_Finalize() @a.c:1"),
                ElementsAre("error call outside MPI 0: MPI_Finalize a.c:1"));
}

TEST(Lifecycle, SessionsComeAndGo) {
    EXPECT_THAT(check(1, R"(
        0: MPI_Session_init()
        0: MPI_Session_finalize()
        0: MPI_Session_init()
        0: MPI_Barrier()
        0: MPI_Init()
        0: MPI_Session_finalize()
        0: MPI_Barrier()
        0: MPI_Finalize() @a.c:1
        0: MPI_Barrier() @a.c:2
    )"),
                ElementsAre("error call outside MPI 0: MPI_Barrier a.c:2, MPI_Finalize a.c:1"));
}

TEST(Lifecycle, ARecordWithoutItsBeginningIsNotJudged) {
    EXPECT_THAT(check(1, "0: incomplete\n0: MPI_Barrier()\n0: MPI_Finalize()"), IsEmpty());
}

/// Findings of a process whose MPI provides this level; calls overlap from the first to the
/// last where `together`.
std::vector<std::string> check_level(const std::string& level,
                                     const std::string& statements,
                                     bool together) {
    struct Overlapping : model::CallStream {
        std::unique_ptr<model::CallStream> calls;
        bool together = false;
        bool next(model::RecordedCall& call) override {
            if (!calls->next(call)) return false;
            if (together && call.thread > 0) call.leave_ns = 1'000'000;
            return true;
        }
    };
    struct Levelled : model::Recording {
        std::unique_ptr<model::Recording> recording;
        model::Execution changed;
        bool together = false;
        const model::Execution& execution() const override { return changed; }
        std::unique_ptr<model::CallStream> calls(model::ProcessId process) const override {
            auto stream = std::make_unique<Overlapping>();
            stream->calls = recording->calls(process);
            stream->together = together;
            return stream;
        }
    };
    Levelled levelled;
    levelled.recording = mqinspect::test::recording_of(
        1, "0: MPI_Init() @f.c:1\n" + statements + "\n0: MPI_Finalize() @f.c:99");
    levelled.changed = levelled.recording->execution();
    levelled.changed.processes[0].thread_provided = level;
    levelled.together = together;
    Findings findings;
    check_local(levelled, {}, findings);
    std::vector<std::string> result;
    for (const Finding& finding : findings.findings)
        result.push_back(summary(levelled.changed, finding));
    return result;
}

TEST(Lifecycle, OnlyTheMainThreadCallsWhereThreadsAreFunneled) {
    const std::string calls = "0/1: MPI_Barrier() @a.c:1";
    for (const char* level : {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED"})
        EXPECT_THAT(check_level(level, calls, false),
                    ElementsAre("error thread level 0: MPI_Barrier a.c:1"));
    for (const char* level : {"MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE", ""})
        EXPECT_THAT(check_level(level, calls, false), IsEmpty());
}

TEST(Lifecycle, SerializedThreadsTakeTurns) {
    const std::string calls = R"(
        0/1: MPI_Send(dest=0) @a.c:1
        0: MPI_Send(dest=0) @a.c:2
    )";
    EXPECT_THAT(check_level("MPI_THREAD_SERIALIZED", calls, false), IsEmpty());
    EXPECT_THAT(check_level("MPI_THREAD_SERIALIZED", calls, true),
                ElementsAre("error thread level 0: MPI_Send a.c:2, MPI_Send a.c:1",
                            "error thread level 0: MPI_Finalize f.c:99, MPI_Send a.c:1"));
    EXPECT_THAT(check_level("MPI_THREAD_MULTIPLE", calls, true),
                ElementsAre("error thread level 0: MPI_Finalize f.c:99, MPI_Send a.c:1"));
}

TEST(Lifecycle, ARequestIsCompletedByOneThread) {
    const std::string calls = R"(
        0: MPI_Irecv(source=0, tag=1, request=r) @a.c:1
        0/1: MPI_Waitall(array_of_requests=[r]) @a.c:2
        0: MPI_Wait(request=r) @a.c:3
    )";
    EXPECT_THAT(check_level("MPI_THREAD_MULTIPLE", calls, true),
                Contains("error thread level 0: MPI_Wait a.c:3, MPI_Waitall a.c:2"));
}

TEST(Lifecycle, ThreadsDoNotShareACommunicatorForCollectives) {
    const std::string calls = R"(
        0/1: MPI_Barrier() @a.c:1
        0: MPI_Barrier() @a.c:2
    )";
    EXPECT_THAT(check_level("MPI_THREAD_MULTIPLE", calls, true),
                ElementsAre("error thread level 0: MPI_Barrier a.c:2, MPI_Barrier a.c:1",
                            "error thread level 0: MPI_Finalize f.c:99, MPI_Barrier a.c:1"));
    EXPECT_THAT(check_level("MPI_THREAD_MULTIPLE", calls, false), IsEmpty());
}

TEST(Lifecycle, TheThreadOfMpiInitCallsMpiFinalize) {
    EXPECT_THAT(check(1, "0: MPI_Init()\n0/1: MPI_Finalize() @a.c:1"),
                ElementsAre("error thread level 0: MPI_Finalize a.c:1"));
}

}  // namespace
}  // namespace mqinspect::analysis::test
