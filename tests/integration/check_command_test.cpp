// mqinspect check on recorded runs that were made up: options, formats, exit codes.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/child_process.h"
#include "tests/support/record_writer.h"
#include "tests/support/recorded_folder.h"

namespace mqinspect {
namespace {

using model::Direction;
using model::EventKind;
using model::ParameterKind;
using testing::Fields;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Numbers;
using testing::RecordedFolder;
using testing::RecordWriter;

constexpr int kNothingFound = 0;
constexpr int kFindings = 1;
constexpr int kCannotDo = 2;
constexpr int kPartial = 3;

/// Rank 0 sends four integers to rank 1, which has room for `room` of them.
void write_exchange(const RecordedFolder& folder, std::int64_t room) {
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        RecordWriter writer("h.1." + std::to_string(rank), 5000);
        writer.define_usual(rank, 2, 77);
        const auto init = writer.define_procedure("MPI_Init", {});
        const auto send = writer.define_procedure("MPI_Send",
                                                  {{"buf", ParameterKind::Buffer},
                                                   {"count", ParameterKind::Count},
                                                   {"datatype", ParameterKind::Datatype},
                                                   {"dest", ParameterKind::Rank},
                                                   {"tag", ParameterKind::Tag},
                                                   {"comm", ParameterKind::Communicator}});
        const auto receive =
            writer.define_procedure("MPI_Recv",
                                    {{"buf", ParameterKind::Buffer},
                                     {"count", ParameterKind::Count},
                                     {"datatype", ParameterKind::Datatype},
                                     {"source", ParameterKind::Rank},
                                     {"tag", ParameterKind::Tag},
                                     {"comm", ParameterKind::Communicator},
                                     {"status", ParameterKind::Status, Direction::Out}});
        const auto finalize = writer.define_procedure("MPI_Finalize", {});
        writer.enter(0, init, 1, 10, {});
        writer.leave(0, 20, {0});
        if (rank == 0) {
            writer.enter(0, send, 2, 30, {0x1000, 4, 0, 1, 7, 0});
            writer.leave(0, 40, {0});
        } else {
            writer.enter(0, receive, 2, 30, {0x1000, room, 0, 0, 7, 0});
            writer.leave(0, 50, {0, Numbers{0, 7, 0, 16, 0}});
        }
        writer.enter(0, finalize, 3, 60, {});
        writer.leave(0, 70, {0});
        writer.event(0, EventKind::Exit, 80, Fields().number(0));
        writer.save(folder.path());
    }
}

struct Checked {
    int exit_code = -1;
    std::string output;
    std::string errors;
};

Checked check(const RecordedFolder& folder, std::vector<std::string> options = {}) {
    std::vector<std::string> command = {MQI_INSPECT, "check", folder.path().string()};
    command.insert(command.end(), options.begin(), options.end());
    testing::ChildProcess process({command, {}, {}});
    const auto status = process.wait_for_exit(std::chrono::seconds(30));
    return {status ? status->code : -1, process.output(), process.errors()};
}

TEST(CheckCommand, OfACleanRunFindsNothing) {
    const RecordedFolder folder;
    write_exchange(folder, 4);

    const Checked checked = check(folder);

    EXPECT_EQ(checked.exit_code, kNothingFound) << checked.output;
    EXPECT_THAT(checked.output, HasSubstr("No errors found in the run of 2 processes."));
}

TEST(CheckCommand, NamesTheErrorAndEndsWithOne) {
    const RecordedFolder folder;
    write_exchange(folder, 2);

    const Checked checked = check(folder);

    EXPECT_EQ(checked.exit_code, kFindings);
    EXPECT_THAT(checked.output, HasSubstr("error: wrong send size: "));
}

TEST(CheckCommand, WritesEachFormatToAFile) {
    const RecordedFolder folder;
    write_exchange(folder, 2);
    const std::string file = (folder.path() / "report").string();

    EXPECT_EQ(check(folder, {"--format", "json", "-o", file}).exit_code, kFindings);
    EXPECT_EQ(nlohmann::json::parse(std::ifstream(file))["schema"], "mqinspect.findings/1");
    EXPECT_EQ(check(folder, {"--format", "sarif", "-o", file}).exit_code, kFindings);
    EXPECT_EQ(nlohmann::json::parse(std::ifstream(file))["version"], "2.1.0");
    EXPECT_EQ(check(folder, {"-o", file}).exit_code, kFindings);
    const std::string text((std::istreambuf_iterator<char>(std::ifstream(file).rdbuf())), {});
    EXPECT_THAT(text, HasSubstr("\nTask state\n=========="));
}

TEST(CheckCommand, WritesSarifThatFollowsItsStandard) {
    const RecordedFolder folder;
    write_exchange(folder, 2);
    const std::string file = (folder.path() / "report.sarif").string();
    check(folder, {"--format", "sarif", "-o", file});

    testing::ChildProcess validator(
        {{"/usr/bin/python3", "-W", "ignore", "-m", "jsonschema", "-i", file, MQI_SARIF_SCHEMA},
         {},
         {}});
    const auto status = validator.wait_for_exit(std::chrono::seconds(60));

    ASSERT_TRUE(status);
    EXPECT_EQ(status->code, 0) << validator.output() << validator.errors();
}

TEST(CheckCommand, PrintsTheTablesThatAreAskedFor) {
    const RecordedFolder folder;
    write_exchange(folder, 2);

    EXPECT_THAT(check(folder).output, Not(HasSubstr("Task state")));
    EXPECT_THAT(check(folder, {"--protocol"}).output, HasSubstr("\nTask state\n"));
    EXPECT_THAT(check(folder, {"--format", "text"}).output, HasSubstr("\nTask state\n"));
    const std::string some = check(folder, {"--tables", "errors,stages"}).output;
    EXPECT_THAT(some, HasSubstr("\nAll errors/warnings\n"));
    EXPECT_THAT(some, HasSubstr("Task state and error printing"));
    EXPECT_THAT(some, Not(HasSubstr("\nTask state\n")));
    EXPECT_EQ(check(folder, {"--tables", "nothing"}).exit_code, kCannotDo);
    EXPECT_EQ(check(folder, {"--tables", "task", "--format", "json"}).exit_code, kCannotDo);
}

TEST(CheckCommand, PrintsFragmentsOfTheTrace) {
    const RecordedFolder folder;
    write_exchange(folder, 4);

    const std::string whole = check(folder, {"--trace", "all"}).output;
    EXPECT_THAT(whole, HasSubstr("\nTrace of processes\n"));
    EXPECT_THAT(whole, HasSubstr("call MPI_Recv."));
    const std::string part = check(folder, {"--trace", "0:2-2", "--tables", "task"}).output;
    EXPECT_THAT(part, HasSubstr("    2  call MPI_Send."));
    EXPECT_THAT(part, Not(HasSubstr("MPI_Recv")));
    const Checked wrong = check(folder, {"--trace", "zero"});
    EXPECT_EQ(wrong.exit_code, kCannotDo);
    EXPECT_THAT(wrong.errors, HasSubstr("'zero' is no part of a trace"));
}

TEST(CheckCommand, DoesNotLookForClassesThatAreLeftOut) {
    const RecordedFolder folder;
    write_exchange(folder, 2);

    const Checked checked = check(folder, {"--without", "wrong_send_size"});
    EXPECT_EQ(checked.exit_code, kNothingFound) << checked.output;
    EXPECT_EQ(check(folder, {"--without", "abend,abort"}).exit_code, kFindings);
    const Checked wrong = check(folder, {"--without", "no_such_class"});
    EXPECT_EQ(wrong.exit_code, kCannotDo);
    EXPECT_EQ(std::count(wrong.errors.begin(), wrong.errors.end(), '\n'), 1);
}

TEST(CheckCommand, CanRefuseADamagedRecording) {
    const RecordedFolder folder;
    write_exchange(folder, 4);
    std::filesystem::remove(folder.path() / "h.1.1.mqlog");

    EXPECT_EQ(check(folder, {"--damaged", "check"}).exit_code, kPartial);
    EXPECT_EQ(check(folder, {"--damaged", "refuse"}).exit_code, kCannotDo);
}

TEST(CheckCommand, PutsComplaintsIntoAFile) {
    const RecordedFolder folder;
    write_exchange(folder, 4);
    const std::string file = (folder.path() / "messages").string();
    const auto content = [&] {
        std::ifstream stream(file);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    };

    std::ofstream(file) << "of an earlier run";
    const Checked checked = check(folder, {"--messages", file});
    EXPECT_EQ(checked.exit_code, kNothingFound);
    EXPECT_EQ(checked.errors, "");
    EXPECT_THAT(content(), Not(HasSubstr("of an earlier run")));
    EXPECT_THAT(content(), HasSubstr("/bin/app"));  // which is not here

    std::filesystem::remove(folder.path() / "h.1.1.mqlog");
    EXPECT_EQ(check(folder, {"--messages", file}).exit_code, kPartial);
    EXPECT_THAT(content(), HasSubstr("h.1.1"));
}

TEST(CheckCommand, SuppressesWhatAFileNames) {
    const RecordedFolder folder;
    write_exchange(folder, 2);
    const std::string rules = (folder.path() / "rules").string();

    std::ofstream(rules) << "# known\n\nwrong_send_size MPI_Recv\n";
    const Checked without = check(folder, {"--suppress", rules});
    EXPECT_EQ(without.exit_code, kNothingFound) << without.output;
    EXPECT_THAT(without.output, HasSubstr("1 finding suppressed."));

    std::ofstream(rules) << "wrong_send_size MPI_Bcast\nwrong_send_size * elsewhere.c:3\n";
    EXPECT_EQ(check(folder, {"--suppress", rules}).exit_code, kFindings);

    std::ofstream(rules) << "wrong_send_size MPI_Recv a.c:x\n";
    const Checked bad = check(folder, {"--suppress", rules});
    EXPECT_EQ(bad.exit_code, kCannotDo);
    EXPECT_THAT(bad.errors, HasSubstr("rules:1: write CLASS"));
}

TEST(CheckCommand, ReportsOnlyWhatTheBaselineDoesNotHave) {
    const RecordedFolder folder;
    write_exchange(folder, 2);
    const std::string json = (folder.path() / "before.json").string();
    const std::string sarif = (folder.path() / "before.sarif").string();
    check(folder, {"--format", "json", "-o", json});
    check(folder, {"--format", "sarif", "-o", sarif});

    const Checked known = check(folder, {"--baseline", json});
    EXPECT_EQ(known.exit_code, kNothingFound) << known.output;
    EXPECT_THAT(known.output, HasSubstr("1 finding known from the baseline."));
    EXPECT_EQ(check(folder, {"--baseline", sarif}).exit_code, kNothingFound);

    std::ofstream(json) << R"({"schema": "mqinspect.findings/1", "findings": []})";
    EXPECT_EQ(check(folder, {"--baseline", json}).exit_code, kFindings);
    std::ofstream(json) << "no report";
    EXPECT_EQ(check(folder, {"--baseline", json}).exit_code, kCannotDo);
}

TEST(CheckCommand, TakesItsOptionsFromAFile) {
    const RecordedFolder folder;
    write_exchange(folder, 2);
    const std::string file = (folder.path() / "options").string();
    std::ofstream(file) << "format=json\n";

    const Checked checked = check(folder, {"--config", file});

    EXPECT_EQ(checked.exit_code, kFindings) << checked.errors;
    EXPECT_FALSE(nlohmann::json::parse(checked.output, nullptr, false).is_discarded());
}

TEST(CheckCommand, TheCommandLineComesBeforeTheFile) {
    const RecordedFolder folder;
    write_exchange(folder, 2);
    const std::string file = (folder.path() / "options").string();
    std::ofstream(file) << "format=json\nstrict=true\n";

    const Checked checked = check(folder, {"--config", file, "--format", "text"});
    EXPECT_TRUE(nlohmann::json::parse(checked.output, nullptr, false).is_discarded());

    std::ofstream(file) << "no-such-option=1\n";
    EXPECT_EQ(check(folder, {"--config", file}).exit_code, kCannotDo);
}

TEST(CheckCommand, OfAPartOfARunSaysSo) {
    const RecordedFolder folder;
    write_exchange(folder, 4);
    std::filesystem::remove(folder.path() / "h.1.1.mqlog");

    const Checked checked = check(folder);

    EXPECT_EQ(checked.exit_code, kPartial) << checked.output;
    EXPECT_THAT(checked.output, HasSubstr("No errors found in what could be read"));
    EXPECT_THAT(checked.output, HasSubstr("Not read:"));
}

TEST(CheckCommand, OfNothingIsAnError) {
    const RecordedFolder folder;

    const Checked checked = check(folder);

    EXPECT_EQ(checked.exit_code, kCannotDo);
    EXPECT_THAT(checked.errors, HasSubstr("no recorded process in it"));
    EXPECT_EQ(std::count(checked.errors.begin(), checked.errors.end(), '\n'), 1);
}

}  // namespace
}  // namespace mqinspect
