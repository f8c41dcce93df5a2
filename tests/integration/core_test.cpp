// `mqinspect core` on the core files of real jobs: copies by gcore of jobs that hang, and
// what the kernel, or a debugger, writes of a rank that crashes.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expectation.h"
#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

std::string program(const std::string& name) {
    return std::string(MQI_PROGRAMS) + "/" + name;
}

std::string listed(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += "  " + line + "\n";
    return text;
}

class CoreFiles : public ::testing::Test {
protected:
    std::string core_of(pid_t pid) const {
        return (directory_.path() / "core.").native() + std::to_string(pid);
    }

    /// Copies the processes; the paths of their cores.
    std::vector<std::string> copy(const std::vector<pid_t>& pids) const {
        Command command;
        command.arguments = {"gcore", "-o", (directory_.path() / "core").native()};
        std::vector<std::string> cores;
        for (const pid_t pid : pids) {
            command.arguments.push_back(std::to_string(pid));
            cores.push_back(core_of(pid));
        }
        const Completed completed = run_to_end(command, seconds(120));
        for (const std::string& core : cores) {
            EXPECT_TRUE(std::filesystem::exists(core)) << completed.output << completed.errors;
        }
        return cores;
    }

    TemporaryDirectory directory_;
};

class CoreOfScenario : public CoreFiles, public ::testing::WithParamInterface<const char*> {};

TEST_P(CoreOfScenario, SaysWhatAttachSays) {
    const std::string name = GetParam();
    const auto source = std::filesystem::path(MQI_PROGRAM_SOURCES) / (name + ".c");
    const auto expectation = read_expectation(source);
    ASSERT_TRUE(expectation) << expectation.error().message;
    MpiJobOptions options;
    options.ranks = expectation->starts;
    options.launcher_options = expectation->launcher_options;
    options.command = {program(name)};
    const MpiJob job(options);
    std::vector<std::string> differ;
    const bool stuck = poll_until(seconds(30), [&] {
        const Inspection live = inspect({job.launcher_pid()});
        differ = live.report.is_object() ? differences(*expectation, live.report)
                                         : std::vector<std::string>{live.errors};
        return differ.empty();
    });
    ASSERT_TRUE(stuck) << listed(differ);

    const Inspection inspection = inspect_cores(program(name), copy(job.rank_pids()));

    ASSERT_TRUE(inspection.report.is_object()) << inspection.errors;
    EXPECT_EQ(listed(differences(*expectation, inspection.report)), "");
    EXPECT_EQ(listed(schema_problems(inspection.report)), "");
    EXPECT_EQ(inspection.exit_code, expectation->verdict == "none" ? 0 : 1);
    EXPECT_EQ(inspection.errors, "");
    EXPECT_TRUE(inspection.report["problems"].empty()) << inspection.report["problems"];
}

INSTANTIATE_TEST_SUITE_P(Key,
                         CoreOfScenario,
                         ::testing::Values("recv_ring_deadlock",
                                           "wrong_tag_deadlock",
                                           "waitall_mixed_deadlock",
                                           "barrier_all_but_one_deadlock",
                                           "ibarrier_deadlock",
                                           "intercomm_deadlock",
                                           "threads_deadlock",
                                           "win_lock_barrier_deadlock",
                                           "issend_wait_ok",
                                           "endless_loop_ok"));

/// Rank 1 of 3 crashes and leaves a core.
class CoreOfCrash : public CoreFiles {
protected:
    CoreOfCrash() {
        options_.ranks = 3;
        options_.environment = {"MQI_CORES=" + directory_.path().native()};
        options_.command = {program("crash_core")};
    }

    /// core(5): a relative pattern is a file in the working directory.
    static bool kernel_writes_here() {
        const std::string pattern = read_text("/proc/sys/kernel/core_pattern");
        return !pattern.empty() && pattern.front() != '|' && pattern.front() != '/';
    }

    /// gdb holds rank 1 where it crashes: the launcher sees nobody die.
    void debug_rank_1() {
        options_.command = {
            "sh",
            "-c",
            "test $PMI_RANK != 1 && exec \"$0\"; exec gdb -batch -ex run -ex 'gcore '$MQI_CORES'/"
            "core' -ex 'shell sleep 600' \"$0\"",
            program("crash_core")};
    }

    /// Its path, once it is complete.
    std::string wait_for_core(const MpiJob& job) const {
        std::string core;
        const bool written = poll_until(seconds(60), [&] {
            for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
                if (entry.path().filename().native().starts_with("core")) core = entry.path();
            }
            if (core.empty()) return false;
            const Inspection inspection = inspect_cores(program("crash_core"), {core});
            return verdict_kind(inspection) == "crash" && inspection.report["problems"].empty();
        });
        EXPECT_TRUE(written) << job.output() << job.errors();
        return core;
    }

    MpiJobOptions options_;
};

TEST_F(CoreOfCrash, NamesTheSignalAndItsPlace) {
    if (!kernel_writes_here()) debug_rank_1();
    const MpiJob job(options_);
    const std::string core = wait_for_core(job);

    const Inspection inspection = inspect_cores(program("crash_core"), {core});

    ASSERT_TRUE(inspection.report.is_object()) << inspection.errors;
    EXPECT_EQ(listed(schema_problems(inspection.report)), "");
    EXPECT_EQ(inspection.exit_code, 1);
    const std::string sentence = inspection.report["verdict"]["sentence"];
    EXPECT_THAT(sentence, HasSubstr("Rank 1 crashed: SIGSEGV at crash_core.c:"));
    EXPECT_THAT(sentence, HasSubstr("Not readable: ranks 0 and 2."));
    const auto& rank = inspection.report["ranks"][1];
    EXPECT_EQ(rank["signal"]["name"], "SIGSEGV");
    EXPECT_EQ(rank["signal"]["address"], 0);
    EXPECT_EQ(rank["stack"][0]["function"], "relax");
    EXPECT_EQ(inspection.report["ranks"][0]["problem"], "no core file of this rank was named");
}

TEST_F(CoreOfCrash, NamesThoseThatWaitForIt) {
    debug_rank_1();
    const MpiJob job(options_);
    std::vector<std::string> cores = {wait_for_core(job)};
    std::vector<pid_t> others;
    for (const pid_t pid : job.rank_pids()) {
        if (environment_of(pid, "PMI_RANK") != "1") others.push_back(pid);
    }
    ASSERT_EQ(others.size(), 2U) << job.errors();
    std::ranges::copy(copy(others), std::back_inserter(cores));

    const Inspection inspection = inspect_cores(program("crash_core"), cores);

    ASSERT_TRUE(inspection.report.is_object()) << inspection.errors;
    EXPECT_EQ(verdict_kind(inspection), "hang_up");
    EXPECT_EQ(inspection.exit_code, 1);
    EXPECT_THAT(std::string(inspection.report["verdict"]["sentence"]),
                HasSubstr("Ranks 0 and 2 wait for it in MPI_Barrier"));
    EXPECT_EQ(inspection.report["verdict"]["crashed"], nlohmann::json::array({1}));
}

TEST_F(CoreFiles, BadInputGetsOneClearLine) {
    MpiJobOptions options;
    options.ranks = 2;
    options.command = {program("ssend_pair_deadlock")};
    const MpiJob job(options);
    ASSERT_TRUE(poll_until(
        seconds(30), [&] { return verdict_kind(inspect({job.launcher_pid()})) == "deadlock"; }));
    const std::vector<std::string> cores = copy(job.rank_pids());
    const std::string own = program("ssend_pair_deadlock");
    const auto expect_complaint = [](const Inspection& inspection, const std::string& text) {
        EXPECT_EQ(inspection.exit_code, 2);
        EXPECT_TRUE(is_one_line(inspection.errors)) << inspection.errors;
        EXPECT_THAT(inspection.errors, HasSubstr(text));
    };

    expect_complaint(inspect_cores(program("crash_core"), cores), "is not the program of");
    expect_complaint(inspect_cores(own, {cores[0], cores[0]}), "are both of rank");
    expect_complaint(inspect_cores(own, {own}), "it is an executable or a library");
    expect_complaint(inspect_cores(cores[0], cores), "name the executable before the cores");
    expect_complaint(inspect_cores(own, {cores[0] + ".gone"}), "No such file");
    expect_complaint(inspect_cores("/nowhere/app", cores), "No such file");

    // Cut in the middle of memory: what is left is used, and nothing is claimed.
    const auto size = std::filesystem::file_size(cores[0]);
    std::filesystem::resize_file(cores[0], size / 2);
    const Inspection cut = inspect_cores(own, cores);
    EXPECT_NE(cut.exit_code, 0) << cut.output;
    EXPECT_TRUE(cut.report.is_object() || is_one_line(cut.errors)) << cut.errors;
}

}  // namespace
}  // namespace mqinspect::testing
