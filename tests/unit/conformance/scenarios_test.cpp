// Every rule is noticed where it is broken, and only there.
#include <cstring>
#include <memory>
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/conformance/report.h"
#include "inspector/conformance/runner.h"

namespace mqinspect::conformance {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kState = 0x7000'0000'0010;

/// Two processes of one image, each with the variable that defective_dll.c reads.
std::unique_ptr<DebuggedJob> job() {
    Recording recording;
    target::TypeLayout state{"State", 8, {{"size", 0, 4}, {"receives", 4, 4}}};
    recording.images.resize(1);
    recording.images[0].symbols["state"] = kState;
    recording.images[0].types["State"] = state;
    for (int rank = 0; rank < 2; ++rank) {
        Recording::Process process{.rank = rank, .image = 0, .pages = {}};
        Recording::Page& page = process.pages[kState / kPageBytes * kPageBytes];
        page.resize(kPageBytes);
        const int words[] = {2, 3};
        std::memcpy(page.data() + kState % kPageBytes, words, sizeof words);
        recording.processes.push_back(std::move(process));
    }
    // The DLL says that it is rank 0 everywhere.
    recording.processes.pop_back();
    return replay(std::move(recording));
}

std::string path_of(const std::string& defect) {
    return std::string(MQI_DEFECT_FOLDER) + "/libmqs_defect_" + defect + ".so";
}

std::vector<Outcome> outcomes_of(const std::string& defect) {
    RunnerOptions options;
    options.patience = std::chrono::milliseconds(300);
    const auto target = job();
    auto outcomes = run_all({}, path_of(defect), *target, options);
    if (!outcomes) ADD_FAILURE() << outcomes.error().message;
    return outcomes ? *outcomes : std::vector<Outcome>();
}

TEST(Conformance, FindsNothingInADllThatKeepsTheRules) {
    const auto outcomes = outcomes_of("no_defect");

    EXPECT_THAT(print_report(outcomes), HasSubstr("\n0 violations in 25 scenarios\n"));
    EXPECT_EQ(ExitCode::Conformant, exit_code_of(outcomes));
}

struct Defect {
    std::string name;
    Rule rule;
    std::string text;
};

void PrintTo(const Defect& defect, std::ostream* out) {
    *out << defect.name;
}

class BrokenRule : public testing::TestWithParam<Defect> {};

TEST_P(BrokenRule, IsTheOnlyOneFound) {
    const auto outcomes = outcomes_of(GetParam().name);

    EXPECT_EQ(ExitCode::Violations, exit_code_of(outcomes));
    int found = 0;
    for (const Outcome& outcome : outcomes) {
        for (const Violation& violation : outcome.findings.violations) {
            EXPECT_EQ(name_of(GetParam().rule), name_of(violation.rule)) << violation.text;
            EXPECT_THAT(violation.function + " " + violation.text, HasSubstr(GetParam().text));
            ++found;
        }
    }
    EXPECT_GT(found, 0);
}

const Defect kDefects[] = {
    {"leaks", Rule::Shutdown, "bytes"},
    {"overruns", Rule::Heap, "writes outside of a block"},
// AddressSanitizer's heap does not tell how much of it is in use.
#ifndef __SANITIZE_ADDRESS__
    {"allocates", Rule::Allocation, "mqs_update_communicator_list keeps"},
#endif
    {"prints", Rule::Output, "prints 'look at me"},
    {"sleeps", Rule::SystemCalls, "mqs_update_communicator_list calls clock_nanosleep"},
    {"connects", Rule::SystemCalls, "mqs_update_communicator_list calls socket"},
    {"reads_null", Rule::NullAddress, "reads at address 0"},
    {"crashes_past_the_end", Rule::Crash, "mqs_next_communicator crashed with SIGABRT"},
    {"hangs", Rule::Hang, "mqs_update_communicator_list does not return"},
    {"unterminated", Rule::CommunicatorName, "is not terminated"},
    {"five_lines", Rule::ExtraLines, "all five lines are set"},
    {"forgets_a_member", Rule::Operation, "desired_global_rank is not set"},
    {"wrong_group", Rule::Group, "more than its size of 2 is written"},
    {"odd_code", Rule::ResultCode, "mqs_next_communicator returns 5"},
    {"no_error_text", Rule::ErrorText, "has no text for 10"},
    {"ignores_failure", Rule::Unreadable, "although every read failed"},
    {"writes_at_the_end", Rule::AfterTheEnd, "although it says mqs_end_of_list"},
    {"uses_optional_callbacks", Rule::Crash, "mqs_image_has_queues crashed with SIGSEGV"},
    {"reads_long_tables", Rule::Crash, "mqs_setup_process crashed with SIGSEGV"},
};

INSTANTIATE_TEST_SUITE_P(Conformance,
                         BrokenRule,
                         testing::ValuesIn(kDefects),
                         [](const auto& test) { return test.param.name; });

TEST(Conformance, NoticesADllThatChangesItsMind) {
    const auto outcomes = outcomes_of("keeps_state");

    EXPECT_THAT(print_report(outcomes),
                HasSubstr("documented: mqs_update_communicator_list the posted receives of "
                          "'MPI_COMM_WORLD' change"));
}

TEST(Conformance, SaysWhatTheRecordingLacks) {
    Recording recording;
    recording.images.resize(1);
    recording.processes.push_back({.rank = 0, .image = 0, .pages = {}});
    const auto empty = replay(std::move(recording));

    const auto outcomes = run_all({}, path_of("no_defect"), *empty, {});

    ASSERT_TRUE(outcomes) << outcomes.error().message;
    EXPECT_THAT(print_report(*outcomes), HasSubstr("the recording does not hold the type State"));
    EXPECT_EQ(ExitCode::Partial, exit_code_of(*outcomes));
}

TEST(Conformance, RefusesWhatIsNoDll) {
    const auto target = job();

    const auto outcomes = run_all({}, "/absent.so", *target, {});

    ASSERT_FALSE(outcomes);
    EXPECT_THAT(outcomes.error().message, HasSubstr("/absent.so cannot be loaded"));
}

}  // namespace
}  // namespace mqinspect::conformance
