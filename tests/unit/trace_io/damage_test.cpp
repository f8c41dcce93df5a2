// Recorded runs that are torn, cut, mixed up or not what they seem.
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/record_writer.h"
#include "tests/support/recorded_folder.h"

#include "trace_io/recording.h"

namespace mqinspect {
namespace {

using model::BlockHeader;
using model::DefinitionKind;
using model::Direction;
using model::FileHeader;
using model::kBlockBytes;
using model::ParameterKind;
using testing::all_calls;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::Fields;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Numbers;
using testing::RecordedFolder;
using testing::RecordWriter;

constexpr std::size_t kFirstRecord = kBlockBytes + sizeof(BlockHeader);

/// Rank 0 of a world of one: two sends, and a block of its own for two more.
RecordWriter small_run(std::string name = "h.1.1",
                       std::uint64_t start_ns = 5000,
                       std::uint64_t world = 1,
                       std::int64_t rank = 0,
                       std::int64_t size = 1) {
    RecordWriter writer(std::move(name), start_ns);
    writer.define_usual(rank, size, world);
    const auto send = writer.define_procedure("MPI_Send",
                                              {{"buf", ParameterKind::Buffer},
                                               {"dest", ParameterKind::Rank},
                                               {"comm", ParameterKind::Communicator},
                                               {"all", ParameterKind::AddressList}});
    for (std::uint64_t i = 0; i < 4; ++i) {
        if (i == 2) writer.end_block(0);
        const auto number = static_cast<std::int64_t>(i);
        writer.enter(0, send, 1, 100 * i, {0x1000 + number, 0, 0, Numbers{number, 2, 3}});
        writer.leave(0, 100 * i + 50, {0});
    }
    return writer;
}

template <class T>
void set(std::vector<std::uint8_t>& bytes, std::size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

struct Outcome {
    std::string error;  ///< empty: it was opened
    std::vector<std::string> problems;
    std::size_t calls = 0;
    bool incomplete = false;
};

Outcome read_all(const RecordedFolder& folder) {
    Outcome outcome;
    const auto recording = trace_io::open_recording(folder.path().string());
    if (!recording) {
        outcome.error = recording.error().message;
        return outcome;
    }
    const model::Execution& execution = (*recording)->execution();
    outcome.problems = execution.problems;
    for (const model::RecordedProcess& process : execution.processes) {
        outcome.calls += all_calls(**recording, process.id.value).size();
        outcome.incomplete = outcome.incomplete || process.incomplete;
    }
    return outcome;
}

Outcome with_log(const std::function<void(std::vector<std::uint8_t>&)>& change) {
    const RecordedFolder folder;
    const RecordWriter writer = small_run();
    writer.save(folder.path());
    std::vector<std::uint8_t> log = writer.log();
    change(log);
    folder.write("h.1.1.mqlog", log);
    return read_all(folder);
}

Outcome with_definitions(const std::function<void(std::vector<std::uint8_t>&)>& change) {
    const RecordedFolder folder;
    const RecordWriter writer = small_run();
    writer.save(folder.path());
    std::vector<std::uint8_t> definitions = writer.definitions();
    change(definitions);
    folder.write("h.1.1.mqdef", definitions);
    return read_all(folder);
}

TEST(Damage, AWholeRunHasNone) {
    const Outcome outcome = with_log([](auto&) {});

    EXPECT_EQ(outcome.calls, 4U);
    EXPECT_THAT(outcome.problems, IsEmpty());
    EXPECT_FALSE(outcome.incomplete);
}

TEST(Damage, AFolderThatIsNoneIsAnError) {
    EXPECT_FALSE(trace_io::open_recording("/no/such/folder"));
    EXPECT_THAT(read_all(RecordedFolder()).error, HasSubstr("no recorded process"));
}

TEST(Damage, ACutLogIsReadUpToTheCut) {
    const Outcome outcome = with_log([](auto& log) { log.resize(2 * kBlockBytes + 100); });

    EXPECT_EQ(outcome.calls, 2U);
    EXPECT_TRUE(outcome.incomplete);
    EXPECT_THAT(outcome.problems,
                ElementsAre(AllOf(HasSubstr("h.1.1.mqlog: offset 131172"), HasSubstr("cut"))));
}

TEST(Damage, ATornRecordEndsTheThread) {
    const Outcome outcome = with_log([](auto& log) {
        // A varint that never ends, over what follows the first call.
        std::fill_n(log.begin() + kFirstRecord + 12, 20, std::uint8_t{0xff});
    });

    EXPECT_LE(outcome.calls, 2U);
    EXPECT_TRUE(outcome.incomplete);
    EXPECT_THAT(outcome.problems,
                ElementsAre(AllOf(HasSubstr("h.1.1.mqlog: offset 655"), HasSubstr("damaged"))));
}

TEST(Damage, ABlockWithMoreInUseThanItHasIsLeftOut) {
    const Outcome outcome = with_log(
        [](auto& log) { set(log, 2 * kBlockBytes + offsetof(BlockHeader, used), UINT32_MAX); });

    EXPECT_EQ(outcome.calls, 2U);
    EXPECT_THAT(outcome.problems, ElementsAre(HasSubstr("offset 131072: a block of 65536 bytes")));
}

TEST(Damage, AForeignBlockIsLeftOut) {
    const Outcome outcome =
        with_log([](auto& log) { set(log, 2 * kBlockBytes, std::uint32_t{0x1234}); });

    EXPECT_EQ(outcome.calls, 2U);
    EXPECT_THAT(outcome.problems, ElementsAre(HasSubstr("no block begins here")));
}

TEST(Damage, AGapInTheSequenceEndsTheThread) {
    const Outcome outcome = with_log([](auto& log) {
        set(log, 2 * kBlockBytes + offsetof(BlockHeader, sequence), std::uint64_t{1} << 63U);
    });

    EXPECT_EQ(outcome.calls, 2U);
    EXPECT_THAT(outcome.problems, ElementsAre(HasSubstr("follows block 0")));
}

TEST(Damage, ABlockThatWasBeingCopiedCountsOnce) {
    const Outcome outcome = with_log([](auto& log) {
        const std::vector<std::uint8_t> full(log.end() - kBlockBytes, log.end());
        log.insert(log.end(), full.begin(), full.end());
        set(log, offsetof(FileHeader, blocks), std::uint64_t{3});
    });
    const Outcome emptied = with_log([](auto& log) {
        const std::vector<std::uint8_t> full(log.end() - kBlockBytes, log.end());
        set(log, 2 * kBlockBytes + offsetof(BlockHeader, used), std::uint32_t{0});
        set(log, 2 * kBlockBytes + offsetof(BlockHeader, first_event), std::uint64_t{8});
        log.insert(log.end(), full.begin(), full.end());
        set(log, offsetof(FileHeader, blocks), std::uint64_t{3});
    });

    EXPECT_EQ(outcome.calls, 4U);
    EXPECT_THAT(outcome.problems, IsEmpty());
    EXPECT_EQ(emptied.calls, 4U);
    EXPECT_THAT(emptied.problems, IsEmpty());
}

TEST(Damage, ABlockThatDoesNotGoOnWhereTheOtherEndsIsNotRead) {
    const Outcome outcome = with_log([](auto& log) {
        set(log, 2 * kBlockBytes + offsetof(BlockHeader, first_event), std::uint64_t{2});
    });

    EXPECT_EQ(outcome.calls, 2U);
    EXPECT_THAT(outcome.problems, ElementsAre(HasSubstr("does not go on")));
}

TEST(Damage, AnEnormousNumberOfBlocksIsTheFilesSize) {
    const Outcome outcome = with_log(
        [](auto& log) { set(log, offsetof(FileHeader, blocks), std::uint64_t{1} << 63U); });

    EXPECT_EQ(outcome.calls, 4U);
    EXPECT_THAT(outcome.problems, ElementsAre(HasSubstr("of which 2 are there")));
}

TEST(Damage, ANewerFormatIsNamed) {
    const auto newer = [](auto& bytes) { set(bytes, offsetof(FileHeader, format), 9U); };

    EXPECT_THAT(with_definitions(newer).error,
                AllOf(HasSubstr("h.1.1.mqdef: offset 8: format 9"), HasSubstr("use the version")));
    const Outcome outcome = with_log(newer);
    EXPECT_THAT(outcome.problems, ElementsAre(HasSubstr("h.1.1.mqlog: offset 8: format 9")));
    EXPECT_TRUE(outcome.incomplete);
}

TEST(Damage, AForeignFileIsNamed) {
    const auto foreign = [](auto& bytes) { bytes.assign(1000, 'x'); };

    EXPECT_THAT(with_definitions(foreign).error, HasSubstr("offset 0: no magic"));
    EXPECT_THAT(with_log([](auto& log) { log.resize(10); }).problems,
                ElementsAre(HasSubstr("has 10 bytes")));
}

TEST(Damage, ADiskThatBecameFullIsSaid) {
    const Outcome outcome =
        with_log([](auto& log) { set(log, offsetof(FileHeader, full), std::uint32_t{ENOSPC}); });

    EXPECT_EQ(outcome.calls, 4U);
    EXPECT_TRUE(outcome.incomplete);
    EXPECT_THAT(outcome.problems, ElementsAre(HasSubstr("No space left on device")));
}

TEST(Damage, CutDefinitionsEndTheCallsThatNeedThem) {
    const Outcome outcome =
        with_definitions([](auto& definitions) { definitions.resize(definitions.size() - 10); });

    EXPECT_EQ(outcome.calls, 0U);
    EXPECT_THAT(outcome.problems,
                ElementsAre(HasSubstr("it was cut"),
                            HasSubstr("damaged definition"),
                            HasSubstr("procedure 0, which is not defined")));
}

TEST(Damage, OneOfThePairThatIsMissingIsSaid) {
    const RecordedFolder folder;
    small_run("a.1.1", 5000, 1, 0, 2).save(folder.path());
    small_run("b.1.1", 5000, 1, 1, 2).save(folder.path());
    std::filesystem::remove(folder.path() / "a.1.1.mqlog");
    std::filesystem::remove(folder.path() / "b.1.1.mqdef");

    const Outcome outcome = read_all(folder);

    EXPECT_EQ(outcome.calls, 0U);
    EXPECT_THAT(outcome.problems,
                ElementsAre(HasSubstr("a.1.1.mqlog is missing"),
                            HasSubstr("b.1.1.mqdef is missing"),
                            HasSubstr("1 of 2 ranks have no record")));
}

TEST(Damage, APairOfDifferentRunsIsNotJoined) {
    const RecordedFolder folder;
    small_run().save(folder.path());
    folder.write("h.1.1.mqlog", small_run("h.1.1", 6000).log());

    EXPECT_THAT(read_all(folder).problems, ElementsAre(HasSubstr("belongs to another process")));
}

TEST(Damage, OfTwoRunsInAFolderTheNewerIsRead) {
    const RecordedFolder folder;
    small_run("old.1.1", 5000, 1, 0, 2).save(folder.path());
    small_run("new.1.1", 9000, 2).save(folder.path());

    const Outcome outcome = read_all(folder);

    EXPECT_EQ(outcome.calls, 4U);
    EXPECT_THAT(outcome.problems, ElementsAre(HasSubstr("holds several runs")));
}

TEST(Damage, TwoProcessesOfOneRankAreNotBothRead) {
    const RecordedFolder folder;
    small_run("a.1.1").save(folder.path());
    small_run("b.1.1").save(folder.path());

    const Outcome outcome = read_all(folder);

    EXPECT_EQ(outcome.calls, 4U);
    EXPECT_THAT(outcome.problems, ElementsAre(HasSubstr("is rank 0 as a.1.1 is")));
}

TEST(Damage, AWorldOfBillionsIsNotBelieved) {
    const RecordedFolder folder;
    small_run("a.1.1", 5000, 1, 0, INT32_MAX).save(folder.path());

    const Outcome outcome = read_all(folder);

    EXPECT_EQ(outcome.calls, 4U);
    EXPECT_THAT(outcome.problems, ElementsAre(HasSubstr("taken for damage")));
}

TEST(Damage, WhatNobodyHasDefinedEndsTheThread) {
    const auto call_with = [](std::int64_t communicator, std::uint64_t stack) {
        const RecordedFolder folder;
        RecordWriter writer("h.1.1", 5000);
        writer.define_usual(0, 1, 1);
        const auto procedure =
            writer.define_procedure("MPI_Barrier", {{"comm", ParameterKind::Communicator}});
        writer.enter(0, procedure, 1, 100, {0});
        writer.leave(0, 110, {0});
        writer.enter(0, procedure, stack, 120, {communicator});
        writer.save(folder.path());
        return read_all(folder);
    };

    EXPECT_THAT(call_with(7, 1).problems, ElementsAre(HasSubstr("not defined")));
    EXPECT_EQ(call_with(7, 1).calls, 1U);
    EXPECT_THAT(call_with(0, 1U << 30U).problems, ElementsAre(HasSubstr("from stack 1073741824")));
    EXPECT_THAT(call_with(model::kInvalidHandle, 1).problems, IsEmpty());
}

TEST(Damage, AnIdFarBeyondTheOthersIsDamage) {
    const RecordedFolder folder;
    RecordWriter writer = small_run();
    writer.define(DefinitionKind::Text, Fields().number(INT64_MAX).text("far"));
    writer.save(folder.path());

    const Outcome outcome = read_all(folder);

    EXPECT_EQ(outcome.calls, 4U);
    EXPECT_THAT(outcome.problems, ElementsAre(HasSubstr("damaged definition")));
}

TEST(Damage, AListThatIsLongerThanTheFileIsDamage) {
    const RecordedFolder folder;
    RecordWriter writer = small_run();
    writer.define(DefinitionKind::Stack, Fields().number(4).length(std::size_t{1} << 63U));
    writer.save(folder.path());

    EXPECT_THAT(read_all(folder).problems, ElementsAre(HasSubstr("damaged definition")));
}

TEST(Damage, KindsOfALaterVersionArePassedOver) {
    const RecordedFolder folder;
    RecordWriter writer = small_run();
    writer.define(static_cast<DefinitionKind>(200), Fields().number(1).text("later"));
    writer.save(folder.path());

    EXPECT_THAT(read_all(folder).problems, IsEmpty());
}

TEST(Damage, FoldersAndPipesUnderTheRightNameAreNotOpened) {
    const RecordedFolder folder;
    small_run().save(folder.path());
    std::filesystem::create_directory(folder.path() / "z.1.1.mqdef");
    ASSERT_EQ(mkfifo((folder.path() / "y.1.1.mqdef").c_str(), 0600), 0);

    const Outcome outcome = read_all(folder);

    EXPECT_EQ(outcome.calls, 4U);
    EXPECT_THAT(outcome.problems,
                ElementsAre(HasSubstr("no ordinary file"), HasSubstr("no ordinary file")));
}

// Whatever the bytes are: it ends, and what is said of it is not too much.
TEST(Damage, AtRandomNeverBreaksTheReader) {
    std::mt19937_64 random(20061);
    const RecordWriter writer = small_run();
    const RecordedFolder folder;
    for (int round = 0; round < 500; ++round) {
        std::vector<std::uint8_t> definitions = writer.definitions();
        std::vector<std::uint8_t> log = writer.log();
        log.resize(2 * kBlockBytes + 200);
        for (int change = 0; change < 4; ++change) {
            std::vector<std::uint8_t>& bytes = random() % 2 == 0 ? definitions : log;
            std::size_t at = random() % bytes.size();
            // Most of the log is empty.
            if (&bytes == &log && at > sizeof(FileHeader))
                at = (1 + random() % 2) * kBlockBytes + random() % 150;
            bytes[at] = static_cast<std::uint8_t>(random() % 4 == 0 ? 0xff : random());
        }
        folder.write("h.1.1.mqdef", definitions);
        folder.write("h.1.1.mqlog", log);

        const Outcome outcome = read_all(folder);

        EXPECT_LE(outcome.calls, kBlockBytes);
        EXPECT_LE(outcome.problems.size(), 20U);
    }
}

}  // namespace
}  // namespace mqinspect
