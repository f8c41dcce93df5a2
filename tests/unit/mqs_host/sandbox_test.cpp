// A DLL that attacks the inspector, the job and the machine.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/mqs_host/mqs_host.h"
#include "inspector/target/live_memory.h"
#include "inspector/target/process_view.h"
#include "tests/unit/mqs_host/fixture_target.h"

namespace mqinspect::mqs_host {
namespace {

/// How many acts of hostile_acts.c there are.
constexpr int kActs = 25;

std::string sandbox_fixture(const std::string& name) {
    return std::string(MQI_FIXTURE_FOLDER) + "/libmqs_fixture_" + name + ".so";
}

/// The test program is the target.
class Sandbox : public testing::Test {
protected:
    void SetUp() override {
        fixture_state = {4, 3};
        auto view = target::ProcessView::create(getpid(), store_);
        ASSERT_TRUE(view) << view.error().message;
        view_ = std::make_unique<target::ProcessView>(std::move(*view));
        auto memory = target::LiveMemory::open(getpid());
        ASSERT_TRUE(memory) << memory.error().message;
        memory_ = std::move(*memory);
    }

    Result<HostReport> read(const std::string& name) {
        const HostedProcess process{model::WorldRank(0), view_.get(), memory_.get()};
        return read_queues(sandbox_fixture(name), {&process, 1}, options_);
    }

    target::ImageStore store_{""};
    std::unique_ptr<target::ProcessView> view_;
    std::unique_ptr<target::LiveMemory> memory_;
    HostOptions options_;
};

TEST_F(Sandbox, RefusesEveryHostileAct) {
    // A file that could be written must not reach the DLL.
    std::string path = "/tmp/mqi-sandbox-XXXXXX";
    const int writable = mkstemp(path.data());
    ASSERT_GE(writable, 0);
    unlink(path.c_str());

    const auto report = read("hostile");
    close(writable);

    ASSERT_TRUE(report) << report.error().message;
    ASSERT_TRUE(report->ranks[0]) << report->ranks[0].error().message;
    int refused = 0;
    std::istringstream lines(report->output);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_THAT(line, testing::EndsWith(": refused"));
        ++refused;
    }
    EXPECT_EQ(2 * kActs, refused) << report->output;
}

TEST_F(Sandbox, LeavesTheTargetAsItIs) {
    ASSERT_TRUE(read("hostile"));

    EXPECT_EQ(4, fixture_state.size);
    EXPECT_EQ(3, fixture_state.operations);
    EXPECT_NE(nullptr, std::getenv("PATH"));
}

TEST_F(Sandbox, TheHelperEndsWithTheInspector) {
    // What the inspector leaves behind becomes a child of this process.
    ASSERT_EQ(0, prctl(PR_SET_CHILD_SUBREAPER, 1));
    const pid_t inspector = fork();
    ASSERT_GE(inspector, 0);
    if (inspector == 0) {
        options_.patience = std::chrono::minutes(5);
        const HostedProcess process{model::WorldRank(1), view_.get(), memory_.get()};
        read_queues(sandbox_fixture("hangs"), {&process, 1}, options_).error();
        _exit(0);
    }
    const std::string children =
        "/proc/" + std::to_string(inspector) + "/task/" + std::to_string(inspector) + "/children";
    // Until the DLL hangs: in pause(2), by the number that /proc shows.
    pid_t helper = 0;
    int system_call = -1;
    for (int tries = 0; system_call != SYS_pause && tries < 1000; ++tries) {
        usleep(10'000);
        std::ifstream(children) >> helper;
        std::ifstream("/proc/" + std::to_string(helper) + "/syscall") >> system_call;
    }
    ASSERT_EQ(SYS_pause, system_call);

    kill(inspector, SIGKILL);

    int status = 0;
    ASSERT_EQ(inspector, waitpid(inspector, &status, 0));
    ASSERT_EQ(helper, waitpid(helper, &status, 0));
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(SIGKILL, WTERMSIG(status));
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

}  // namespace
}  // namespace mqinspect::mqs_host
