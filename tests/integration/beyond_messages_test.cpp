// What lies beyond point-to-point messages, as real jobs have it: windows, matched
// probes, parts of nonblocking collectives, sends whose request is freed.
#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

using nlohmann::json;
using std::chrono::seconds;

MpiJobOptions program(const std::string& name, int ranks) {
    MpiJobOptions options;
    options.ranks = ranks;
    options.command = {std::string(MQI_PROGRAMS) + "/" + name};
    return options;
}

/// The report on the program once it has come to a verdict of this kind.
json report_on(const std::string& name, int ranks, const std::string& verdict) {
    MpiJob job(program(name, ranks));
    json report;
    const bool found = poll_until(seconds(30), [&] {
        const Inspection inspection = inspect({job.launcher_pid()});
        if (!inspection.report.is_object()) return false;
        report = inspection.report;
        return report.at("verdict").at("kind") == verdict;
    });
    EXPECT_TRUE(found) << report.dump(2);
    return report;
}

/// The part of rank `rank` of the only window.
json window_of(const json& report, int rank) {
    for (const json& window : report.at("windows")) {
        if (window.at("rank") == rank) return window;
    }
    ADD_FAILURE() << "rank " << rank << " has no window";
    return {};
}

/// The operations of a rank in a queue, without those inside of collective calls.
json operations_of(const json& report, int rank, const std::string& queue) {
    json found = json::array();
    for (const json& operation : report.at("operations")) {
        const bool inner = operation.at("collective") == true && queue != "collective";
        if (operation.at("rank") == rank && operation.at("queue") == queue && !inner) {
            found.push_back(operation);
        }
    }
    return found;
}

TEST(BeyondMessages, LocksAreSeenFromBothSides) {
    const json report = report_on("win_lock_remote_deadlock", 3, "deadlock");

    ASSERT_EQ(report.at("windows").size(), 3U);
    const json target = window_of(report, 2);
    EXPECT_EQ(target.at("lock"), "exclusive");
    EXPECT_EQ(target.at("holders"), 1);
    EXPECT_EQ(target.at("waiters"), json::parse(R"([{"rank": 1, "type": "shared"}])"));
    EXPECT_EQ(target.at("flavor"), "create");
    EXPECT_EQ(target.at("bytes"), 4);
    const json holder = window_of(report, 0);
    EXPECT_EQ(holder.at("access"), "lock");
    ASSERT_EQ(holder.at("targets").size(), 1U);
    EXPECT_EQ(holder.at("targets")[0].at("lock"), "granted");
    EXPECT_EQ(holder.at("targets")[0].at("type"), "exclusive");
    const json waiter = window_of(report, 1);
    ASSERT_EQ(waiter.at("targets").size(), 1U);
    EXPECT_EQ(waiter.at("targets")[0].at("rank"), 2);
    EXPECT_EQ(waiter.at("targets")[0].at("lock"), "requested");
    EXPECT_EQ(waiter.at("targets")[0].at("operations"), 1);
    EXPECT_EQ(holder.at("communicator"), waiter.at("communicator"));
}

TEST(BeyondMessages, EpochsOfPostAndStartAreSeen) {
    const json report = report_on("win_post_missing_deadlock", 3, "deadlock");

    const json origin = window_of(report, 0);
    EXPECT_EQ(origin.at("access"), "start");
    EXPECT_EQ(origin.at("access_granted"), false);
    EXPECT_EQ(origin.at("started"), json::parse("[1, 2]"));
    EXPECT_EQ(window_of(report, 1).at("exposure"), "none");
    EXPECT_EQ(window_of(report, 2).at("exposure"), "post");
    EXPECT_EQ(window_of(report, 2).at("completions_missing"), 1);
}

TEST(BeyondMessages, AMessageThatAMatchedProbeHasTakenIsListed) {
    const json report = report_on("mprobe_unreceived_deadlock", 2, "deadlock");

    const json messages = operations_of(report, 1, "unexpected_message");
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].at("state"), "matched");
    EXPECT_EQ(messages[0].at("world_peer"), 0);
    EXPECT_EQ(messages[0].at("tag"), 5);
    EXPECT_EQ(messages[0].at("bytes"), 4);
    EXPECT_EQ(messages[0].at("synchronous"), true);
    EXPECT_TRUE(messages[0].at("request").is_number());
}

TEST(BeyondMessages, PartsOfANonblockingBarrierAreSeen) {
    const json report = report_on("ibarrier_parts_deadlock", 4, "deadlock");

    const json barrier = operations_of(report, 2, "collective");
    ASSERT_EQ(barrier.size(), 1U);
    EXPECT_EQ(barrier[0].at("receives_from"), json::parse("[0]"));
    EXPECT_EQ(barrier[0].at("sends_to"), json::array());
    EXPECT_EQ(operations_of(report, 0, "collective")[0].at("receives_from"), json::parse("[3]"));
}

TEST(BeyondMessages, ASendWhoseRequestIsFreedIsStillPending) {
    const json report = report_on("request_free_hang_up", 2, "hang_up");

    const json sends = operations_of(report, 0, "pending_send");
    ASSERT_EQ(sends.size(), 1U);
    EXPECT_EQ(sends[0].at("state"), "pending");
    EXPECT_EQ(sends[0].at("world_peer"), 1);
    EXPECT_EQ(sends[0].at("tag"), 5);
    EXPECT_EQ(sends[0].at("mode"), "synchronous");
}

}  // namespace
}  // namespace mqinspect::testing
