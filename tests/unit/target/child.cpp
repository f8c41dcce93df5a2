#include "tests/unit/target/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace mqinspect::testing {

constexpr int kPatienceMs = 20'000;

Child::Child(const std::string& program, std::vector<std::string> arguments) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) return;
    input_.reset(in[1]);
    output_.reset(out[0]);
    std::vector<char*> argv;
    std::string name = program;
    argv.push_back(name.data());
    for (std::string& argument : arguments)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        execv(argv[0], argv.data());
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    const std::string line = read_line();
    EXPECT_TRUE(line.starts_with("ready")) << program << " said: " << line;
    if (line.size() > 6) ready_text_ = line.substr(6);
}

Child::~Child() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

void Child::send(char byte) const {
    EXPECT_EQ(write(input_.get(), &byte, 1), 1);
}

std::string Child::read_line() {
    std::string line;
    for (;;) {
        pollfd ready{output_.get(), POLLIN, 0};
        char byte = 0;
        if (poll(&ready, 1, kPatienceMs) <= 0 || read(output_.get(), &byte, 1) != 1) return "";
        if (byte == '\n') return line;
        line += byte;
    }
}

std::filesystem::path temporary_path(const std::string& name) {
    // Tests of one program run side by side.
    return std::filesystem::path(::testing::TempDir()) / (name + std::to_string(getpid()));
}

char process_state(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    if (!std::getline(file, text)) return '-';
    const std::size_t name_end = text.rfind(')');
    return name_end == std::string::npos || name_end + 2 >= text.size() ? '-' : text[name_end + 2];
}

bool sees_kernel_threads() {
    std::ifstream file("/proc/2/comm");
    std::string name;
    return std::getline(file, name) && name == "kthreadd";
}

bool wait_for_state(pid_t pid, char state) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::milliseconds(kPatienceMs);
    while (process_state(pid) != state) {
        if (Clock::now() >= deadline) return false;
        ::poll(nullptr, 0, 1);
    }
    return true;
}

}  // namespace mqinspect::testing
