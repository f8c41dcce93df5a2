#include "inspector/mqs_host/helper.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio_ext.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <new>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "inspector/mqs_host/asked_process.h"
#include "inspector/mqs_host/dll_session.h"
#include "inspector/mqs_host/sandbox.h"

namespace mqinspect::mqs_host {

namespace {

Error system_error(const char* what) {
    return Error{ErrorCode::System, fmt::format("{}: {}", what, std::strerror(errno))};
}

/// A debugger or a sanitizer in this program must not hide how the DLL crashes,
/// nor a crash leave a core file of this program.
void reset_signals() {
    for (int number = 1; number < NSIG; ++number)
        signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
}

/// Terminals, pipes and sockets of this program are nothing to a DLL, nor is a file that
/// could be written. Files open for reading stay: images are read lazily, and memory may
/// be read through /proc/PID/mem.
void close_foreign_descriptors(int channel) {
    DIR* directory = opendir("/proc/self/fd");
    if (directory == nullptr) return;
    std::vector<int> to_close;
    while (const dirent* entry = readdir(directory)) {
        const std::string_view name = entry->d_name;
        int fd = -1;
        std::from_chars(name.data(), name.data() + name.size(), fd);
        if (fd <= STDERR_FILENO || fd == channel || fd == dirfd(directory)) continue;
        struct stat status {};
        const bool file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
        const bool read_only = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY;
        if (!file || !read_only) to_close.push_back(fd);
    }
    closedir(directory);
    for (const int fd : to_close)
        close(fd);
}

void redirect_standard_streams(int output) {
    // What this program has buffered but not yet printed is its own to print.
    __fpurge(stdout);
    __fpurge(stderr);
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null >= 0) dup2(null, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
}

/// exit(3) in a DLL must not run the exit handlers of this program.
void leave_at_once(int status, void* /*unused*/) {
    _exit(status);
}

void interrogate(const Assignment& assignment, int channel_fd, std::atomic<std::uint32_t>& stage) {
    Channel channel(channel_fd);
    std::vector<HostedProcess> processes(assignment.processes.begin(), assignment.processes.end());
    std::deque<AskedProcess> asked;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        if (!processes[i].ask_here) continue;
        processes[i].view = &asked.emplace_back(channel, i, processes[i]);
        processes[i].memory = &asked.back();
    }
    Handles handles(processes, [&channel](std::size_t process, const std::string& name) {
        return channel.ask_type(process, name);
    });
    DllSession session(handles, channel, stage, assignment.options);
    auto& writer = channel.writer();
    // Before the DLL is loaded: its constructors are code of the DLL already.
    const auto sandbox = enter_sandbox();
    const auto version =
        sandbox ? session.start(assignment.path) : Result<std::string>(sandbox.error());
    if (!version) {
        wire::put_error(writer, wire::Kind::Refused, version.error());
        channel.flush();
        return;
    }
    writer.begin(wire::Kind::Loaded);
    writer.put_text(*version);
    writer.end();
    channel.flush();
    const std::size_t count = processes.size();
    for (std::size_t i = 0; session.wants_names() && i < count; ++i) {
        if (!assignment.unnamed[i]) session.name(i);
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (!assignment.done[i]) session.ask(i);
    }
    session.finish();
    writer.begin(wire::Kind::Finished);
    writer.end();
    channel.flush();
}

[[noreturn]] void run_helper(const HelperBody& body,
                             int channel,
                             int output,
                             std::atomic<std::uint32_t>& stage,
                             pid_t parent) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_FAILURE);
    reset_signals();
    redirect_standard_streams(output);
    close_foreign_descriptors(channel);
    on_exit(leave_at_once, nullptr);
    body(channel, stage);
    _exit(EXIT_SUCCESS);
}

std::string describe_end(int status) {
    if (!WIFSIGNALED(status)) return fmt::format("ended with exit code {}", WEXITSTATUS(status));
    const int number = WTERMSIG(status);
    const char* name = sigabbrev_np(number);
    return name == nullptr ? fmt::format("crashed with signal {}", number)
                           : fmt::format("crashed with SIG{}", name);
}

}  // namespace

Result<SharedStage> SharedStage::create() {
    void* page = mmap(nullptr,
                      sizeof(std::atomic<std::uint32_t>),
                      PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS,
                      -1,
                      0);
    if (page == MAP_FAILED) return system_error("mmap");
    return SharedStage(new (page) std::atomic<std::uint32_t>(0));
}

SharedStage::SharedStage(SharedStage&& other) noexcept
    : word_(std::exchange(other.word_, nullptr)) {}

SharedStage::~SharedStage() {
    if (word_ != nullptr) munmap(word_, sizeof *word_);
}

Result<HelperProcess> HelperProcess::start(const Assignment& assignment, const SharedStage& stage) {
    return start(
        [&assignment](int channel, std::atomic<std::uint32_t>& word) {
            interrogate(assignment, channel, word);
        },
        stage);
}

Result<HelperProcess> HelperProcess::start(const HelperBody& body, const SharedStage& stage) {
    std::array<int, 2> channel{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel.data()) != 0) {
        return system_error("socketpair");
    }
    UniqueFd ours(channel[0]);
    const UniqueFd theirs(channel[1]);
    std::array<int, 2> output{};
    if (pipe2(output.data(), O_CLOEXEC) != 0) return system_error("pipe");
    UniqueFd printed(output[0]);
    const UniqueFd printing(output[1]);
    fcntl(printed.get(), F_SETFL, O_NONBLOCK);

    stage.word().store(0);
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) return system_error("fork");
    if (pid == 0) {
        run_helper(body, theirs.get(), printing.get(), stage.word(), parent);
    }
    // Both sides do it, so that it holds from here on whoever is first.
    setpgid(pid, pid);
    return HelperProcess(pid, std::move(ours), std::move(printed));
}

HelperProcess::HelperProcess(HelperProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      channel_(std::move(other.channel_)),
      output_(std::move(other.output_)),
      how_it_ended_(std::move(other.how_it_ended_)) {}

HelperProcess::~HelperProcess() {
    end();
}

std::string HelperProcess::end() {
    if (pid_ == 0) return how_it_ended_;
    // A process that closes its connection is mostly about to end by itself, and how
    // it ends is what the user wants to know.
    constexpr int patience_ms = 50;
    int status = 0;
    bool ended = false;
    for (int waited = 0; waited < patience_ms && !ended; ++waited) {
        ended = waitpid(pid_, &status, WNOHANG) == pid_;
        if (!ended) poll(nullptr, 0, 1);
    }
    // What it has left behind in its group, and itself if it is still there.
    kill(-pid_, SIGKILL);
    while (!ended && waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    how_it_ended_ = describe_end(status);
    return how_it_ended_;
}

}  // namespace mqinspect::mqs_host
