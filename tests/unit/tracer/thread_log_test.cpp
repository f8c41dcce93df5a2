// What the recorder writes, as the reader reads it.
#include "tracer/log/thread_log.h"

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/execution.h"
#include "tests/support/child_process.h"

#include "trace_io/recording.h"
#include "tracer/log/definitions.h"

namespace mqinspect::tracer {
namespace {

using model::Direction;
using model::ParameterKind;

constexpr Parameter kParameters[] = {
    {"count", ParameterKind::Count, Direction::In},
    {"array_of_indices", ParameterKind::IntegerList, Direction::In},
    {"flag", ParameterKind::Flag, Direction::Out}};
constexpr Procedure kProcedure = {"MPI_Testsome", kParameters, 3, 2, 2, 2, 0, 0, 0};

/// A recording with one process, in files of its own.
class Recorded {
public:
    explicit Recorded(std::size_t limit_bytes = 0) {
        model::FileHeader header;
        header.pid = 42;
        header.start_ns = 1;
        header.tick_shift = tracer::kTickShift;
        header.magic = model::kDefinitionsMagic;
        EXPECT_EQ(0, definitions.create((folder.path() / "a.2a.1.mqdef").c_str(), header));
        header.magic = model::kLogMagic;
        EXPECT_EQ(0, file.create((folder.path() / "a.2a.1.mqlog").c_str(), header, limit_bytes));
        Definition(definitions, model::DefinitionKind::Clock).bits(ticks_now()).bits(1);
        Definition(definitions, model::DefinitionKind::Process)
            .text("host")
            .text("/bin/a")
            .length(0)
            .text("MPI")
            .text("test");
        Definition(definitions, model::DefinitionKind::World)
            .number(0)
            .number(1)
            .number(1)
            .number(0)
            .number(0);
        Definition(definitions, model::DefinitionKind::Thread).number(0).number(42).number(1);
        Definition(definitions, model::DefinitionKind::Stack).number(0).length(0);
        site.procedure = &kProcedure;
        site.procedure_id = procedure_id_here();
        site.before_enter = enter;
        site.before_leave = leave;
        enter[1] = static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(&last));
    }

    /// Each file has ids of its own, the recorder one file in its life.
    std::uint32_t procedure_id_here() {
        Definition definition(definitions, model::DefinitionKind::Procedure);
        definition.number(0).text(kProcedure.name).length(3);
        for (const Parameter& parameter : kParameters)
            definition.text(parameter.name)
                .number(static_cast<std::int64_t>(parameter.kind))
                .number(static_cast<std::int64_t>(parameter.direction));
        return 0;
    }

    void call(std::int64_t count, std::vector<std::int64_t> indices, std::int64_t flag) {
        List list{indices.size(), indices.data()};
        const std::int64_t before[] = {
            count, static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(&list))};
        EXPECT_TRUE(log.enter(site, ticks_now(), before));
        const std::int64_t after[] = {0, flag};
        EXPECT_TRUE(log.leave(ticks_now(), after));
    }

    /// The same with values that are written as they are worked out.
    void call_as(std::int64_t count, const std::vector<std::int64_t>& indices, std::int64_t flag) {
        ASSERT_TRUE(log.has_room_for(2 + indices.size()));
        EXPECT_TRUE(log.enter_as<2>(site, ticks_now(), 0, [&](auto& out) {
            out.number(count);
            out.list(indices.size(),
                     [&](std::size_t i, std::int64_t* index) { *index = indices[i]; });
        }));
        ASSERT_TRUE(log.has_room_for(2));
        EXPECT_TRUE(log.leave_as<2>(ticks_now(), [&](auto& out) {
            out.number(0);
            out.number(flag);
        }));
    }

    struct Call {
        std::int64_t count;
        std::vector<std::int64_t> indices;
        std::int64_t flag;
        bool returned;
    };
    std::vector<Call> read() {
        log.close();
        definitions.close();
        file.close();
        auto recording = trace_io::open_recording(folder.path().string());
        EXPECT_TRUE(recording) << recording.error().message;
        if (!recording) return {};
        problems = (*recording)->execution().problems;
        incomplete = (*recording)->execution().processes.at(0).incomplete;
        const auto stream = (*recording)->calls(model::ProcessId(0));
        std::vector<Call> calls;
        for (model::RecordedCall call; stream->next(call);) {
            Call kept{call.before[0].number,
                      {call.before[1].list.begin(), call.before[1].list.end()},
                      0,
                      call.leave_event.has_value()};
            if (kept.returned) kept.flag = call.after[2].number;
            calls.push_back(std::move(kept));
        }
        return calls;
    }

    testing::TemporaryDirectory folder;
    DefinitionsFile definitions;
    LogFile file;
    ThreadLog log{file, 0};
    Site site;
    LastList last;
    std::int64_t enter[2] = {};
    std::int64_t leave[2] = {};
    std::vector<std::string> problems;
    bool incomplete = false;
};

TEST(ThreadLog, ValuesAndListsComeBack) {
    Recorded recorded;
    recorded.call(3, {5, -7, INT64_MAX}, 1);
    recorded.call(3, {5, -7, INT64_MAX}, 1);
    recorded.call(-1, {}, 0);
    recorded.call(INT64_MIN, {INT64_MIN, INT64_MAX}, 2);

    const auto calls = recorded.read();

    EXPECT_TRUE(recorded.problems.empty());
    ASSERT_EQ(4U, calls.size());
    EXPECT_EQ((std::vector<std::int64_t>{5, -7, INT64_MAX}), calls[1].indices);
    EXPECT_EQ(1, calls[1].flag);
    EXPECT_EQ(-1, calls[2].count);
    EXPECT_TRUE(calls[2].indices.empty());
    EXPECT_EQ(INT64_MIN, calls[3].count);
    EXPECT_EQ((std::vector<std::int64_t>{INT64_MIN, INT64_MAX}), calls[3].indices);
}

/// Both ways share what the site remembers of the call before, from block to block.
TEST(ThreadLog, ValuesAreTheSameHoweverTheyAreWritten) {
    Recorded recorded;
    constexpr std::int64_t calls_made = 6000;
    const auto indices_of = [](std::int64_t i) {
        // Lists that are repeated, that are too long to be remembered, and that are empty.
        std::vector<std::int64_t> indices(static_cast<std::size_t>(i / 3 % 40), i / 9);
        if (!indices.empty()) indices.back() = -i / 2;
        return indices;
    };
    for (std::int64_t i = 0; i < calls_made; ++i) {
        if (i % 5 == 0) {
            recorded.call(i / 7, indices_of(i), i % 2);
        } else {
            recorded.call_as(i / 7, indices_of(i), i % 2);
        }
    }
    EXPECT_GT(recorded.log.blocks(), 2U);

    const auto calls = recorded.read();

    EXPECT_TRUE(recorded.problems.empty());
    ASSERT_EQ(static_cast<std::size_t>(calls_made), calls.size());
    for (std::int64_t i = 0; i < calls_made; ++i) {
        const auto& call = calls[static_cast<std::size_t>(i)];
        ASSERT_EQ(i / 7, call.count) << i;
        ASSERT_EQ(indices_of(i), call.indices) << i;
        ASSERT_EQ(i % 2, call.flag) << i;
    }
}

TEST(ThreadLog, ThereIsNoRoomForWhatMayExceedABlock) {
    Recorded recorded;
    EXPECT_FALSE(recorded.log.has_room_for(model::kBlockBytes));
    EXPECT_EQ(0U, recorded.log.blocks());
    EXPECT_TRUE(recorded.log.has_room_for(100));
}

TEST(ThreadLog, BlocksFollowEachOther) {
    Recorded recorded;
    constexpr std::int64_t many = 40000;
    for (std::int64_t i = 0; i < many; ++i)
        recorded.call(i, {i * i, i, i}, i % 2);

    const auto calls = recorded.read();

    EXPECT_GT(recorded.log.blocks(), 2U);
    EXPECT_TRUE(recorded.problems.empty());
    ASSERT_EQ(static_cast<std::size_t>(many), calls.size());
    for (std::int64_t i = 0; i < many; ++i) {
        const auto& call = calls[static_cast<std::size_t>(i)];
        ASSERT_EQ(i, call.count);
        ASSERT_EQ((std::vector<std::int64_t>{i * i, i, i}), call.indices);
        ASSERT_EQ(i % 2, call.flag);
    }
}

TEST(ThreadLog, AListThatNoBlockHoldsIsCut) {
    Recorded recorded;
    recorded.call(1, std::vector<std::int64_t>(100000, 1), 1);
    recorded.call(2, {4}, 0);

    const auto calls = recorded.read();

    EXPECT_TRUE(recorded.problems.empty());
    ASSERT_EQ(2U, calls.size());
    EXPECT_GT(calls[0].indices.size(), 1000U);
    EXPECT_LT(calls[0].indices.size(), 100000U);
    EXPECT_EQ((std::vector<std::int64_t>{4}), calls[1].indices);
}

TEST(ThreadLog, ARingKeepsTheNewestCalls) {
    constexpr std::size_t limit = 6 * model::kBlockBytes;
    Recorded recorded(limit);
    constexpr std::int64_t many = 100000;
    for (std::int64_t i = 0; i < many; ++i)
        recorded.call(i, {i * i, i, -i}, 1);

    const auto calls = recorded.read();

    EXPECT_TRUE(recorded.incomplete);
    ASSERT_FALSE(calls.empty());
    EXPECT_LT(calls.size(), static_cast<std::size_t>(many));
    EXPECT_EQ(many - 1, calls.back().count);
    EXPECT_EQ((std::vector<std::int64_t>{(many - 1) * (many - 1), many - 1, 1 - many}),
              calls.back().indices);
    EXPECT_LE(std::filesystem::file_size(recorded.folder.path() / "a.2a.1.mqlog"), limit);
}

TEST(ThreadLog, ACallThatDoesNotReturnIsOpen) {
    Recorded recorded;
    recorded.call(1, {1}, 1);
    List list;
    const std::int64_t before[] = {
        9, static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(&list))};
    EXPECT_TRUE(recorded.log.enter(recorded.site, ticks_now(), before));

    const auto calls = recorded.read();

    ASSERT_EQ(2U, calls.size());
    EXPECT_EQ(9, calls[1].count);
    EXPECT_FALSE(calls[1].returned);
}

TEST(ThreadLog, ACallThatWasLeftByAJumpIsToldByItsReturnAddress) {
    Recorded recorded;
    std::uint64_t stack[8] = {};
    const auto pointer = [&](std::size_t i) { return reinterpret_cast<std::uint64_t>(&stack[i]); };
    recorded.site.return_address = 0x1234;
    stack[3] = 0x1234;
    List list;
    const std::int64_t before[] = {
        9, static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(&list))};
    EXPECT_EQ(nullptr, recorded.log.left_behind(pointer(0))) << "no call is open";
    EXPECT_TRUE(recorded.log.enter(recorded.site, ticks_now(), before, pointer(4)));

    EXPECT_EQ(nullptr, recorded.log.left_behind(pointer(1))) << "a callback of the open call";
    EXPECT_EQ(&recorded.site, recorded.log.left_behind(pointer(4))) << "a call from the same place";
    EXPECT_EQ(&recorded.site, recorded.log.left_behind(pointer(6))) << "a call from further out";
    stack[3] = 0x9999;
    EXPECT_EQ(&recorded.site, recorded.log.left_behind(pointer(1)))
        << "other functions have used the stack";
}

}  // namespace
}  // namespace mqinspect::tracer
