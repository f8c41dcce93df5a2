#include "inspector/shell/terminal.h"

#include <poll.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <utility>

#include "inspector/shell/completion.h"
#include "inspector/shell/history.h"
#include "inspector/shell/run_program.h"

namespace mqinspect::shell {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How often the loop looks whether the job has ended.
constexpr int kPollMs = 200;
constexpr int kLinesKept = 1000;

// readline and signal handlers know no other context than static variables.
volatile std::sig_atomic_t interrupted = 0;
volatile std::sig_atomic_t told_to_end = 0;
volatile std::sig_atomic_t continued = 0;
const Shell* completing = nullptr;

struct Input {
    bool finished = false;
    std::optional<std::string> line;  ///< empty: end of input
};
Input input;

void note_interrupt(int /*signal*/) {
    interrupted = 1;
}
void note_end(int /*signal*/) {
    told_to_end = 1;
}
void note_continuation(int /*signal*/) {
    continued = 1;
}

bool take(volatile std::sig_atomic_t& flag) {
    if (flag == 0) return false;
    flag = 0;
    return true;
}

/// Handlers for the life of a shell.
class Signals {
public:
    Signals() {
        const auto install = [](int signal, void (*handler)(int), struct sigaction& before) {
            struct sigaction action {};
            action.sa_handler = handler;
            // What is under way goes on; poll(2) returns all the same.
            action.sa_flags = SA_RESTART;
            sigaction(signal, &action, &before);
        };
        install(SIGINT, note_interrupt, before_[0]);
        install(SIGTERM, note_end, before_[1]);
        install(SIGHUP, note_end, before_[2]);
        install(SIGCONT, note_continuation, before_[3]);
    }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    ~Signals() {
        constexpr std::array<int, 4> signals = {SIGINT, SIGTERM, SIGHUP, SIGCONT};
        for (std::size_t i = 0; i < signals.size(); ++i)
            sigaction(signals[i], &before_[i], nullptr);
    }

private:
    std::array<struct sigaction, 4> before_{};
};

class History {
public:
    History() : file_(history_file()) {
        using_history();
        stifle_history(kLinesKept);
        if (file_ && !make_private(*file_)) file_.reset();
        if (file_) read_history(file_->c_str());
    }
    History(const History&) = delete;
    History& operator=(const History&) = delete;
    ~History() {
        if (file_) history_truncate_file(file_->c_str(), kLinesKept);
    }

    void add(const std::string& line) {
        const HIST_ENTRY* last = history_get(history_base + history_length - 1);
        const bool again = last != nullptr && line == last->line;
        if (again || line.find_first_not_of(" \t") == std::string::npos) return;
        add_history(line.c_str());
        if (file_) append_history(1, file_->c_str());
    }

private:
    std::optional<std::string> file_;
};

void take_line(char* text) {
    const std::unique_ptr<char, decltype(&std::free)> owned(text, &std::free);
    input.finished = true;
    if (text != nullptr) input.line = text;
    rl_callback_handler_remove();
}

std::vector<std::string> candidates;

char* next_candidate(const char* /*text*/, int state) {
    static std::size_t next = 0;
    if (state == 0) next = 0;
    return next < candidates.size() ? strdup(candidates[next++].c_str()) : nullptr;
}

/// readline's words end at blanks, ours may hold some in quotes: of a candidate only
/// what stands behind the last blank is readline's to fill in.
char** complete_word(const char* text, int start, int end) {
    const std::string_view line(rl_line_buffer, static_cast<std::size_t>(end));
    if (completing == nullptr || expects_file(line)) return nullptr;
    rl_attempted_completion_over = 1;
    candidates = completing->complete(line);
    const std::size_t typed = static_cast<std::size_t>(start) - start_of_last_word(line);
    for (std::string& candidate : candidates)
        candidate.erase(0, typed);
    return rl_completion_matches(text, next_candidate);
}

void set_up_readline() {
    rl_readline_name = "mqinspect";
    rl_catch_signals = 0;
    rl_attempted_completion_function = complete_word;
    rl_basic_word_break_characters = " \t";
    rl_completer_word_break_characters = " \t";
}

enum class Event { Line, EndOfInput, Interrupted };

void say_that_it_has_ended(Shell& shell) {
    rl_clear_visible_line();
    shell.notice_end();
    rl_set_prompt(shell.prompt().c_str());
    rl_on_new_line();
    rl_redisplay();
}

/// `shell`: whose end is to be noticed meanwhile, or null.
Event read_line(const std::string& prompt, Shell* shell) {
    input = {};
    rl_callback_handler_install(prompt.c_str(), take_line);
    while (!input.finished) {
        if (take(interrupted)) {
            rl_callback_sigcleanup();
            rl_callback_handler_remove();
            std::fputs("^C\n", stdout);
            return Event::Interrupted;
        }
        if (told_to_end != 0) {
            rl_callback_handler_remove();
            return Event::EndOfInput;
        }
        if (take(continued)) {
            rl_prep_terminal(1);
            rl_forced_update_display();
        }
        if (shell != nullptr && shell->has_ended()) say_that_it_has_ended(*shell);
        pollfd keys{STDIN_FILENO, POLLIN, 0};
        if (poll(&keys, 1, kPollMs) > 0) rl_callback_read_char();
    }
    return input.line ? Event::Line : Event::EndOfInput;
}

bool wait_or_interrupt(milliseconds limit) {
    const auto deadline = steady_clock::now() + limit;
    for (;;) {
        if (take(interrupted) || told_to_end != 0) return true;
        const auto left =
            std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now()).count();
        if (left <= 0) return false;
        poll(nullptr, 0, static_cast<int>(std::min<long>(left, kPollMs)));
    }
}

void print(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

bool ask(std::string_view question) {
    if (read_line(std::string(question) + " [y/N] ", nullptr) != Event::Line) return false;
    return *input.line == "y" || *input.line == "yes";
}

Result<int> run_and_forget_interrupts(const std::vector<std::string>& command) {
    auto code = run_program(command);
    interrupted = 0;
    return code;
}

}  // namespace

Surface terminal_surface(const TerminalOptions& options) {
    Surface surface;
    surface.print = print;
    surface.complain = [](std::string_view text) { print(std::string(text) + "\n"); };
    surface.confirm = ask;
    surface.interrupted_within = wait_or_interrupt;
    surface.run = run_and_forget_interrupts;
    surface.width = options.width;
    surface.color = options.color;
    return surface;
}

Surface script_surface(const TerminalOptions& options) {
    Surface surface = terminal_surface(options);
    surface.complain = [](std::string_view text) {
        std::fprintf(stderr, "mqinspect: %.*s\n", static_cast<int>(text.size()), text.data());
    };
    surface.confirm = [](std::string_view) { return true; };
    return surface;
}

void run_on_terminal(Shell& shell) {
    const Signals signals;
    History history;
    set_up_readline();
    completing = &shell;
    for (auto outcome = Shell::Outcome::Done; outcome != Shell::Outcome::Quit;) {
        const Event event = read_line(shell.prompt(), &shell);
        if (event == Event::EndOfInput) {
            print("\n");
            break;
        }
        if (event == Event::Interrupted) {
            shell.interrupt();
            continue;
        }
        const std::string line = *input.line;
        history.add(line);
        outcome = shell.execute(line);
        if (take(interrupted)) shell.interrupt();
    }
    completing = nullptr;
}

}  // namespace mqinspect::shell
