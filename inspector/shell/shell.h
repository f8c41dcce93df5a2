/// The shell of `mqinspect`: commands about one job, which runs on meanwhile.
///
/// Knows no terminal: lines come in by `execute`, and what is to be seen goes out by the
/// functions of `Surface`, so that a script and a test drive it as a person does.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inspector/session/job_processes.h"
#include "inspector/session/session.h"
#include "inspector/shell/command_table.h"
#include "report/page.h"

namespace mqinspect::shell {

/// What the shell is seen through.
struct Surface {
    std::function<void(std::string_view)> print;
    /// One line about what cannot be done.
    std::function<void(std::string_view)> complain;
    /// A question that wants yes or no.
    std::function<bool(std::string_view)> confirm;
    /// Waits so long, or until Ctrl-C, which it says.
    std::function<bool(std::chrono::milliseconds)> interrupted_within;
    /// Runs a program that takes the terminal over; its exit code.
    std::function<Result<int>(const std::vector<std::string>&)> run;
    std::function<int()> width;
    bool color = false;
};

enum class JobState {
    Running,
    Stopped,   ///< held by us
    Ended,     ///< all ranks have
    Detached,  ///< let go of for good
    Saved,     ///< never there: a snapshot from a file
};

class Shell {
public:
    enum class Outcome { Done, Failed, Quit };

    /// A job that has been looked at once.
    Shell(Surface surface, session::Session session, session::Findings first);
    /// A snapshot without its job.
    Shell(Surface surface, session::Findings saved);

    /// Carries out one line; an empty one is nothing to do.
    Outcome execute(std::string_view line);

    /// Ctrl-C: holds the job.
    void interrupt();
    /// The job has ended and nobody has been told; `notice_end` tells.
    bool has_ended() const { return processes_ && processes_->all_ended(); }
    void notice_end();

    std::string prompt() const;
    JobState state() const { return state_; }
    const session::Findings& findings() const { return findings_; }
    /// How it can go on with an unfinished line (completion.h).
    std::vector<std::string> complete(std::string_view line) const;

private:
    using Words = std::span<const std::string>;

    /// `text`: what follows the command, as it was typed.
    Result<Done> dispatch(const Command& command, Words words, std::string_view text);
    Result<Done> need_job() const;
    Result<Done> need_no_words(Words words) const;
    Result<model::WorldRank> the_rank(Words words) const;
    /// The first word if it names ranks, which is then taken off; else all ranks.
    Result<std::vector<model::WorldRank>> ranks_of(Words& words) const;

    Result<Done> ranks(Words words);
    Result<Done> queues(Words words);
    Result<Done> comms(Words words);
    Result<Done> waits(Words words);
    Result<Done> where(Words words);
    Result<Done> stack(Words words);
    Result<Done> print_value(Words words, std::string_view text);
    Result<Done> deadlock(Words words);
    Result<Done> why(Words words);
    Result<Done> report(Words words);
    Result<Done> save(Words words);
    Result<Done> help(Words words);
    Result<Done> refresh(Words words);
    Result<Done> diff(Words words);
    Result<Done> diff_since(const std::string& file);
    Result<Done> watch(Words words);
    Result<Done> hold(Words words);
    Result<Done> let_go(Words words);
    Result<Done> detach(Words words);
    Result<Done> kill(Words words);
    Result<Done> gdb(Words words);

    /// Looks again; false if the job has ended, which it says.
    bool look();
    void leave(JobState state);
    void print_verdict();
    void print(report::Page page);
    void line(std::string_view text);
    report::Page page() const;

    Surface surface_;
    JobState state_ = JobState::Saved;
    std::optional<session::Session> session_;
    std::optional<session::JobProcesses> processes_;
    session::Findings findings_;
    bool wants_to_quit_ = false;
};

}  // namespace mqinspect::shell
