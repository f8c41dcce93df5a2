#include "tests/support/terminal.h"

#include <poll.h>
#include <pty.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace mqinspect::testing {

namespace {

using std::chrono::steady_clock;

/// Bytes of the escape sequence that `text` begins with; 0 if its end is not there yet.
/// ECMA-48, 5.4: CSI, parameters, one final byte from 0x40 on. Others have two bytes.
std::size_t escape_length(std::string_view text) {
    if (text.size() < 2) return 0;
    if (text[1] != '[') return 2;
    const auto end = std::ranges::find_if(
        text.substr(2), [](char letter) { return letter >= '@' && letter <= '~'; });
    return end == text.end() ? 0 : static_cast<std::size_t>(end - text.begin()) + 1;
}

/// Moves the text of `raw` to `seen`; the beginning of an escape sequence stays.
void strip(std::string& raw, std::string& seen) {
    std::size_t at = 0;
    while (at < raw.size()) {
        if (raw[at] != '\x1b') {
            if (raw[at] != '\r') seen += raw[at];
            ++at;
            continue;
        }
        const std::size_t length = escape_length(std::string_view(raw).substr(at));
        if (length == 0) break;
        at += length;
    }
    raw.erase(0, at);
}

}  // namespace

Terminal::Terminal(const Command& command) {
    const winsize size{40, 120, 0, 0};
    std::vector<char*> arguments;
    for (const std::string& argument : command.arguments)
        arguments.push_back(const_cast<char*>(argument.c_str()));  // NOLINT: exec's signature
    arguments.push_back(nullptr);
    int keyboard = -1;
    pid_ = forkpty(&keyboard, nullptr, nullptr, &size);
    if (pid_ < 0) {
        std::perror("forkpty");
        std::abort();
    }
    keyboard_.reset(keyboard);
    if (pid_ > 0) return;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setenv("TERM", "xterm", 1);
    for (const std::string& variable : command.environment) {
        const std::size_t equals = variable.find('=');
        setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
    }
    execvp(arguments[0], arguments.data());
    std::perror(arguments[0]);
    _exit(127);
}

Terminal::~Terminal() {
    if (status_) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

void Terminal::type(std::string_view keys) {
    while (!keys.empty()) {
        const ssize_t written = write(keyboard_.get(), keys.data(), keys.size());
        if (written <= 0) return;
        keys.remove_prefix(static_cast<std::size_t>(written));
    }
}

bool Terminal::read_some(milliseconds limit) {
    pollfd output{keyboard_.get(), POLLIN, 0};
    if (poll(&output, 1, static_cast<int>(std::max<long>(limit.count(), 0))) <= 0) return false;
    std::array<char, 4096> buffer{};
    const ssize_t count = read(keyboard_.get(), buffer.data(), buffer.size());
    if (count <= 0) return false;
    raw_.append(buffer.data(), static_cast<std::size_t>(count));
    strip(raw_, seen_);
    return true;
}

bool Terminal::expect(std::string_view text, milliseconds limit) {
    const auto deadline = steady_clock::now() + limit;
    for (;;) {
        const std::size_t found = seen_.find(text, expected_);
        if (found != std::string::npos) {
            last_ = seen_.substr(expected_, found + text.size() - expected_);
            expected_ = found + text.size();
            return true;
        }
        const auto left = std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now());
        if (left.count() <= 0 || !read_some(left)) return false;
    }
}

std::optional<ExitStatus> Terminal::wait_for_exit(milliseconds limit) {
    const auto deadline = steady_clock::now() + limit;
    while (!status_ && steady_clock::now() < deadline) {
        // The end of the command hangs the terminal up.
        while (read_some(milliseconds(10))) {
        }
        int raw = 0;
        if (waitpid(pid_, &raw, WNOHANG) == pid_) {
            status_ =
                WIFEXITED(raw) ? ExitStatus{WEXITSTATUS(raw), 0} : ExitStatus{-1, WTERMSIG(raw)};
        } else {
            pause_between_polls();
        }
    }
    return status_;
}

}  // namespace mqinspect::testing
