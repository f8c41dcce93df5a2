#include "tests/support/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string_view>

#include "base/unique_fd.h"

namespace mqinspect::testing {

namespace {

constexpr std::string_view kMarkVariable = "MQI_TEST_PROCESS";

std::string make_directory() {
    std::string name = (std::filesystem::temp_directory_path() / "mqinspect-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        std::perror("mkdtemp");
        std::abort();
    }
    return name;
}

/// Redirects a standard stream; for use between fork and exec.
void redirect(const char* path, int flags, int descriptor) {
    const int file = open(path, flags, 0600);
    if (file < 0 || dup2(file, descriptor) < 0) _exit(127);
    close(file);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (const std::string& text : texts)
        result.push_back(const_cast<char*>(text.c_str()));  // NOLINT: exec's signature
    result.push_back(nullptr);
    return result;
}

std::vector<std::string> environment_with(const std::vector<std::string>& additions) {
    std::vector<std::string> result = additions;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        const std::string_view name = text.substr(0, text.find('=') + 1);
        if (std::ranges::none_of(additions, [&](const auto& own) { return own.starts_with(name); }))
            result.emplace_back(text);
    }
    return result;
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() : path_(make_directory()) {}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string read_text(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void pause_between_polls() {
    const timespec pause{0, 10'000'000};
    nanosleep(&pause, nullptr);
}

std::optional<std::string> environment_of(pid_t pid, const std::string& name) {
    const std::string text = read_text("/proc/" + std::to_string(pid) + "/environ");
    const std::string start = name + "=";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\0', at), text.size());
        const std::string_view variable(text.data() + at, end - at);
        if (variable.starts_with(start)) return std::string(variable.substr(start.size()));
        at = end + 1;
    }
    return std::nullopt;
}

bool has_ended(pid_t pid) {
    const std::string stat = read_text("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t name_end = stat.rfind(')');
    return name_end == std::string::npos || name_end + 2 >= stat.size() ||
           stat[name_end + 2] == 'Z';
}

std::vector<pid_t> children_of(pid_t pid) {
    const std::string id = std::to_string(pid);
    std::ifstream stream("/proc/" + id + "/task/" + id + "/children");
    return {std::istream_iterator<pid_t>(stream), {}};
}

pid_t parent_of(pid_t pid) {
    std::ifstream stream("/proc/" + std::to_string(pid) + "/status");
    constexpr std::string_view key = "PPid:";
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with(key)) return std::stoi(line.substr(key.size()));
    }
    return 0;
}

ChildProcess::ChildProcess(const Command& command) {
    static std::atomic<int> counter = 0;
    mark_ = std::to_string(getpid()) + "." + std::to_string(++counter);
    start(command);
}

void ChildProcess::start(const Command& command) {
    std::vector<std::string> variables = command.environment;
    variables.push_back(std::string(kMarkVariable) + "=" + mark_);
    const std::vector<std::string> environment = environment_with(variables);
    std::vector<char*> argument_pointers = pointers(command.arguments);
    std::vector<char*> environment_pointers = pointers(environment);
    const std::string out = directory_.path() / "stdout";
    const std::string err = directory_.path() / "stderr";
    const pid_t parent = getpid();

    pid_ = fork();
    if (pid_ < 0) {
        std::perror("fork");
        std::abort();
    }
    if (pid_ > 0) return;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    setsid();
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    redirect(out.c_str(), O_WRONLY | O_CREAT | O_APPEND, STDOUT_FILENO);
    redirect(err.c_str(), O_WRONLY | O_CREAT | O_APPEND, STDERR_FILENO);
    if (command.user && (setgid(*command.user) != 0 || setuid(*command.user) != 0)) _exit(127);
    execvpe(argument_pointers[0], argument_pointers.data(), environment_pointers.data());
    std::perror(argument_pointers[0]);
    _exit(127);
}

ChildProcess::~ChildProcess() {
    kill_family();
    if (!status_) waitpid(pid_, nullptr, 0);
}

std::optional<ExitStatus> ChildProcess::wait_for_exit(milliseconds limit) {
    if (status_) return status_;
    // Not the wrapper: the header of glibc 2.36 declares it without C linkage.
    const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
    pollfd ended{process.get(), POLLIN, 0};
    const auto deadline = std::chrono::steady_clock::now() + limit;
    for (;;) {
        const auto left =
            std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now());
        const int count = poll(&ended, 1, static_cast<int>(std::max(left.count(), 0L)));
        if (count == 0) return std::nullopt;
        if (count > 0 || errno != EINTR) break;
    }
    int raw = 0;
    if (waitpid(pid_, &raw, 0) != pid_) return std::nullopt;
    status_ = WIFEXITED(raw) ? ExitStatus{WEXITSTATUS(raw), 0} : ExitStatus{-1, WTERMSIG(raw)};
    return status_;
}

std::string ChildProcess::output() const {
    return read_text(directory_.path() / "stdout");
}

std::string ChildProcess::errors() const {
    return read_text(directory_.path() / "stderr");
}

std::vector<pid_t> ChildProcess::family() const {
    std::vector<pid_t> members;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        pid_t pid = 0;
        const auto parsed = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size()) continue;
        if (environment_of(pid, std::string(kMarkVariable)) == mark_ && !has_ended(pid))
            members.push_back(pid);
    }
    return members;
}

void ChildProcess::kill_family() const {
    // A process may be forking while the list is made; the next round finds its child.
    const auto none_left = [this] {
        const std::vector<pid_t> members = family();
        for (const pid_t member : members)
            kill(member, SIGKILL);
        return members.empty();
    };
    if (pid_ > 0 && !status_) kill(pid_, SIGKILL);
    poll_until(std::chrono::seconds(10), none_left);
}

Completed run_to_end(const Command& command, milliseconds limit) {
    ChildProcess child(command);
    Completed result;
    result.status = child.wait_for_exit(limit);
    result.output = child.output();
    result.errors = child.errors();
    return result;
}

Completed strip(const std::filesystem::path& from, const std::filesystem::path& to) {
    return run_to_end({{"strip", "-o", to, std::filesystem::canonical(from)}, {}, {}},
                      std::chrono::seconds(60));
}

}  // namespace mqinspect::testing
