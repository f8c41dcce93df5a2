// MPICH's own debugger DLL in our host.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

using std::chrono::seconds;

MpiJobOptions program(const std::string& name, int ranks) {
    MpiJobOptions options;
    options.ranks = ranks;
    options.command = {std::string(MQI_PROGRAMS) + "/" + name};
    return options;
}

class MpichDll : public ::testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(dll())) {
            GTEST_SKIP() << "this MPICH was configured without --enable-debuginfo";
        }
    }

    static std::string dll() { return std::string(MQI_MPICH_PREFIX) + "/lib/libtvmpich.so"; }

    static Inspection look(const MpiJob& job) {
        return inspect_with({"--dll", dll()}, {job.launcher_pid()});
    }

    /// The kinds of verdict on the way to `wanted`, which is the last unless time ran out.
    static std::vector<std::string> kinds_until(const MpiJob& job, const std::string& wanted) {
        std::vector<std::string> kinds;
        poll_until(seconds(20), [&] {
            kinds.push_back(verdict_kind(look(job)));
            return kinds.back() == wanted;
        });
        return kinds;
    }

    static void expect_verdict(const std::string& name, int ranks, const std::string& wanted) {
        const MpiJob job(program(name, ranks));
        const auto kinds = kinds_until(job, wanted);
        ASSERT_FALSE(kinds.empty());
        EXPECT_EQ(kinds.back(), wanted) << name;
        for (const std::string& kind : kinds) {
            const bool alarm = kind == "deadlock" || kind == "hang_up";
            EXPECT_FALSE(alarm && kind != wanted) << name << ": a false alarm, " << kind;
        }
    }
};

TEST_F(MpichDll, IsNotTakenAlthoughTheProcessNamesIt) {
    const MpiJob job(program("recv_ring_deadlock", 3));
    Inspection last;
    ASSERT_TRUE(poll_until(seconds(20), [&] {
        last = inspect({job.launcher_pid()});
        return verdict_kind(last) == "deadlock";
    }));

    const std::string used = last.report.at("job").at("dll");
    EXPECT_TRUE(used.ends_with("libmqs_mpich.so")) << used;
}

TEST_F(MpichDll, FindsDeadlocksOfReceivesAndOfSendsThatItHides) {
    expect_verdict("recv_ring_deadlock", 3, "deadlock");
    expect_verdict("ssend_pair_deadlock", 2, "deadlock");
    expect_verdict("barrier_all_but_one_deadlock", 4, "deadlock");
}

TEST_F(MpichDll, RaisesNoFalseAlarm) {
    expect_verdict("recv_ring_ok", 3, "none");
    expect_verdict("ssend_pair_ok", 2, "none");
}

TEST_F(MpichDll, IsCorrectedWhereItIsWrong) {
    const MpiJob job(program("foreign_hang", 4));
    Inspection last;
    ASSERT_TRUE(poll_until(seconds(20), [&] {
        last = look(job);
        if (!last.report.is_object()) return false;
        return std::ranges::all_of(last.report.at("ranks"), [](const auto& rank) {
            return rank.at("call").is_object() && rank.at("call").at("function") == "MPI_Wait";
        });
    })) << last.output;
    const auto& report = last.report;

    for (const auto& communicator : report.at("communicators")) {
        EXPECT_EQ(communicator.at("internal"), false) << communicator;
        EXPECT_NE(communicator.at("name"), "--unnamed--");
    }
    std::vector<int> send_tags;
    bool saw_receive = false;
    for (const auto& operation : report.at("operations")) {
        EXPECT_EQ(operation.at("bytes"), nullptr) << "a count was taken for bytes";
        const bool on_world = operation.at("rank") == 0 && operation.at("communicator") == 0;
        if (!on_world || operation.at("queue") == "unexpected_message") continue;
        EXPECT_EQ(operation.at("world_peer"), 1) << operation;
        if (operation.at("queue") == "pending_send") {
            EXPECT_EQ(operation.at("doubtful"), true);
            send_tags.push_back(operation.at("tag"));
        } else if (operation.at("tag") == 42) {
            saw_receive = true;
            EXPECT_EQ(operation.at("count"), 1000);
            EXPECT_EQ(operation.at("doubtful"), false);
        }
    }
    EXPECT_TRUE(saw_receive);
    // Posted in this order, listed by the DLL in the other.
    EXPECT_EQ(send_tags, (std::vector<int>{9, 11, 13})) << last.output;
    for (const auto& rank : report.at("ranks")) {
        EXPECT_EQ(rank.at("queues_known"), false);
        EXPECT_EQ(rank.at("state"), "blocked");
    }
}

}  // namespace
}  // namespace mqinspect::testing
