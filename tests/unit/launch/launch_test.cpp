#include "inspector/launch/launch.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/target/live_memory.h"
#include "inspector/target/process_view.h"

namespace mqinspect::launch {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Launched : public testing::Test {
protected:
    Launched() {
        const auto folder = std::filesystem::temp_directory_path();
        file_ = (folder / ("mqinspect-launch-" + std::to_string(getpid()))).string();
        std::filesystem::remove(file_);
    }
    ~Launched() override { std::filesystem::remove(file_); }

    /// Handles events until it is true; false after 20 s.
    bool handle_until(const std::function<bool()>& reached) {
        return wait_for([&] {
            launch_.handle_events();
            return reached();
        });
    }

    /// The exit code of the command; -1: it did not end by itself.
    int run(const std::vector<std::string>& command) {
        const auto started = launch_.start(command);
        EXPECT_TRUE(started) << started.error().message;
        return started ? to_the_end() : -1;
    }
    int to_the_end() {
        if (!handle_until([this] { return launch_.status().has_value(); })) {
            kill(launch_.command_pid(), SIGKILL);
            return -1;
        }
        const int status = *launch_.status();
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    /// Without handling events.
    static bool wait_for(const std::function<bool()>& reached) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!reached()) {
            if (std::chrono::steady_clock::now() >= deadline) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return true;
    }

    bool has_breakpoint(pid_t pid) {
        const auto view = target::ProcessView::create(pid, images_);
        const auto memory = target::LiveMemory::open(pid);
        const auto address = view ? view->find_symbol("MPIR_Breakpoint") : std::nullopt;
        if (!memory || !address) return true;
        return target::read_value<std::uint8_t>(**memory, *address).value_or(0xCC) == 0xCC;
    }

    target::ImageStore images_{""};
    std::vector<std::string> notes_;
    Launch launch_{images_, [this](const std::string& note) { notes_.push_back(note); }};
    std::string file_;  ///< for wait=
};

TEST_F(Launched, TellsTheLauncherThatItIsDebugged) {
    EXPECT_EQ(3, run({MQI_LAUNCHER, "spawned", "end"}));
    EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(Launched, ALauncherAtFixedAddresses) {
    EXPECT_EQ(3, run({MQI_LAUNCHER_FIXED, "spawned", "end"}));
    EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(Launched, TracesWhatTheTableLists) {
    ASSERT_TRUE(launch_.start({MQI_LAUNCHER, "start=3", "spawned", "wait=" + file_, "end"}));

    ASSERT_TRUE(handle_until([this] { return launch_.launcher() != 0; }));

    EXPECT_EQ(launch_.command_pid(), launch_.launcher());
    EXPECT_EQ(4U, launch_.traced().size()) << "the launcher and three ranks";
    std::ofstream(file_) << "go";
    EXPECT_EQ(3, to_the_end());
}

TEST_F(Launched, StopsAgainWhenMoreIsSpawned) {
    ASSERT_TRUE(launch_.start(
        {MQI_LAUNCHER, "start=1", "spawned", "start=2", "spawned", "wait=" + file_, "end"}));

    ASSERT_TRUE(handle_until([this] { return launch_.traced().size() == 4; }));

    std::ofstream(file_) << "go";
    EXPECT_EQ(3, to_the_end());
}

TEST_F(Launched, FollowsAShellThatExecutesTheLauncher) {
    EXPECT_EQ(3, run({"sh", "-c", "exec " MQI_LAUNCHER " spawned end"}));
}

TEST_F(Launched, FollowsAShellThatStartsTwoLaunchers) {
    EXPECT_EQ(
        6,
        run({"sh",
             "-c",
             MQI_LAUNCHER " spawned end; a=$?; " MQI_LAUNCHER " spawned end; exit $((a + $?))"}));
}

TEST_F(Launched, SaysWhyTheLauncherAborts) {
    EXPECT_EQ(3, run({MQI_LAUNCHER, "aborting", "end"}));
    EXPECT_THAT(notes_, ElementsAre(AllOf(HasSubstr("gives the job up"), HasSubstr("no room"))));
}

TEST_F(Launched, TakesWhatIsSoundOfADamagedTable) {
    const std::vector<std::pair<std::string, std::string>> kinds = {{"zero", "no pid"},
                                                                    {"twice", "another rank"},
                                                                    {"absent", "does not exist"},
                                                                    {"foreign", "not started"}};
    for (const auto& [kind, text] : kinds) {
        Launch launch(images_, [this](const std::string& note) { notes_.push_back(note); });
        notes_.clear();
        ASSERT_TRUE(launch.start({MQI_LAUNCHER, "start=2", "bad=" + kind, "spawned", "end"}));

        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!launch.status() && std::chrono::steady_clock::now() < deadline)
            launch.handle_events();

        ASSERT_TRUE(launch.status()) << kind;
        EXPECT_EQ(3, WEXITSTATUS(*launch.status()));
        EXPECT_THAT(notes_, ElementsAre(HasSubstr(text))) << kind;
    }
}

/// As long as the launcher stands at its breakpoint, the job does not start.
TEST_F(Launched, ReadsALargeTableSoon) {
    ASSERT_TRUE(launch_.start({MQI_LAUNCHER, "remote=524288", "start=1", "spawned", "end"}));
    std::chrono::steady_clock::duration longest{};

    ASSERT_TRUE(handle_until([&, last = std::chrono::steady_clock::now()]() mutable {
        const auto now = std::chrono::steady_clock::now();
        longest = std::max(longest, now - std::exchange(last, now));
        return launch_.status().has_value();
    }));

    EXPECT_EQ(3, WEXITSTATUS(*launch_.status()));
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(longest).count();
    RecordProperty("longest_ms", static_cast<int>(ms));
    // Sanitizers and a busy machine take several times as long as a quiet one (0.1 s).
    EXPECT_LT(ms, 5000);
}

TEST_F(Launched, SaysThatALauncherHasNoMpir) {
    EXPECT_EQ(4, run({MQI_LAUNCHER_STRIPPED, "start=1", "spawned", "end"}));
    EXPECT_THAT(notes_, ElementsAre(HasSubstr("does not offer MPIR")));
}

TEST_F(Launched, RefusesWhatIsNoProgram) {
    const auto started = launch_.start({"/no/such/launcher"});

    ASSERT_FALSE(started);
    EXPECT_THAT(started.error().message, HasSubstr("/no/such/launcher"));
}

/// A tracer that is killed leaves a breakpoint behind, which the guard takes out.
TEST_F(Launched, TheLauncherOutlivesItsTracer) {
    const std::string code = file_ + ".code";
    const std::string up = file_ + ".up";
    const pid_t tracer = fork();
    if (tracer == 0) {
        const std::string script = std::string(MQI_LAUNCHER) + " start=1 spawned wait=" + file_ +
                                   " spawned end; echo $? > " + code;
        const auto started = launch_.start({"sh", "-c", script});
        if (started && handle_until([this] { return launch_.launcher() != 0; }))
            std::ofstream(up) << launch_.launcher() << std::endl;
        for (;;)
            pause();
    }
    pid_t launcher = 0;
    ASSERT_TRUE(wait_for([&] { return static_cast<bool>(std::ifstream(up) >> launcher); }));

    kill(tracer, SIGKILL);
    waitpid(tracer, nullptr, 0);
    ASSERT_TRUE(wait_for([&] { return !has_breakpoint(launcher); }));
    std::ofstream(file_) << "go";

    int result = 0;
    EXPECT_TRUE(wait_for([&] { return static_cast<bool>(std::ifstream(code) >> result); }));
    EXPECT_EQ(3, result) << "killed by its breakpoint";
    std::filesystem::remove(code);
    std::filesystem::remove(up);
}

}  // namespace
}  // namespace mqinspect::launch
