// Archives of other tools: the records that Score-P writes, and nothing that follows from what is
// not there.
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/check.h"
#include "tests/unit/trace_io/otf2/archive_folder.h"
#include "tests/unit/trace_io/otf2/foreign_archive.h"

#include "trace_io/otf2/import.h"

namespace mqinspect::trace_io {
namespace {

using analysis::FindingClass;
using analysis::Severity;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr OTF2_RmaSyncLevel kProcess = OTF2_RMA_SYNC_LEVEL_PROCESS;
constexpr OTF2_RmaSyncLevel kBoth = OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY;
constexpr std::uint32_t kNoRoot = OTF2_COLLECTIVE_ROOT_NONE;

class Foreign : public ::testing::Test {
protected:
    Foreign() {
        archive_.emplace(folder_.archive(), 2);
        archive_->all_call("MPI_Init");
    }

    test::ForeignArchive& run() { return *archive_; }

    void collective_at_window(const char* name, OTF2_CollectiveOp op) {
        for (std::uint32_t rank = 0; rank < 2; ++rank) {
            run().enter(rank, name);
            OTF2_EvtWriter_RmaCollectiveBegin(run().at(rank), nullptr, run().now());
            if (op == OTF2_COLLECTIVE_OP_CREATE_HANDLE)
                OTF2_EvtWriter_RmaWinCreate(run().at(rank), nullptr, run().now(), 0);
            if (op == OTF2_COLLECTIVE_OP_DESTROY_HANDLE)
                OTF2_EvtWriter_RmaWinDestroy(run().at(rank), nullptr, run().now(), 0);
            OTF2_EvtWriter_RmaCollectiveEnd(
                run().at(rank), nullptr, run().now(), op, kBoth, 0, kNoRoot, 0, 0);
            run().leave(rank, name);
        }
    }
    void create() { collective_at_window("MPI_Win_create", OTF2_COLLECTIVE_OP_CREATE_HANDLE); }
    void fence() { collective_at_window("MPI_Win_fence", OTF2_COLLECTIVE_OP_BARRIER); }
    void free() { collective_at_window("MPI_Win_free", OTF2_COLLECTIVE_OP_DESTROY_HANDLE); }

    void put(std::uint32_t window = 0) {
        run().enter(0, "MPI_Put");
        OTF2_EvtWriter_RmaPut(run().at(0), nullptr, run().now(), window, 1, 4, 7);
        run().leave(0, "MPI_Put");
    }

    void lock() {
        run().enter(0, "MPI_Win_lock");
        OTF2_EvtWriter_RmaRequestLock(
            run().at(0), nullptr, run().now(), 0, 1, 0, OTF2_LOCK_EXCLUSIVE);
        run().leave(0, "MPI_Win_lock");
    }

    /// A call that tells of other processes of the window.
    void synchronize(std::uint32_t rank, const char* name, OTF2_RmaSyncLevel level) {
        synchronize_with(3 - rank, rank, name, level);
    }
    void synchronize_with(OTF2_GroupRef group,
                          std::uint32_t rank,
                          const char* name,
                          OTF2_RmaSyncLevel level) {
        run().enter(rank, name);
        OTF2_EvtWriter_RmaGroupSync(run().at(rank), nullptr, run().now(), level, 0, group);
        run().leave(rank, name);
    }

    void start(std::uint32_t rank, const char* name) {
        run().enter(rank, name);
        OTF2_EvtWriter_NonBlockingCollectiveRequest(run().at(rank), nullptr, run().now(), 5);
        run().leave(rank, name);
    }

    void wait(std::uint32_t rank, OTF2_CollectiveOp op, std::uint32_t root) {
        run().enter(rank, "MPI_Wait");
        OTF2_EvtWriter_NonBlockingCollectiveComplete(
            run().at(rank), nullptr, run().now(), op, 0, root, 4, 4, 5);
        run().leave(rank, "MPI_Wait");
    }

    void duplicate(const char* name, OTF2_CollectiveOp op, bool creates) {
        for (std::uint32_t rank = 0; rank < 2; ++rank) {
            run().enter(rank, name);
            OTF2_EvtWriter_MpiCollectiveBegin(run().at(rank), nullptr, run().now());
            const auto write = creates ? OTF2_EvtWriter_CommCreate : OTF2_EvtWriter_CommDestroy;
            write(run().at(rank), nullptr, run().now(), 1);
            OTF2_EvtWriter_MpiCollectiveEnd(
                run().at(rank), nullptr, run().now(), op, creates ? 0 : 1, kNoRoot, 0, 0);
            run().leave(rank, name);
        }
    }

    /// Of the errors and warnings, after MPI_Finalize unless processes are stuck.
    std::vector<FindingClass> found(bool stuck = false) { return found(stuck, Severity::Warning); }
    std::vector<FindingClass> found(bool stuck, Severity least) {
        if (!stuck) archive_->all_call("MPI_Finalize");
        archive_.reset();
        const auto imported = import_otf2(folder_.anchor());
        EXPECT_TRUE(imported) << imported.error().message;
        std::vector<FindingClass> classes;
        if (!imported) return classes;
        const model::Recording& recording = (*imported)->recording();
        EXPECT_THAT(recording.execution().problems, IsEmpty());
        for (const auto& finding : analysis::check(recording, {}).findings)
            if (finding.severity <= least) classes.push_back(finding.finding_class);
        return classes;
    }

    test::ArchiveFolder folder_;
    std::optional<test::ForeignArchive> archive_;
};

TEST_F(Foreign, NothingIsFoundInCorrectOneSidedCommunication) {
    create();
    fence();
    put();
    fence();
    lock();
    put();
    run().enter(0, "MPI_Win_flush");
    OTF2_EvtWriter_RmaOpCompleteNonBlocking(run().at(0), nullptr, run().now(), 0, 7);
    OTF2_EvtWriter_RmaOpCompleteRemote(run().at(0), nullptr, run().now(), 0, 7);
    run().leave(0, "MPI_Win_flush");
    run().enter(0, "MPI_Win_unlock");
    OTF2_EvtWriter_RmaReleaseLock(run().at(0), nullptr, run().now(), 0, 1, 0);
    run().leave(0, "MPI_Win_unlock");
    synchronize(1, "MPI_Win_post", kProcess);
    synchronize(0, "MPI_Win_start", kProcess);
    put();
    synchronize(0, "MPI_Win_complete", kBoth);
    synchronize(1, "MPI_Win_test", OTF2_RMA_SYNC_LEVEL_NONE);
    synchronize(1, "MPI_Win_wait", kBoth);
    free();

    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Foreign, APutOutsideOfAnEpochIsFound) {
    create();
    put();
    free();

    EXPECT_THAT(found(), ElementsAre(FindingClass::EpochError));
}

TEST_F(Foreign, ALockThatIsNotReleasedIsFound) {
    create();
    lock();
    put();
    free();

    EXPECT_THAT(found(), ElementsAre(FindingClass::EpochError));
}

TEST_F(Foreign, AFenceWithoutRecordsAllowsEverything) {
    create();
    run().all_call("MPI_Win_fence");
    put();
    run().all_call("MPI_Win_fence");
    free();

    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Foreign, OfWindowsAndGroupsThatAreNotDefinedNothingFollows) {
    create();
    put(77);
    synchronize_with(99, 0, "MPI_Win_start", kProcess);
    put();
    free();

    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Foreign, AWindowThatIsNotFreedIsFound) {
    create();

    EXPECT_THAT(found(), Each(FindingClass::LeakedWindow));
}

TEST_F(Foreign, RmaOfWhatIsNoMpiIsPassedOver) {
    run().enter(0, "shmem_put");
    OTF2_EvtWriter_RmaPut(run().at(0), nullptr, run().now(), 0, 1, 4, 7);
    run().leave(0, "shmem_put");

    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Foreign, RootsOfNonblockingCollectiveOperationsAreCompared) {
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        start(rank, "MPI_Ibcast");
        wait(rank, OTF2_COLLECTIVE_OP_BCAST, rank);
    }

    EXPECT_THAT(found(), ElementsAre(FindingClass::WrongRootProcess));
}

TEST_F(Foreign, NonblockingCollectiveOperationsAreMatched) {
    for (std::uint32_t rank = 0; rank < 2; ++rank)
        start(rank, "MPI_Iallreduce");
    for (std::uint32_t rank = 0; rank < 2; ++rank)
        wait(rank, OTF2_COLLECTIVE_OP_ALLREDUCE, kNoRoot);

    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Foreign, APersistentCollectiveOperationIsStarted) {
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        run().call(rank, "MPI_Bcast_init");
        start(rank, "MPI_Start");
        wait(rank, OTF2_COLLECTIVE_OP_BCAST, 0);
    }

    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Foreign, OfACollectiveOperationThatNeverCompletesNothingFollows) {
    start(0, "MPI_Ibarrier");

    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Foreign, OfACallThatIsNotExplainedItIsSaidThatItHasNotReturned) {
    run().enter(0, "MPI_Wait");
    run().enter(1, "MPI_Cart_create");

    EXPECT_THAT(found(true), Each(FindingClass::IncompleteCall));
}

TEST_F(Foreign, AReceiveOfWhichNothingIsKnownHasRoomForAnything) {
    run().enter(0, "MPI_Send");
    OTF2_EvtWriter_MpiSend(run().at(0), nullptr, run().now(), 1, 0, 3, 400);
    run().leave(0, "MPI_Send");
    run().enter(1, "MPI_Irecv");
    OTF2_EvtWriter_MpiIrecvRequest(run().at(1), nullptr, run().now(), 9);
    run().leave(1, "MPI_Irecv");

    EXPECT_THAT(found(false, Severity::Note),
                Not(Contains(AnyOf(FindingClass::WrongSendSize, FindingClass::IncorrectSendSize))));
}

TEST_F(Foreign, OfEndsThatAreNotRecordedNothingFollows) {
    run().enter(0, "MPI_Isend");
    OTF2_EvtWriter_MpiIsend(run().at(0), nullptr, run().now(), 1, 0, 3, 400, 9);
    run().leave(0, "MPI_Isend");
    run().enter(1, "MPI_Recv");
    OTF2_EvtWriter_MpiRecv(run().at(1), nullptr, run().now(), 0, 0, 3, 400);
    run().leave(1, "MPI_Recv");
    run().call(0, "MPI_Waitall");

    EXPECT_THAT(found(true, Severity::Note), IsEmpty());
}

TEST_F(Foreign, AMessageToNobodyIsOneToTheNullProcess) {
    const auto nobody = static_cast<std::uint32_t>(-1);
    run().enter(0, "MPI_Send");
    OTF2_EvtWriter_MpiSend(run().at(0), nullptr, run().now(), nobody, 0, 3, 400);
    run().leave(0, "MPI_Send");
    run().enter(0, "MPI_Recv");
    OTF2_EvtWriter_MpiRecv(run().at(0), nullptr, run().now(), nobody, 0, 3, 0);
    run().leave(0, "MPI_Recv");

    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Foreign, GroupsOfTheSameNumberAreToldByTheirKind) {
    run().number_groups_twice();
    run().enter(0, "MPI_Send");
    OTF2_EvtWriter_MpiSend(run().at(0), nullptr, run().now(), 1, 0, 3, 400);
    run().leave(0, "MPI_Send");

    EXPECT_THAT(found(), Contains(FindingClass::NonpairedSend));
}

TEST_F(Foreign, OfAMessageInAnUnknownCommunicatorNothingFollows) {
    run().enter(0, "MPI_Send");
    OTF2_EvtWriter_MpiSend(run().at(0), nullptr, run().now(), 1, 99, 3, 400);
    run().leave(0, "MPI_Send");
    run().enter(1, "MPI_Recv");
    OTF2_EvtWriter_MpiRecv(run().at(1), nullptr, run().now(), 0, 99, 3, 400);
    run().leave(1, "MPI_Recv");

    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Foreign, ALockThatIsNeverGrantedIsThere) {
    create();
    run().enter(0, "MPI_Win_lock");
    OTF2_EvtWriter_RmaRequestLock(run().at(0), nullptr, run().now(), 0, 1, 0, OTF2_LOCK_EXCLUSIVE);

    EXPECT_THAT(found(true), Not(Contains(FindingClass::MpiError)));
}

TEST_F(Foreign, CommunicatorsThatAreMadeAndFreedAreNoLeaks) {
    duplicate("MPI_Comm_dup", OTF2_COLLECTIVE_OP_CREATE_HANDLE, true);
    duplicate("MPI_Comm_free", OTF2_COLLECTIVE_OP_DESTROY_HANDLE, false);

    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Foreign, ACommunicatorThatIsNotFreedIsFound) {
    duplicate("MPI_Comm_dup", OTF2_COLLECTIVE_OP_CREATE_HANDLE, true);

    EXPECT_THAT(found(), Each(FindingClass::LeakedCommunicator));
}

TEST_F(Foreign, CallsInsideOfCallsAreCalls) {
    // A function that deletes an attribute meets others.
    const auto barrier = [this](std::uint32_t rank) {
        run().enter(rank, "MPI_Barrier");
        OTF2_EvtWriter_MpiCollectiveBegin(run().at(rank), nullptr, run().now());
        OTF2_EvtWriter_MpiCollectiveEnd(
            run().at(rank), nullptr, run().now(), OTF2_COLLECTIVE_OP_BARRIER, 0, kNoRoot, 0, 0);
        run().leave(rank, "MPI_Barrier");
    };
    duplicate("MPI_Comm_dup", OTF2_COLLECTIVE_OP_CREATE_HANDLE, true);
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        run().enter(rank, "MPI_Comm_free");
        barrier(rank);
        OTF2_EvtWriter_MpiCollectiveBegin(run().at(rank), nullptr, run().now());
        OTF2_EvtWriter_CommDestroy(run().at(rank), nullptr, run().now(), 1);
        OTF2_EvtWriter_MpiCollectiveEnd(run().at(rank),
                                        nullptr,
                                        run().now(),
                                        OTF2_COLLECTIVE_OP_DESTROY_HANDLE,
                                        1,
                                        kNoRoot,
                                        0,
                                        0);
        run().leave(rank, "MPI_Comm_free");
    }
    run().enter(0, "MPI_Comm_set_attr");
    barrier(0);
    run().leave(0, "MPI_Comm_set_attr");

    EXPECT_THAT(found(), ElementsAre(FindingClass::IncompleteCollective));
}

}  // namespace
}  // namespace mqinspect::trace_io
