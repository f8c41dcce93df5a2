// Runs as OTF2 archives and back: what other tools read, what is found again, damaged archives.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/check.h"
#include "tests/support/execution_builder.h"
#include "tests/unit/trace_io/otf2/archive_folder.h"

#include "trace_io/otf2/export.h"
#include "trace_io/otf2/import.h"

namespace mqinspect::trace_io {
namespace {

namespace fs = std::filesystem;
using analysis::FindingClass;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

class Otf2 : public ::testing::Test {
protected:
    std::string archive() const { return folder_.archive(); }
    std::string anchor() const { return folder_.anchor(); }

    void write(int processes, const char* statements) {
        const auto recording = test::recording_of(processes, statements);
        std::vector<std::vector<model::Frame>> stacks;
        for (const auto& places : recording->execution().stacks) {
            auto& stack = stacks.emplace_back();
            for (const model::CodePlace& place : places) {
                model::Frame frame;
                frame.function = "main";
                frame.location = {"/src/a.c", static_cast<int>(place.offset)};
                stack.push_back(frame);
            }
        }
        const auto written = export_otf2(*recording, stacks, archive(), "1");
        ASSERT_TRUE(written) << written.error().message;
    }

    /// Classes of the errors and warnings that an archive shows.
    std::vector<FindingClass> found() {
        const auto imported = import_otf2(anchor());
        EXPECT_TRUE(imported) << imported.error().message;
        std::vector<FindingClass> classes;
        if (!imported) return classes;
        const model::Recording& recording = (*imported)->recording();
        EXPECT_THAT(recording.execution().problems, IsEmpty());
        for (const auto& finding : analysis::check(recording, {}).findings)
            if (finding.severity != analysis::Severity::Note)
                classes.push_back(finding.finding_class);
        return classes;
    }

    static std::string output_of(const std::string& command) {
        const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>&1").c_str(), "r"),
                                                         pclose);
        std::string text;
        std::array<char, 4096> buffer{};
        while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe.get()))
            text.append(buffer.data(), count);
        return text;
    }

    static std::size_t count(const std::string& text, const std::string& word) {
        std::size_t number = 0;
        for (std::size_t at = text.find(word); at != std::string::npos;
             at = text.find(word, at + 1))
            ++number;
        return number;
    }

    /// Reads it again and again, each time with another file of it damaged.
    void damage() const;

    test::ArchiveFolder folder_;
};

void Otf2::damage() const {
    std::mt19937 random(20061);
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(archive()))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::ranges::sort(files);
    for (int round = 0; round < 60; ++round) {
        const fs::path& file = files[random() % files.size()];
        std::ifstream in(file, std::ios::binary);
        const std::string whole(std::istreambuf_iterator<char>(in), {});
        std::string damaged = whole;
        if (round % 3 == 0) {
            damaged.resize(random() % (whole.size() + 1));
        } else {
            for (int i = 0; i < 4 && !damaged.empty(); ++i)
                damaged[random() % damaged.size()] = static_cast<char>(random());
        }
        std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;

        const auto imported = import_otf2(anchor());
        if (imported) {
            analysis::check((*imported)->recording(), {});
        } else {
            EXPECT_FALSE(imported.error().message.empty());
        }
        std::ofstream(file, std::ios::binary | std::ios::trunc) << whole;
    }
}

constexpr const char* kClean = R"(
    communicator row parent=MPI_COMM_WORLD constructor=MPI_Comm_split members=[0,1]
    *: MPI_Init() @a.c:1
    0: MPI_Send(dest=1, count=4, tag=7) @a.c:10
    1: MPI_Recv(source=0, count=4, tag=7) @a.c:11
    0: MPI_Isend(dest=1, tag=8, comm=row, request=r) @a.c:12
    0: MPI_Wait(request=r) @a.c:13
    1: MPI_Irecv(source=MPI_ANY_SOURCE, tag=8, comm=row, request=s) @a.c:14
    1: MPI_Wait(request=s, status=[0, 8, 4]) @a.c:15
    *: MPI_Bcast(root=1) @a.c:16
    *: MPI_Barrier() @a.c:17
    *: MPI_Finalize() @a.c:18
)";

TEST_F(Otf2, ACleanRunIsReadByOtherTools) {
    write(2, kClean);

    const std::string text = output_of("otf2-print " + anchor() + " && echo exit 0");

    EXPECT_THAT(text, HasSubstr("exit 0"));
    EXPECT_EQ(count(text, "\nMPI_SEND "), 1U) << text;
    EXPECT_EQ(count(text, "\nMPI_RECV "), 1U);
    EXPECT_EQ(count(text, "\nMPI_ISEND "), 1U);
    EXPECT_EQ(count(text, "\nMPI_ISEND_COMPLETE "), 1U);
    EXPECT_EQ(count(text, "\nMPI_IRECV_REQUEST "), 1U);
    EXPECT_EQ(count(text, "\nMPI_IRECV "), 1U);
    EXPECT_EQ(count(text, "\nMPI_COLLECTIVE_BEGIN "), 4U);
    EXPECT_EQ(count(text, "\nMPI_COLLECTIVE_END "), 4U);
    EXPECT_EQ(count(text, "\nENTER "), count(text, "\nLEAVE "));
    EXPECT_THAT(text, HasSubstr("call stack"));
    const std::string definitions = output_of("otf2-print -G " + anchor());
    EXPECT_THAT(definitions, HasSubstr("CLOCK_PROPERTIES"));
    EXPECT_THAT(definitions, HasSubstr("MPI_COMM_WORLD"));
    EXPECT_THAT(definitions, HasSubstr("/src/a.c"));
}

constexpr const char* kWindows = R"(
    window w comm=MPI_COMM_WORLD kind=MPI_Win_create parts=[[0x5000,64,1],[0x5000,64,1]]
    *: MPI_Init()
    *: MPI_Win_create(comm=MPI_COMM_WORLD, win=w)
    *: MPI_Win_fence(win=w)
    0: MPI_Put(target_rank=1, win=w)
    0: MPI_Get(target_rank=1, win=w)
    0: MPI_Accumulate(target_rank=1, win=w)
    *: MPI_Win_fence(win=w)
    0: MPI_Win_lock(lock_type=235, rank=1, win=w)
    0: MPI_Rput(target_rank=1, win=w, request=r)
    0: MPI_Wait(request=r)
    0: MPI_Win_flush(rank=1, win=w)
    0: MPI_Win_unlock(rank=1, win=w)
    0: MPI_Win_lock_all(win=w)
    0: MPI_Win_unlock_all(win=w)
    1: MPI_Win_post(group=[0], win=w)
    0: MPI_Win_start(group=[1], win=w)
    0: MPI_Win_complete(win=w)
    1: MPI_Win_wait(win=w)
    *: MPI_Ibarrier(comm=MPI_COMM_WORLD, request=b)
    *: MPI_Wait(request=b)
    *: MPI_Win_free(win=w)
    *: MPI_Finalize()
)";

TEST_F(Otf2, OneSidedCommunicationHasItsRecords) {
    write(2, kWindows);

    const std::string text = output_of("otf2-print " + anchor() + " && echo exit 0");

    EXPECT_THAT(text, HasSubstr("exit 0"));
    EXPECT_EQ(count(text, "\nRMA_WIN_CREATE "), 2U) << text;
    EXPECT_EQ(count(text, "\nRMA_PUT "), 2U);
    EXPECT_EQ(count(text, "\nRMA_GET "), 1U);
    EXPECT_EQ(count(text, "\nRMA_ATOMIC "), 1U);
    EXPECT_EQ(count(text, "\nRMA_OP_COMPLETE_NON_BLOCKING "), 4U);
    EXPECT_EQ(count(text, "\nRMA_OP_COMPLETE_REMOTE "), 4U);
    EXPECT_EQ(count(text, "\nRMA_COLLECTIVE_END "), 8U);
    EXPECT_EQ(count(text, "\nRMA_REQUEST_LOCK "), 2U);
    EXPECT_EQ(count(text, "\nRMA_ACQUIRE_LOCK "), 2U);
    EXPECT_EQ(count(text, "\nRMA_RELEASE_LOCK "), 2U);
    EXPECT_EQ(count(text, "\nRMA_GROUP_SYNC "), 4U);
    EXPECT_EQ(count(text, "\nRMA_WIN_DESTROY "), 2U);
    EXPECT_EQ(count(text, "\nNON_BLOCKING_COLLECTIVE_REQUEST "), 2U);
    EXPECT_EQ(count(text, "\nNON_BLOCKING_COLLECTIVE_COMPLETE "), 2U);
}

TEST_F(Otf2, CallsAtWindowsAreCallsAgain) {
    write(2, kWindows);

    const auto imported = import_otf2(anchor());

    ASSERT_TRUE(imported) << imported.error().message;
    const model::Recording& recording = (*imported)->recording();
    EXPECT_EQ(recording.execution().windows.size(), 1U);
    std::vector<std::string> names;
    const auto stream = recording.calls(model::ProcessId(0));
    model::RecordedCall call;
    while (stream->next(call))
        names.push_back(recording.execution().procedures[call.procedure.index()].name);
    EXPECT_THAT(names, Each(StartsWith("MPI_")));
    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Otf2, AnEpochThatIsNeverClosedIsFoundAgain) {
    write(2, R"(
        window w comm=MPI_COMM_WORLD kind=MPI_Win_create parts=[[0x5000,64,1],[0x5000,64,1]]
        *: MPI_Init()
        *: MPI_Win_create(comm=MPI_COMM_WORLD, win=w)
        0: MPI_Win_lock(lock_type=234, rank=1, win=w)
        *: MPI_Win_free(win=w)
        *: MPI_Finalize()
    )");

    EXPECT_THAT(found(), ElementsAre(FindingClass::EpochError));
}

TEST_F(Otf2, AnAssertionOfAFenceIsFoundAgain) {
    write(2, R"(
        window w comm=MPI_COMM_WORLD kind=MPI_Win_create parts=[[0x5000,64,1],[0x5000,64,1]]
        *: MPI_Init()
        *: MPI_Win_create(comm=MPI_COMM_WORLD, win=w)
        *: MPI_Win_fence(assert=16384, win=w)
        0: MPI_Put(target_rank=1, win=w)
        *: MPI_Win_fence(win=w)
        *: MPI_Win_free(win=w)
        *: MPI_Finalize()
    )");

    EXPECT_THAT(found(), ElementsAre(FindingClass::EpochError));
}

TEST_F(Otf2, ANonblockingBarrierThatIsNeverMatchedIsFoundAgain) {
    write(2, R"(
        *: MPI_Init()
        0: MPI_Ibarrier(comm=MPI_COMM_WORLD, request=r)
        0: MPI_Wait(request=r) = -
        1: MPI_Recv(source=0) = -
    )");

    EXPECT_THAT(found(), ElementsAre(FindingClass::RealDeadlock));
}

TEST_F(Otf2, AProbeThatNothingComesForIsFoundAgain) {
    write(2, R"(
        *: MPI_Init()
        0: MPI_Probe(source=1, tag=3) = -
        1: MPI_Recv(source=0) = -
    )");

    EXPECT_THAT(found(), ElementsAre(FindingClass::RealDeadlock));
}

TEST_F(Otf2, AMatchedMessageIsReceived) {
    write(2, R"(
        *: MPI_Init()
        0: MPI_Send(dest=1, tag=7)
        1: MPI_Mprobe(source=0, tag=7, message=m, status=[0, 7, 4])
        1: MPI_Mrecv(message=m, status=[0, 7, 4])
        *: MPI_Finalize()
    )");

    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Otf2, PythonReadsIt) {
    write(2, kClean);

    const std::string text = output_of(
        "/usr/bin/python3 -c 'import otf2\n"
        "with otf2.reader.open(\"" +
        anchor() +
        "\") as trace:\n"
        "    events = list(trace.events)\n"
        "    print(sum(isinstance(event, otf2.events.MpiSend) for _, event in events), \"send\")\n"
        "    print(len(events) > 20, len(trace.definitions.locations))'");

    EXPECT_EQ(text, "1 send\nTrue 2\n");
}

TEST_F(Otf2, NothingIsFoundInACleanRun) {
    write(2, kClean);

    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Otf2, PlacesAndNamesAreThere) {
    write(2, kClean);

    const auto imported = import_otf2(anchor());

    ASSERT_TRUE(imported) << imported.error().message;
    const model::Recording& recording = (*imported)->recording();
    EXPECT_EQ(recording.execution().processes.size(), 2U);
    const auto stream = recording.calls(model::ProcessId(0));
    model::RecordedCall call;
    ASSERT_TRUE(stream->next(call));
    ASSERT_TRUE(stream->next(call));
    EXPECT_EQ(recording.execution().procedures[call.procedure.index()].name, "MPI_Send");
    const auto& stack = (*imported)->stacks()[call.stack.index()];
    ASSERT_EQ(stack.size(), 1U);
    EXPECT_EQ(stack[0].function, "main");
    EXPECT_EQ(stack[0].location.file, "/src/a.c");
    EXPECT_EQ(stack[0].location.line, 10);
}

TEST_F(Otf2, AMessageThatNobodyReceivesIsFoundAgain) {
    write(2, R"(
        *: MPI_Init()
        0: MPI_Send(dest=1, tag=7)
        *: MPI_Finalize()
    )");

    EXPECT_THAT(found(), ElementsAre(FindingClass::NonpairedSend));
}

TEST_F(Otf2, ADeadlockIsFoundAgain) {
    write(2, R"(
        *: MPI_Init()
        0: MPI_Recv(source=1, tag=7) = -
        1: MPI_Recv(source=0, tag=7) = -
    )");

    EXPECT_THAT(found(), ElementsAre(FindingClass::RealDeadlock));
}

TEST_F(Otf2, ADeadlockThatBufferingHidIsFoundAgain) {
    write(2, R"(
        *: MPI_Init()
        0: MPI_Send(dest=1)
        1: MPI_Send(dest=0)
        0: MPI_Recv(source=1)
        1: MPI_Recv(source=0)
        *: MPI_Finalize()
    )");

    EXPECT_THAT(found(), ElementsAre(FindingClass::PotentialDeadlock));
}

TEST_F(Otf2, DifferentRootsAreFoundAgain) {
    write(2, R"(
        *: MPI_Init()
        0: MPI_Bcast(root=0)
        1: MPI_Bcast(root=1)
        *: MPI_Finalize()
    )");

    EXPECT_THAT(found(), UnorderedElementsAre(FindingClass::WrongRootProcess));
}

TEST_F(Otf2, CollectivesOfNeighboursAreCollectivesAgain) {
    constexpr const char* begin = R"(
        communicator ring members=[0,1] topology=cartesian sources=[[1],[0]] destinations=[[1],[0]]
        *: MPI_Init()
        *: MPI_Neighbor_alltoall(comm=ring)
        0: MPI_Neighbor_allgatherv(recvcounts=[1], displs=[0], comm=ring))";
    write(2, (std::string{begin} + " = -\n        1: MPI_Finalize()").c_str());
    EXPECT_THAT(found(), Contains(FindingClass::IncompleteCollective));

    fs::remove_all(archive());
    const std::string whole =
        "\n        1: MPI_Neighbor_allgatherv(recvcounts=[1], displs=[0], "
        "comm=ring)\n        *: MPI_Finalize()";
    write(2, (begin + whole).c_str());
    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Otf2, FilesAreFilesAgain) {
    constexpr const char* begin = R"(
        file f = "data.bin"
        *: MPI_Init()
        *: MPI_File_open(comm=MPI_COMM_WORLD, filename="data.bin", fh=f)
        *: MPI_File_write_all(fh=f, buf=0x1000, count=4)
        0: MPI_File_write(fh=f, buf=0x1000, count=4)
        0: MPI_File_sync(fh=f))";
    write(2, (std::string{begin} + " = -\n        1: MPI_Finalize()").c_str());
    EXPECT_THAT(found(), Contains(FindingClass::IncompleteCollective));

    fs::remove_all(archive());
    write(2,
          (std::string{begin} + "\n        1: MPI_File_sync(fh=f)\n        *: MPI_Finalize()")
              .c_str());
    EXPECT_THAT(found(), ElementsAre(FindingClass::LeakedFile));
}

TEST_F(Otf2, AReceiveThatNeverCompletesIsWhatItAskedFor) {
    write(2, R"(
        *: MPI_Init()
        0: MPI_Irecv(source=1, tag=7, request=r)
        0: MPI_Wait(request=r) = -
        1: MPI_Send(dest=0, tag=8)
        1: MPI_Finalize()
    )");

    EXPECT_FALSE(found().empty());
}

TEST_F(Otf2, WhatIsThereIsNotOverwritten) {
    write(2, kClean);
    const auto recording = test::recording_of(1, "0: MPI_Init()");

    const auto again = export_otf2(*recording, {}, archive(), "1");

    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().message, HasSubstr("exists already"));
}

TEST_F(Otf2, AForeignFileIsRefusedInOneLine) {
    fs::create_directory(archive());
    std::ofstream(anchor()) << "no archive\n";

    const auto imported = import_otf2(anchor());

    ASSERT_FALSE(imported);
    EXPECT_THAT(imported.error().message, HasSubstr(anchor()));
    EXPECT_EQ(std::ranges::count(imported.error().message, '\n'), 0);
}

TEST_F(Otf2, MissingEventsAreSaid) {
    write(2, kClean);
    fs::remove(archive() + "/traces/1.evt");

    const auto imported = import_otf2(anchor());

    ASSERT_FALSE(imported);
    EXPECT_THAT(imported.error().message, HasSubstr(anchor()));
}

TEST_F(Otf2, DamagedArchivesOfMessagesAreSurvived) {
    write(2, kClean);
    damage();
}

TEST_F(Otf2, DamagedArchivesOfWindowsAreSurvived) {
    write(2, kWindows);
    damage();
}

}  // namespace
}  // namespace mqinspect::trace_io
