// Recorded jobs as OTF2 archives: other tools read them, and check finds in them what it finds in
// the recordings.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/checked_expectation.h"
#include "tests/support/child_process.h"

namespace mqinspect::testing {
namespace {

using nlohmann::json;
using std::chrono::seconds;

// Of tests/checked; errors and their correct twins.
constexpr const char* kPrograms[] = {
    "abort_called_error",
    "barrier_meets_ibarrier_error",
    "barrier_meets_ibarrier_ok",
    "bcast_roots_error",
    "communicator_leak_error",
    "communicator_leak_ok",
    "fence_no_put_ok",
    "file_collectives_differ_error",
    "file_collectives_differ_ok",
    "file_positions_ok",
    "ibarrier_missing_error",
    "ibarrier_missing_ok",
    "ibcast_roots_error",
    "ibcast_roots_ok",
    "isendrecv_written_ok",
    "lock_not_released_error",
    "lock_not_released_ok",
    "locks_cross_error",
    "locks_cross_ok",
    "many_requests_at_once_ok",
    "mprobe_alone_error",
    "mprobe_alone_ok",
    "neighbor_types_ok",
    "put_not_flushed_ok",
    "put_without_epoch_error",
    "put_without_epoch_ok",
    "puts_in_one_post_ok",
    "request_freed_active_error",
    "request_freed_active_ok",
    "rput_waited_ok",
    "sendrecv_overlap_ok",
    "start_without_post_error",
    "start_without_post_ok",
    "test_forever_error",
    "test_forever_ok",
    "threads_join_ok",
    "wildcard_deadlock_error",
    "wildcard_deadlock_ok",
    "window_leak_error",
    "window_leak_ok",
};

class Otf2RoundTrip : public ::testing::TestWithParam<const char*> {
protected:
    std::string recording() const { return (directory_.path() / "record").string(); }
    std::string archive() const { return (directory_.path() / "archive").string(); }
    std::string anchor() const { return archive() + "/traces.otf2"; }

    /// A stuck job is ended as by Ctrl-C, two seconds after its start.
    void record() const {
        const std::string program = GetParam();
        const auto expectation =
            read_checked_expectation(std::filesystem::path(MQI_CHECKED_SOURCES) / (program + ".c"));
        ASSERT_TRUE(expectation) << expectation.error().message;
        Command command{{MQI_INSPECT, "record", "-o", recording(), "--"}, {}, {}};
        const std::vector<std::string> limit = {"timeout", "-s", "INT", "-k", "10", "2"};
        if (expectation->stuck)
            command.arguments.insert(command.arguments.end(), limit.begin(), limit.end());
        for (const std::string& word : {std::string(MQI_MPIEXEC),
                                        std::string("-n"),
                                        std::to_string(expectation->ranks),
                                        std::string(MQI_CHECKED "/") + program})
            command.arguments.push_back(word);
        ASSERT_TRUE(run_to_end(command, seconds(60)).status) << "the job does not end";
    }

    static Completed run(std::vector<std::string> arguments) {
        return run_to_end({std::move(arguments), {}, {}}, seconds(60));
    }

    /// Errors and warnings, with the ranks and the first call's place.
    static std::vector<std::string> findings_in(const std::string& path) {
        const Completed checked = run({MQI_INSPECT, "check", "--format", "json", path});
        const json report = json::parse(checked.output, nullptr, false);
        if (report.is_discarded()) return {"no report: " + checked.errors};
        std::vector<std::string> found;
        for (const json& finding : report["findings"]) {
            if (finding["severity"] == "note") continue;
            std::string line = finding["severity"].get<std::string>() + " " +
                               finding["class"].get<std::string>() + " " + finding["ranks"].dump();
            const json& calls = finding["calls"];
            if (!calls.empty()) line += " line " + calls[0]["line"].dump();
            found.push_back(std::move(line));
        }
        std::ranges::sort(found);
        return found;
    }

private:
    TemporaryDirectory directory_;
};

TEST_P(Otf2RoundTrip, FindsTheSame) {
    record();

    const Completed exported = run({MQI_INSPECT, "export", "-q", "--otf2", archive(), recording()});

    ASSERT_TRUE(exported.status);
    EXPECT_LT(exported.status->code, 4) << exported.errors;
    EXPECT_EQ(findings_in(anchor()), findings_in(recording()));
}

using Otf2Tools = Otf2RoundTrip;

TEST_P(Otf2Tools, ReadTheArchive) {
    record();
    run({MQI_INSPECT, "export", "-q", "--otf2", archive(), recording()});

    const Completed printed = run({"otf2-print", anchor()});
    const Completed read = run({"/usr/bin/python3",
                                "-c",
                                "import sys, otf2\n"
                                "with otf2.reader.open(sys.argv[1]) as trace:\n"
                                "    print(sum(1 for _ in trace.events) > 0)",
                                anchor()});

    ASSERT_TRUE(printed.status && read.status);
    EXPECT_EQ(printed.status->code, 0) << printed.errors;
    EXPECT_EQ(read.output, "True\n") << read.errors;
}

std::string name_of(const ::testing::TestParamInfo<const char*>& info) {
    return info.param;
}

INSTANTIATE_TEST_SUITE_P(Programs, Otf2RoundTrip, ::testing::ValuesIn(kPrograms), name_of);
INSTANTIATE_TEST_SUITE_P(Programs,
                         Otf2Tools,
                         ::testing::Values("abort_called_error",
                                           "communicator_leak_ok",
                                           "ibcast_roots_ok",
                                           "locks_cross_ok",
                                           "mprobe_alone_ok",
                                           "rput_waited_ok",
                                           "start_without_post_ok",
                                           "threads_join_ok"),
                         name_of);

}  // namespace
}  // namespace mqinspect::testing
