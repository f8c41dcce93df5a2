// mqinspect doctor: what it says of libraries and programs as they are, and of a rank.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/child_process.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

struct Answer {
    int code = -1;
    std::string text;  ///< on one line, so that line breaks do not matter
};

Answer doctor(const std::vector<std::string>& arguments,
              const std::vector<std::string>& environment = {}) {
    Command command;
    command.arguments = {MQI_INSPECT, "doctor"};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.environment = environment;
    const Completed run = run_to_end(command, seconds(30));
    Answer answer;
    if (run.status) answer.code = run.status->code;
    bool blank = false;
    for (const char c : run.output + run.errors) {
        const bool is_blank = c == ' ' || c == '\n';
        if (!is_blank || !blank) answer.text += is_blank ? ' ' : c;
        blank = is_blank;
    }
    return answer;
}

std::string program(const std::string& name) {
    return std::string(MQI_PROGRAMS) + "/" + name;
}

TEST(Doctor, SeesTheQueuesOfAProgramsLibrary) {
    const Answer answer = doctor({program("recv_ring_ok")});

    EXPECT_EQ(0, answer.code);
    EXPECT_THAT(answer.text,
                AllOf(HasSubstr("works message queues: of MPICH "),
                      HasSubstr("can be read, by "),
                      HasSubstr("works source lines: "),
                      HasSubstr("works processes: "),
                      HasSubstr(" watchpoints: "),
                      Not(HasSubstr("fails"))));
}

TEST(Doctor, SaysWhatAStrippedLibraryLacks) {
    const fs::path folder = fs::temp_directory_path() / ("mqi_doctor_" + std::to_string(getpid()));
    fs::create_directories(folder);
    const std::string library = std::string(MQI_MPICH_PREFIX) + "/lib/libmpi.so.12";
    const std::string command =
        "strip --strip-all -o '" + (folder / "libmpi.so.12").string() + "' '" + library + "'";
    ASSERT_EQ(0, std::system(command.c_str()));

    const Answer answer = doctor({program("recv_ring_ok")}, {"LD_LIBRARY_PATH=" + folder.string()});

    fs::remove_all(folder);
    EXPECT_EQ(1, answer.code);
    EXPECT_THAT(answer.text,
                AllOf(HasSubstr("fails message queues: "),
                      HasSubstr(folder.string()),
                      HasSubstr("What to do: ")));
}

TEST(Doctor, LooksAtARank) {
    MpiJobOptions options;
    options.ranks = 2;
    options.command = {program("recv_ring_ok")};
    const MpiJob job(options);
    std::vector<pid_t> ranks;
    ASSERT_TRUE(poll_until(seconds(20), [&] { return !(ranks = job.rank_pids()).empty(); }));

    Answer answer;
    // While the rank starts its library is not loaded yet, or its stack leads through what the
    // loader is about to map.
    poll_until(seconds(20), [&] {
        answer = doctor({std::to_string(ranks.front())});
        return answer.code == 0 &&
               answer.text.find("works message queues: of MPICH") != std::string::npos;
    });

    EXPECT_EQ(0, answer.code) << answer.text;
    EXPECT_THAT(answer.text, HasSubstr("works message queues: of MPICH"));
}

TEST(Doctor, FindsTheMpiOfPath) {
    const Answer answer =
        doctor({}, {std::string("PATH=") + MQI_MPICH_PREFIX + "/bin:/usr/bin:/bin"});

    EXPECT_EQ(0, answer.code);
    EXPECT_THAT(answer.text, HasSubstr(std::string(" in ") + MQI_MPICH_PREFIX + "/lib/"));
}

TEST(Doctor, NamesWhatCannotBeLookedAt) {
    EXPECT_THAT(doctor({"/bin/true"}).text, HasSubstr("/bin/true uses no MPI library"));
    EXPECT_EQ(1, doctor({"/bin/true"}).code);
    EXPECT_THAT(doctor({"/nonexistent"}).text, HasSubstr("cannot open /nonexistent"));
    EXPECT_THAT(doctor({"99999999"}).text, HasSubstr("there is no process 99999999"));
    EXPECT_THAT(doctor({}, {"PATH=/nonexistent"}).text, HasSubstr("there is no mpiexec in PATH"));
    EXPECT_EQ(2, doctor({"99999999999999999999"}).code);
}

}  // namespace
}  // namespace mqinspect::testing
