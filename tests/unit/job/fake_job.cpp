#include "tests/unit/job/fake_job.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <sstream>

namespace mqinspect::job {

FakeJob::FakeJob(const std::string& command) {
    std::array<int, 2> input{};
    std::array<int, 2> output{};
    if (pipe2(input.data(), O_CLOEXEC) != 0 || pipe2(output.data(), O_CLOEXEC) != 0) return;
    input_.reset(input[1]);
    const UniqueFd read_end(input[0]);
    output_.reset(output[0]);
    UniqueFd write_end(output[1]);
    pid_ = fork();
    if (pid_ == 0) {
        dup2(read_end.get(), STDIN_FILENO);
        dup2(write_end.get(), STDOUT_FILENO);
        const std::string replaced = "exec " + command;
        execl("/bin/sh", "sh", "-c", replaced.c_str(), nullptr);
        _exit(127);
    }
    write_end.reset();
    std::string line;
    char byte = 0;
    while (read(output_.get(), &byte, 1) == 1 && byte != '\n')
        line += byte;
    std::istringstream numbers(line);
    for (pid_t pid = 0; numbers >> pid;)
        ranks_.push_back(pid);
}

FakeJob::~FakeJob() {
    input_.reset();
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
}

std::string launcher(const std::string& options) {
    return std::string(MQI_FAKE_LAUNCHER) + " " + rank_program() + " " + options;
}

std::string stripped_launcher(const std::string& options) {
    return std::string(MQI_FAKE_MPIEXEC) + " " + rank_program() + " " + options;
}

std::string rank_program() {
    return MQI_FAKE_RANK;
}

}  // namespace mqinspect::job
