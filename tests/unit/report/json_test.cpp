#include "report/json.h"

#include <chrono>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/report/fixtures.h"

namespace mqinspect::report {
namespace {

using nlohmann::json;

json json_of(const Case& given) {
    return json::parse(print_json(given.snapshot, given.verdict));
}

TEST(Json, NamesItsSchemaAndTheJob) {
    const json report = json_of(ring(4));
    EXPECT_EQ(report["schema"], "mqinspect.report/1");
    EXPECT_EQ(report["job"]["launcher"], "mpiexec.hydra, pid 4711");
    EXPECT_EQ(report["job"]["hosts"], json::array({"node1"}));
    EXPECT_EQ(report["job"]["size"], 4);
    EXPECT_EQ(report["job"]["mpi"], "MPICH 4.0.2, ch3:nemesis");
    EXPECT_EQ(report["job"]["dll"], "/opt/mqinspect/lib/libmqs_mpich.so");
    EXPECT_DOUBLE_EQ(report["stopped_ms"], 12.5);
    EXPECT_DOUBLE_EQ(report["total_ms"], 48.25);
}

TEST(Json, ShowsARankWithItsCallAndStack) {
    const json rank = json_of(ring(4))["ranks"][1];
    EXPECT_EQ(rank["rank"], 1);
    EXPECT_EQ(rank["pid"], 4801);
    EXPECT_EQ(rank["host"], "node1");
    EXPECT_EQ(rank["state"], "blocked");
    EXPECT_EQ(rank["call"]["function"], "MPI_Recv");
    EXPECT_EQ(rank["call"]["arguments"]["source"], "0");
    EXPECT_EQ(rank["call"]["file"], "/home/user/ring.c");
    EXPECT_EQ(rank["call"]["line"], 14);
    EXPECT_EQ(rank["stack"][1]["function"], "exchange");
    EXPECT_EQ(rank["stack"][1]["line"], 14);
    EXPECT_EQ(rank["stack"][0]["file"], nullptr);
    EXPECT_EQ(rank["stack"][0]["pc"], 0x1000);
    EXPECT_EQ(rank["problem"], nullptr);
    EXPECT_EQ(json_of(barrier_without(4, 2))["ranks"][2]["call"], nullptr);
}

TEST(Json, ShowsAnOperation) {
    const json operation = json_of(ring(4))["operations"][0];
    EXPECT_EQ(operation["rank"], 0);
    EXPECT_EQ(operation["communicator"], 0);
    EXPECT_EQ(operation["queue"], "posted_receive");
    EXPECT_EQ(operation["state"], "pending");
    EXPECT_EQ(operation["comm_peer"], 3);
    EXPECT_EQ(operation["world_peer"], 3);
    EXPECT_EQ(operation["tag"], 7);
    EXPECT_EQ(operation["bytes"], 4);
    EXPECT_EQ(operation["count"], 1);
    EXPECT_EQ(operation["datatype"], "MPI_INT");
    EXPECT_EQ(operation["function"], "MPI_Recv");
    EXPECT_EQ(operation["request"], nullptr);
}

TEST(Json, WildcardsAndUnknownsAreNull) {
    Case given = ring(2);
    model::Operation& wild = given.snapshot.operations[0];
    wild.any_source = true;
    wild.any_tag = true;
    given.snapshot.operations[1] = {};
    given.snapshot.communicators[0].members[1] = model::kUnknownRank;

    const json report = json_of(given);

    for (const char* key : {"comm_peer", "world_peer", "tag"}) {
        EXPECT_EQ(report["operations"][0][key], nullptr) << key;
        EXPECT_EQ(report["operations"][1][key], nullptr) << key;
    }
    EXPECT_EQ(report["operations"][0]["any_source"], true);
    EXPECT_EQ(report["operations"][1]["any_source"], false);
    EXPECT_EQ(report["operations"][1]["bytes"], nullptr);
    EXPECT_EQ(report["operations"][1]["datatype"], nullptr);
    EXPECT_EQ(report["communicators"][0]["members"], json::array({0, nullptr}));
}

TEST(Json, ShowsTheVerdict) {
    Case given = ring(2);
    given.verdict.victims = {{model::WorldRank(1), {model::WorldRank(1), model::WorldRank(0)}}};
    given.verdict.running = {model::WorldRank(0)};
    given.verdict.cores[0].waits[0].hints = {"other tag"};

    const json verdict = json_of(given)["verdict"];

    EXPECT_EQ(verdict["kind"], "deadlock");
    EXPECT_EQ(verdict["sentence"], given.verdict.sentence);
    EXPECT_EQ(verdict["cores"][0]["kind"], "deadlock");
    EXPECT_EQ(verdict["cores"][0]["ranks"], json::array({0, 1}));
    const json wait = verdict["cores"][0]["waits"][0];
    EXPECT_EQ(wait["rank"], 0);
    EXPECT_EQ(wait["for"], json::array({1}));
    EXPECT_EQ(wait["mode"], "all");
    EXPECT_EQ(wait["call"], "MPI_Recv");
    EXPECT_EQ(wait["file"], "/home/user/ring.c");
    EXPECT_EQ(wait["line"], 14);
    EXPECT_EQ(wait["hints"], json::array({"other tag"}));
    EXPECT_EQ(verdict["victims"][0], json({{"rank", 1}, {"chain", {1, 0}}}));
    EXPECT_EQ(verdict["running"], json::array({0}));
}

TEST(Json, NamesStatesAndKindsAsTheContractDoes) {
    using analysis::VerdictKind;
    using model::RankState;
    Case given = ring(4);
    for (const auto& [kind, name] : {std::pair{VerdictKind::None, "none"},
                                     std::pair{VerdictKind::Deadlock, "deadlock"},
                                     std::pair{VerdictKind::HangUp, "hang_up"},
                                     std::pair{VerdictKind::Suspected, "suspected"},
                                     std::pair{VerdictKind::Unknown, "unknown"}}) {
        given.verdict.kind = kind;
        EXPECT_EQ(json_of(given)["verdict"]["kind"], name);
    }
    for (const auto& [state, name] : {std::pair{RankState::Blocked, "blocked"},
                                      std::pair{RankState::Running, "running"},
                                      std::pair{RankState::Exited, "exited"},
                                      std::pair{RankState::Unreadable, "unreadable"}}) {
        given.snapshot.ranks[0].state = state;
        EXPECT_EQ(json_of(given)["ranks"][0]["state"], name);
    }
}

TEST(Json, StaysValidWhateverTheNamesAre) {
    Case given = ring(2);
    std::string every_byte;
    for (int byte = 0; byte < 256; ++byte)
        every_byte += static_cast<char>(byte);
    given.snapshot.communicators[0].name = every_byte;
    given.snapshot.ranks[0].call->arguments[0].name = every_byte;
    given.verdict.sentence = "\"\\\x1b\xff";
    given.snapshot.stopped_ms = std::numeric_limits<double>::quiet_NaN();

    const json report = json_of(given);

    EXPECT_EQ(report["verdict"]["sentence"], "\"\\\x1b\uFFFD");
    EXPECT_EQ(report["stopped_ms"], nullptr);
}

TEST(Json, KeepsAllBitsOfLargeNumbers) {
    Case given = ring(1);
    given.snapshot.operations[0].bytes = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(json_of(given)["operations"][0]["bytes"].get<std::uint64_t>(),
              std::numeric_limits<std::uint64_t>::max());
}

TEST(Json, TakesSnapshotsWithoutAnything) {
    const json report = json_of({});
    EXPECT_EQ(report["ranks"], json::array());
    EXPECT_EQ(report["job"]["launcher"], nullptr);
    EXPECT_EQ(report["verdict"]["kind"], "none");
}

}  // namespace
}  // namespace mqinspect::report
