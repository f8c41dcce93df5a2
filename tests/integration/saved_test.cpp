// A look at a job, saved and shown again when the job is gone.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"
#include "tests/support/terminal.h"

namespace mqinspect::testing {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

Completed mqinspect(const std::vector<std::string>& arguments) {
    Command command{{MQI_INSPECT}, {}, {}};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    return run_to_end(command, seconds(30));
}

class Saved : public ::testing::Test {
protected:
    Saved() : file_(folder_.path() / "look") {
        MpiJobOptions options;
        options.ranks = 3;
        options.command = {std::string(MQI_PROGRAMS) + "/recv_ring_deadlock"};
        const MpiJob job(options);
        const bool hangs = poll_until(
            seconds(30), [&] { return verdict_kind(inspect({job.launcher_pid()})) == "deadlock"; });
        EXPECT_TRUE(hangs);
        saved_ = mqinspect({"save", std::to_string(job.launcher_pid()), "-o", file_});
    }

    TemporaryDirectory folder_;
    std::string file_;
    Completed saved_;
};

TEST_F(Saved, ShowsTheSameReportInEveryFormat) {
    ASSERT_TRUE(saved_.status);
    EXPECT_EQ(saved_.status->code, 1) << saved_.errors;
    EXPECT_EQ(saved_.output, "");

    const Completed text = mqinspect({"show", file_});
    const Completed json = mqinspect({"show", file_, "--format", "json"});
    const Completed dot = mqinspect({"show", file_, "--format", "dot"});

    ASSERT_TRUE(text.status && json.status && dot.status);
    EXPECT_EQ(text.status->code, 1) << text.errors;
    EXPECT_THAT(text.output, HasSubstr("Deadlock: ranks 0-2"));
    EXPECT_THAT(text.output, HasSubstr("recv_ring_deadlock.c:"));
    EXPECT_THAT(text.output, HasSubstr("posted receive"));
    const auto report = nlohmann::json::parse(json.output, nullptr, false);
    ASSERT_TRUE(report.is_object());
    EXPECT_EQ(report["verdict"]["kind"], "deadlock");
    EXPECT_FALSE(report["ranks"][0]["stack"].empty());
    EXPECT_THAT(dot.output, HasSubstr("digraph"));
}

TEST_F(Saved, OpensTheShellOnATerminal) {
    Terminal terminal({{MQI_INSPECT, "show", file_}, {"MQI_HISTORY="}, {}});
    constexpr std::string_view prompt = "mqinspect (saved)> ";

    ASSERT_TRUE(terminal.expect(prompt)) << terminal.seen();
    terminal.type("why 1\r");
    ASSERT_TRUE(terminal.expect("wait for each other"));
    terminal.type("refresh\r");
    ASSERT_TRUE(terminal.expect("there is no job to ask"));
    terminal.type("\x03");
    ASSERT_TRUE(terminal.expect(prompt)) << "Ctrl-C never ends it";
    terminal.type("save " + file_ + ".2\r");
    ASSERT_TRUE(terminal.expect("Saved;"));
    ASSERT_TRUE(terminal.expect(prompt)) << "before it the terminal swallows a Ctrl-D";
    terminal.type("\x04");
    ASSERT_TRUE(terminal.wait_for_exit());
    EXPECT_EQ(read_text(file_ + ".2"), read_text(file_));
}

TEST_F(Saved, FileThatIsNotThereIsRefusedInOneLine) {
    const Completed completed = mqinspect({"show", file_ + ".none"});

    ASSERT_TRUE(completed.status);
    EXPECT_EQ(completed.status->code, 2);
    EXPECT_TRUE(is_one_line(completed.errors)) << completed.errors;
}

}  // namespace
}  // namespace mqinspect::testing
