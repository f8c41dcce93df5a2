#include "trace_io/recording.h"

#include <csignal>
#include <fstream>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/record_writer.h"
#include "tests/support/recorded_folder.h"

#include "trace_io/run_end.h"

namespace mqinspect {
namespace {

using model::DefinitionKind;
using model::Direction;
using model::EventKind;
using model::ParameterKind;
using model::Termination;
using testing::all_calls;
using ::testing::ElementsAre;
using testing::Fields;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Numbers;
using testing::RecordedFolder;
using testing::RecordWriter;

constexpr std::uint64_t kWorld = 0xfeed'0000'0000'0001ULL;

struct RecordedRun {
    RecordedFolder folder;
    std::unique_ptr<model::Recording> recording;

    void open() {
        auto opened = trace_io::open_recording(folder.path().string());
        ASSERT_TRUE(opened) << opened.error().message;
        recording = std::move(*opened);
    }
    const model::Execution& execution() const { return recording->execution(); }
};

std::int64_t define_receive(RecordWriter& writer) {
    return writer.define_procedure("MPI_Recv",
                                   {{"buf", ParameterKind::Buffer},
                                    {"count", ParameterKind::Count},
                                    {"datatype", ParameterKind::Datatype},
                                    {"source", ParameterKind::Rank},
                                    {"tag", ParameterKind::Tag},
                                    {"comm", ParameterKind::Communicator},
                                    {"status", ParameterKind::Status, Direction::Out}});
}

TEST(Recording, ShowsCallsWithWhatTheyWereGivenAndGaveBack) {
    RecordedRun run;
    RecordWriter writer("h.1.1", 5000);
    writer.define_usual(0, 1, kWorld);
    const auto receive = define_receive(writer);
    writer.enter(0, receive, 1, 100, {0x1000, 4, 0, -2, -1, 0});
    writer.leave(0, 250, {0, Numbers{0, 7, 0, 16, 0}});
    writer.enter(0, receive, 1, 300, {0x1000, 4, 0, 0, 8, 0});
    writer.save(run.folder.path());

    run.open();
    const auto calls = all_calls(*run.recording, 0);

    ASSERT_EQ(calls.size(), 2U);
    EXPECT_EQ(calls[0].procedure, "MPI_Recv");
    EXPECT_THAT(calls[0].before, ElementsAre(0x1000, 4, 0, model::kAnySource, model::kAnyTag, 0));
    EXPECT_THAT(calls[0].after, ElementsAre(0, 0, 0, 0, 0, 0, 0, 7, 0, 16, 0));
    EXPECT_EQ(calls[0].call.event, 0U);
    EXPECT_EQ(calls[0].call.leave_event, 1U);
    EXPECT_EQ(calls[0].call.enter_ns, 100);
    EXPECT_EQ(calls[0].call.leave_ns, 250);
    EXPECT_EQ(calls[1].call.leave_event, std::nullopt);
    EXPECT_THAT(calls[1].before, ElementsAre(0x1000, 4, 0, 0, 8, 0));
    EXPECT_TRUE(calls[1].after.empty());
    EXPECT_THAT(run.execution().problems, ElementsAre());
}

TEST(Recording, OrdersTheCallsOfThreadsByTheTimeOfEntry) {
    RecordedRun run;
    RecordWriter writer("h.1.1", 5000);
    writer.define_usual(0, 1, kWorld);
    const auto test = writer.define_procedure("MPI_Test", {});
    writer.enter(1, test, 1, 100, {});
    for (std::uint64_t ticks = 110; ticks < 200; ticks += 20) {
        writer.enter(0, test, 2, ticks, {});
        writer.leave(0, ticks + 10, {0});
    }
    writer.leave(1, 300, {0});
    writer.enter(1, test, 1, 310, {});
    writer.leave(1, 320, {0});
    writer.save(run.folder.path());

    run.open();
    std::vector<std::pair<int, std::int64_t>> seen;
    for (const auto& kept : all_calls(*run.recording, 0))
        seen.emplace_back(kept.call.thread, kept.call.enter_ns);

    using P = std::pair<int, std::int64_t>;
    EXPECT_THAT(
        seen,
        ElementsAre(P(1, 100), P(0, 110), P(0, 130), P(0, 150), P(0, 170), P(0, 190), P(1, 310)));
}

TEST(Recording, ShowsACallBeforeThoseOfItsCallbacks) {
    RecordedRun run;
    RecordWriter writer("h.1.1", 5000);
    writer.define_usual(0, 1, kWorld);
    const auto reduce = writer.define_procedure("MPI_Reduce", {{"root", ParameterKind::Rank}});
    const auto size = writer.define_procedure(
        "MPI_Type_size",
        {{"datatype", ParameterKind::Datatype}, {"size", ParameterKind::Integer, Direction::Out}});
    writer.enter(0, reduce, 1, 100, {3});
    writer.enter(0, size, 2, 110, {0});
    writer.leave(0, 120, {0, 4});
    writer.end_block(0);
    writer.enter(0, size, 2, 130, {0});
    writer.leave(0, 140, {0, 8});
    writer.leave(0, 150, {0});
    writer.save(run.folder.path());

    run.open();
    const auto calls = all_calls(*run.recording, 0);

    ASSERT_EQ(calls.size(), 3U);
    EXPECT_EQ(calls[0].procedure, "MPI_Reduce");
    EXPECT_THAT(calls[0].before, ElementsAre(3));
    EXPECT_EQ(calls[0].call.leave_event, 5U);
    EXPECT_EQ(calls[0].call.leave_ns, 150);
    EXPECT_THAT(calls[1].after, ElementsAre(0, 4));
    EXPECT_THAT(calls[2].after, ElementsAre(0, 8));
    EXPECT_THAT(run.execution().problems, ElementsAre());
}

// The ring of a limited recording: the first block that is left goes on inside a call.
TEST(Recording, WhoseBeginningIsLostLeavesOutTheCallThatBeganThere) {
    RecordedRun run;
    RecordWriter writer("h.1.1", 5000);
    writer.define_usual(0, 1, kWorld);
    const auto receive = define_receive(writer);
    writer.enter(0, receive, 1, 100, {0x1000, 4, 0, 0, 7, 0});
    writer.end_block(0);
    writer.leave(0, 200, {0, Numbers{0, 7, 0, 16, 0}});
    writer.enter(0, receive, 1, 300, {0x2000, 4, 0, 0, 7, 0});
    writer.leave(0, 400, {0, Numbers{0, 7, 0, 16, 0}});
    writer.save(run.folder.path());
    auto log = run.folder.read("h.1.1.mqlog");
    // The first of the blocks is one that was never begun, and one was lost.
    std::fill_n(log.begin() + model::kBlockBytes, sizeof(model::BlockHeader), std::uint8_t{0});
    log[offsetof(model::FileHeader, lost_blocks)] = 1;
    run.folder.write("h.1.1.mqlog", log);

    run.open();
    const auto calls = all_calls(*run.recording, 0);

    ASSERT_EQ(calls.size(), 1U);
    EXPECT_EQ(calls[0].before[0], 0x2000);
    EXPECT_EQ(calls[0].call.event, 2U);
    EXPECT_TRUE(run.execution().processes[0].incomplete);
    EXPECT_THAT(run.execution().problems, ElementsAre(HasSubstr("given up for newer ones")));
}

TEST(Recording, TellsHowEachProcessEnded) {
    RecordedRun run;
    struct Case {
        const char* name;
        Termination::Kind kind;
        std::int64_t code;
    };
    const Case cases[] = {{"finalized", Termination::Kind::Finalized, 0},
                          {"exited", Termination::Kind::Exited, 3},
                          {"crashed", Termination::Kind::Crashed, SIGSEGV},
                          {"survived", Termination::Kind::Killed, 0},
                          {"aborted", Termination::Kind::Aborted, 9},
                          {"killed", Termination::Kind::Killed, SIGTERM}};
    for (int rank = 0; rank < 6; ++rank) {
        RecordWriter writer("h.1." + std::to_string(rank), 5000);
        writer.define_usual(rank, 6, kWorld);
        const auto finalize = writer.define_procedure("MPI_Finalize", {});
        const auto signal = [&](int number, int code) {
            writer.event(0,
                         EventKind::Signal,
                         150,
                         Fields().number(number).number(code).number(0xdead).number(2));
        };
        if (rank == 0) {
            writer.enter(0, finalize, 1, 100, {});
            writer.leave(0, 200, {0});
            writer.event(0, EventKind::Exit, 300, Fields().number(0));
        }
        if (rank == 1) writer.event(0, EventKind::Exit, 100, Fields().number(3));
        if (rank == 2) signal(SIGSEGV, SEGV_MAPERR);
        if (rank == 3) {
            signal(SIGSEGV, SEGV_MAPERR);
            writer.enter(0, finalize, 1, 200, {});
        }
        if (rank == 4) writer.event(0, EventKind::Abort, 100, Fields().number(9));
        if (rank == 5) signal(SIGTERM, SI_USER);
        writer.save(run.folder.path());
    }

    run.open();

    for (std::size_t rank = 0; rank < 6; ++rank) {
        const Termination& end = run.execution().processes[rank].termination;
        EXPECT_EQ(end.kind, cases[rank].kind) << cases[rank].name;
        EXPECT_EQ(end.code, cases[rank].code) << cases[rank].name;
    }
    const Termination& crash = run.execution().processes[2].termination;
    EXPECT_EQ(crash.address, 0xdeadU);
    ASSERT_TRUE(crash.stack);
    EXPECT_EQ(run.execution().stacks[crash.stack->index()].front().offset, 0x2000U);
}

TEST(Recording, TellsWhenTheCommandEnded) {
    RecordedRun run;
    for (int rank = 0; rank < 2; ++rank) {
        RecordWriter writer("h.1." + std::to_string(rank), rank == 0 ? 5100 : 5000);
        writer.define_usual(rank, 2, kWorld);
        writer.save(run.folder.path());
    }
    const std::string folder = run.folder.path().string();
    run.open();
    EXPECT_EQ(run.execution().end_ns, std::nullopt);

    ASSERT_TRUE(trace_io::write_run_end(folder, 5000 + 70));
    run.open();
    EXPECT_EQ(run.execution().end_ns, 70);

    // Of another run, or damaged.
    ASSERT_TRUE(trace_io::write_run_end(folder, 4999));
    run.open();
    EXPECT_EQ(run.execution().end_ns, std::nullopt);
    std::ofstream(folder + "/run.mqend") << "mqinspect-run-end 1 12x";
    std::ofstream(folder + "/run.mqend") << "mqinspect-run-end 99999999999999999999 1";
    run.open();
    EXPECT_EQ(run.execution().end_ns, std::nullopt);
}

TEST(Recording, FunctionsOfScriptsAreImagesOfTheirOwn) {
    RecordedRun run;
    for (int rank = 0; rank < 2; ++rank) {
        RecordWriter writer("h.1." + std::to_string(rank), 5000);
        writer.define_usual(rank, 2, kWorld);
        const auto define = [&writer](std::int64_t id, const char* function) {
            writer.define(
                DefinitionKind::Image,
                Fields().number(id).text("/app.py").text("").number(0).number(0).text(function));
        };
        // Ids differ between the processes.
        define(1 + rank, "solve");
        define(2 - rank, "main");
        writer.define(
            DefinitionKind::Stack,
            Fields().number(7).length(2).number(2 + rank).number(12).number(3 - rank).number(30));
        writer.event(0, EventKind::Exit, 100, Fields().number(3).number(7));
        writer.save(run.folder.path());
    }

    run.open();

    const model::Execution& execution = run.execution();
    const auto& first = execution.processes[0].termination.stack;
    ASSERT_TRUE(first);
    EXPECT_EQ(first, execution.processes[1].termination.stack);
    const auto& stack = execution.stacks[first->index()];
    ASSERT_EQ(stack.size(), 2U);
    for (const auto& [at, function, line] :
         {std::tuple{0U, "solve", 12U}, std::tuple{1U, "main", 30U}}) {
        const auto& image = execution.images[static_cast<std::size_t>(stack[at].image)];
        EXPECT_EQ(image.path, "/app.py");
        EXPECT_EQ(image.script_function, function);
        EXPECT_EQ(stack[at].offset, line);
    }
}

TEST(Recording, HasTheEventsWithTheirTexts) {
    RecordedRun run;
    RecordWriter writer("h.1.1", 5000);
    writer.define_usual(0, 1, kWorld);
    const auto send = writer.define_procedure("MPI_Send", {});
    writer.enter(0, send, 1, 100, {});
    writer.event(0, EventKind::MpiError, 110, Fields().number(5).number(6).text("Invalid rank"));
    writer.leave(0, 120, {5});
    writer.event(0, static_cast<EventKind>(99), 130, Fields().number(1));
    writer.save(run.folder.path());

    run.open();

    ASSERT_EQ(run.execution().events.size(), 1U);
    const model::RecordedEvent& event = run.execution().events[0];
    EXPECT_EQ(event.kind, EventKind::MpiError);
    EXPECT_EQ(event.event, 0U);
    EXPECT_EQ(event.time_ns, 110);
    EXPECT_THAT(event.numbers, ElementsAre(5, 6));
    EXPECT_EQ(event.text, "Invalid rank");
    const auto calls = all_calls(*run.recording, 0);
    ASSERT_EQ(calls.size(), 1U);
    EXPECT_EQ(calls[0].call.error_code, 5);
}

TEST(Recording, OfANestThatNeverEndsNeedsNoMoreMemoryThanALimit) {
    RecordedRun run;
    RecordWriter writer("h.1.1", 5000);
    writer.define_usual(0, 1, kWorld);
    const auto outer = writer.define_procedure("MPI_Recv", {});
    const auto inner = writer.define_procedure("MPI_Iprobe", {});
    writer.enter(0, outer, 1, 10, {});
    constexpr int calls = 70000;
    for (std::uint64_t i = 0; i < calls; ++i) {
        writer.enter(0, inner, 2, 20 + 2 * i, {});
        writer.leave(0, 21 + 2 * i, {0});
    }
    writer.leave(0, 1'000'000, {0});
    writer.save(run.folder.path());

    run.open();
    const auto seen = all_calls(*run.recording, 0);

    ASSERT_EQ(seen.size(), calls + 1U);
    EXPECT_EQ(seen[0].procedure, "MPI_Recv");
    EXPECT_EQ(seen[0].call.leave_event, std::nullopt);
    for (std::size_t i = 1; i < seen.size(); ++i)
        ASSERT_EQ(seen[i].call.event, 2 * i - 1);
    EXPECT_THAT(run.execution().problems, ElementsAre());
}

TEST(Recording, KeepsAFewOfChangesThatAreAlike) {
    RecordedRun run;
    RecordWriter writer("h.1.1", 5000);
    writer.define_usual(0, 1, kWorld);
    const auto receive = define_receive(writer);
    const auto changed = [&](int address, int stack, std::uint64_t ticks) {
        writer.event(0,
                     EventKind::Overwritten,
                     ticks,
                     Fields().number(-1).number(address).number(4).number(stack).number(0));
    };
    constexpr std::uint64_t rounds = 1000;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const std::uint64_t ticks = 100 * (round + 1);
        changed(0x1000, -1, ticks);
        changed(round == 500 ? 0x3000 : 0x2000, -1, ticks);
        if (round % 100 == 0) changed(0x1000, 1, ticks);
        writer.enter(0, receive, 1, ticks + 10, {0x1000, 4, 0, -2, -1, 0});
        writer.leave(0, ticks + 20, {0, Numbers{0, 7, 0, 16, 0}});
    }
    writer.save(run.folder.path());

    run.open();

    // Between the first call and nothing, and between two calls, by address; those whose place is
    // known one by one.
    const auto& events = run.execution().events;
    EXPECT_EQ(events.size(), 2 * (1 + 8) + 1 + rounds / 100);
    std::uint64_t times = 0;
    for (const auto& event : events)
        times += event.count;
    EXPECT_EQ(times, 2 * rounds + rounds / 100);
    EXPECT_THAT(run.execution().problems, IsEmpty());
}

}  // namespace
}  // namespace mqinspect
