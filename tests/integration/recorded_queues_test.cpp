// Jobs that are recorded, on MPI libraries that show nothing of their queues: Debian's own
// MPICH (device ch4:ucx, stripped), and a stripped copy of the one that the project builds.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/child_process.h"
#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using ::testing::HasSubstr;

struct Situation {
    const char* program;
    int ranks;
    const char* verdict;
};

/// What the program is named for when the ranks have come to it.
constexpr Situation kSituations[] = {
    {"recv_ring_deadlock", 3, "deadlock"},
    {"recv_ring_ok", 3, "none"},
    {"ssend_pair_deadlock", 2, "deadlock"},
    {"ssend_pair_ok", 2, "none"},
    {"issend_wait_deadlock", 2, "deadlock"},
    {"issend_wait_ok", 2, "none"},
    {"persistent_deadlock", 2, "deadlock"},
    {"persistent_ok", 2, "none"},
    {"wrong_tag_deadlock", 2, "deadlock"},
    {"wrong_tag_ok", 2, "none"},
    {"waitall_mixed_deadlock", 3, "deadlock"},
    {"waitall_partial_deadlock", 3, "deadlock"},
    {"waitall_partial_ok", 3, "none"},
    {"any_source_deadlock", 3, "deadlock"},
    {"any_source_ok", 3, "none"},
    {"waitany_deadlock", 3, "deadlock"},
    {"waitany_ok", 3, "none"},
    {"waitsome_deadlock", 3, "deadlock"},
    {"waitsome_ok", 3, "none"},
    {"bcast_allreduce_order_deadlock", 2, "deadlock"},
    {"bcast_allreduce_order_ok", 2, "none"},
    {"bcast_roots_deadlock", 2, "deadlock"},
    {"gather_root_missing_deadlock", 2, "deadlock"},
    {"gather_root_missing_ok", 2, "none"},
    {"comm_create_group_deadlock", 4, "deadlock"},
    {"comm_create_group_ok", 4, "none"},
    {"scan_deadlock", 3, "deadlock"},
    {"neighbor_deadlock", 4, "deadlock"},
    {"neighbor_ok", 4, "none"},
    {"barrier_all_but_one_deadlock", 4, "deadlock"},
    {"barrier_all_but_one_ok", 4, "none"},
    {"probe_deadlock", 2, "deadlock"},
    {"probe_ok", 2, "none"},
    {"ibcast_deadlock", 2, "deadlock"},
    {"ibcast_ok", 2, "none"},
    {"icollective_order_deadlock", 2, "deadlock"},
    {"icollective_order_ok", 2, "none"},
    {"win_lock_barrier_deadlock", 2, "deadlock"},
    {"win_lock_barrier_ok", 2, "none"},
    {"isendrecv_deadlock", 3, "deadlock"},
    {"isendrecv_ok", 3, "none"},
    {"isendrecv_replace_deadlock", 2, "deadlock"},
    {"win_fence_deadlock", 3, "deadlock"},
    {"win_fence_ok", 3, "none"},
    {"win_complete_missing_deadlock", 2, "deadlock"},
    {"win_post_missing_ok", 3, "none"},
    {"intercomm_create_deadlock", 3, "deadlock"},
    {"intercomm_create_ok", 3, "none"},
    {"library_frames_deadlock", 2, "deadlock"},
};

class RecordedQueues : public ::testing::TestWithParam<Situation> {
protected:
    void SetUp() override { fs::create_directory(recording()); }

    fs::path recording() const { return directory_.path() / "recording"; }
    /// A folder in which the programs find another MPI library under the name of theirs.
    fs::path instead(const fs::path& library) const {
        const fs::path folder = directory_.path() / "library";
        fs::create_directory(folder);
        fs::create_symlink(library, folder / "libmpi.so.12");
        return folder;
    }
    static std::string program() { return MQI_PROGRAMS + std::string("/") + GetParam().program; }
    fs::path stripped(const std::string& file) const {
        const fs::path copy = directory_.path() / "stripped";
        const Completed done = strip(file, copy);
        EXPECT_TRUE(done.status) << done.errors;
        return copy;
    }
    MpiJobOptions job(const std::string& program, const fs::path& library) const {
        MpiJobOptions options;
        options.ranks = GetParam().ranks;
        options.command = {program};
        options.launcher_options = {"-genv", "LD_PRELOAD", MQI_RECORDER};
        options.environment = {"MQI_RECORD=" + recording().string(),
                               "LD_LIBRARY_PATH=" + instead(library).string()};
        return options;
    }
    void expect_verdict(const std::string& program, const fs::path& library) const {
        MpiJob started(job(program, library));
        ASSERT_TRUE(started.wait_for_ranks(seconds(60))) << started.errors();
        const auto deadline = std::chrono::steady_clock::now() + seconds(60);
        Inspection seen;
        do {
            seen = inspect({started.launcher_pid()});
            if (verdict_kind(seen) == GetParam().verdict) break;
        } while (std::chrono::steady_clock::now() < deadline);
        EXPECT_EQ(verdict_kind(seen), GetParam().verdict) << seen.report.dump(1) << seen.errors;
        EXPECT_THAT(seen.report.dump(), HasSubstr("recorder"));
    }

    TemporaryDirectory directory_;
};

TEST_P(RecordedQueues, GiveAVerdictOnDebiansMpich) {
    ASSERT_TRUE(fs::exists(MQI_DEBIAN_MPICH)) << "install libmpich12";
    expect_verdict(program(), MQI_DEBIAN_MPICH);
}

// Nobody has debug information but the recorder.
TEST_P(RecordedQueues, GiveAVerdictForAStrippedProgram) {
    expect_verdict(stripped(program()), MQI_DEBIAN_MPICH);
}

TEST_P(RecordedQueues, GiveAVerdictOnAStrippedMpich) {
    expect_verdict(program(), stripped(MQI_MPICH_PREFIX "/lib/libmpi.so.12"));
}

INSTANTIATE_TEST_SUITE_P(Situations,
                         RecordedQueues,
                         ::testing::ValuesIn(kSituations),
                         [](const auto& parameter) {
                             return std::string(parameter.param.program);
                         });

}  // namespace
}  // namespace mqinspect::testing
