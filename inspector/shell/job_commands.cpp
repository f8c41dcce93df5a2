// The commands of the shell that need the job itself.

#include <charconv>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "inspector/session/snapshot_file.h"
#include "inspector/shell/diff.h"
#include "inspector/shell/shell.h"
#include "model/worlds.h"
#include "report/rank_ranges.h"
#include "report/utf8.h"

namespace mqinspect::shell {

namespace {

using report::Page;
using report::Style;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// How long the launcher gets to end a job that is to be killed.
constexpr milliseconds kPatience = seconds(5);

Result<milliseconds> period_of(std::string_view word) {
    constexpr double longest = 86400;
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool whole = error == std::errc{} && end == word.data() + word.size();
    if (whole && value > 0 && value <= longest) {
        return milliseconds(static_cast<long>(value * 1000));
    }
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("\"{}\" is no number of seconds", report::printable(word))};
}

bool all_ended(const model::JobSnapshot& snapshot) {
    for (const model::RankSnapshot& rank : snapshot.ranks) {
        if (rank.state != model::RankState::Exited) return false;
    }
    return !snapshot.ranks.empty();
}

void print_difference(Page& page, const model::JobSnapshot& snapshot, const Difference& changes) {
    const model::Worlds worlds(snapshot);
    if (changes.empty()) {
        page.paragraph(Style::Dim, "Nothing has moved.", 2);
        return;
    }
    report::Table moves({"RANK", "WAS", "IS"});
    for (const RankMove& move : changes.moves)
        moves.row({report::rank_ranges(worlds, {&move.rank, 1}), move.before, move.after});
    if (!changes.moves.empty()) moves.print(page, 2);
    report::Table operations({"RANK", "", "OPERATION"});
    for (const OperationChange& change : changes.operations) {
        operations.row({report::rank_ranges(worlds, change.ranks),
                        fmt::format("{}{}", change.appeared ? "+" : "-", change.ranks.size()),
                        change.operation});
    }
    if (!changes.operations.empty()) operations.print(page, 2);
    for (const std::string& text : changes.communicators)
        page.paragraph(Style::Plain, text, 2);
}

}  // namespace

bool Shell::look() {
    if (!has_ended()) {
        session::Findings findings = session_->look(&findings_);
        if (!all_ended(findings.snapshot)) {
            findings_ = std::move(findings);
            return true;
        }
    }
    leave(JobState::Ended);
    line("The job has ended; the last snapshot of it stays.");
    return false;
}

void Shell::leave(JobState state) {
    if (session_) session_->let_go();
    session_.reset();
    processes_.reset();
    state_ = state;
}

void Shell::notice_end() {
    if (!has_ended()) return;
    leave(JobState::Ended);
    line("The job has ended; the last snapshot of it stays.");
}

void Shell::interrupt() {
    if (state_ != JobState::Running) return;
    if (const auto done = hold({}); !done) surface_.complain(done.error().message);
}

Result<Done> Shell::refresh(Words words) {
    TRY(need_no_words(words));
    if (look()) print_verdict();
    return Done{};
}

Result<Done> Shell::diff(Words words) {
    if (!words.empty()) {
        TRY(need_no_words(words.subspan(1)));
        return diff_since(words.front());
    }
    TRY(need_job());
    const model::JobSnapshot before = findings_.snapshot;
    if (!look()) return Done{};
    Page page = this->page();
    print_difference(page, findings_.snapshot, difference(before, findings_.snapshot));
    page.paragraph(Style::Title, findings_.verdict.sentence);
    print(std::move(page));
    return Done{};
}

Result<Done> Shell::diff_since(const std::string& file) {
    const session::Findings earlier = TRY(session::load_findings(file));
    const std::size_t size = findings_.snapshot.ranks.size();
    if (earlier.snapshot.ranks.size() != size) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} is of a job of {} ranks; this one has {}",
                                 report::printable(file),
                                 earlier.snapshot.ranks.size(),
                                 size)};
    }
    Page page = this->page();
    page.paragraph(Style::Dim, fmt::format("Since {}: {}", file, earlier.verdict.sentence));
    print_difference(page, findings_.snapshot, difference(earlier.snapshot, findings_.snapshot));
    page.paragraph(Style::Title, findings_.verdict.sentence);
    print(std::move(page));
    return Done{};
}

Result<Done> Shell::watch(Words words) {
    milliseconds period = seconds(2);
    if (!words.empty()) {
        TRY(need_no_words(words.subspan(1)));
        period = TRY(period_of(words.front()));
    }
    if (state_ == JobState::Stopped) {
        return Error{ErrorCode::InvalidArgument, "the job is stopped; continue first"};
    }
    line("Watching until the verdict changes; Ctrl-C ends it.");
    const std::string sentence = findings_.verdict.sentence;
    const auto kind = findings_.verdict.kind;
    while (!surface_.interrupted_within(period)) {
        if (!look()) return Done{};
        if (findings_.verdict.kind == kind && findings_.verdict.sentence == sentence) continue;
        print_verdict();
        return Done{};
    }
    line("No change: " + findings_.verdict.sentence);
    return Done{};
}

Result<Done> Shell::hold(Words words) {
    TRY(need_no_words(words));
    if (state_ == JobState::Stopped) {
        line("The job is stopped already.");
        return Done{};
    }
    session_->hold(findings_.snapshot);
    state_ = JobState::Stopped;
    if (!look()) return Done{};
    line("The job is stopped; \"continue\" lets it go on.");
    line(findings_.verdict.sentence);
    return Done{};
}

Result<Done> Shell::let_go(Words words) {
    TRY(need_no_words(words));
    line(state_ == JobState::Stopped ? "The job goes on." : "The job runs already.");
    session_->let_go();
    state_ = JobState::Running;
    return Done{};
}

Result<Done> Shell::detach(Words words) {
    TRY(need_no_words(words));
    leave(JobState::Detached);
    line("The job was let go of and runs on; the last snapshot of it stays.");
    return Done{};
}

Result<Done> Shell::kill(Words words) {
    TRY(need_no_words(words));
    if (!processes_) {
        return Error{ErrorCode::System, "the processes of the job cannot be told for sure"};
    }
    const model::JobSnapshot& snapshot = findings_.snapshot;
    const std::string question =
        fmt::format("Kill the job, {} rank{}{}?",
                    snapshot.ranks.size(),
                    snapshot.ranks.size() == 1 ? "" : "s",
                    snapshot.launcher.empty() ? "" : " of " + snapshot.launcher);
    if (!surface_.confirm(report::printable(question))) {
        line("Not killed.");
        return Done{};
    }
    session_->let_go();
    state_ = JobState::Running;
    TRY(processes_->kill(kPatience));
    leave(JobState::Ended);
    line("The job was killed; the last snapshot of it stays.");
    return Done{};
}

Result<Done> Shell::gdb(Words words) {
    const model::WorldRank number = TRY(the_rank(words));
    const model::RankSnapshot& rank = findings_.snapshot.ranks[number.index()];
    const job::JobProcess& process = session_->job().processes[number.index()];
    if (!process.local || process.pid <= 0 || rank.state == model::RankState::Exited) {
        return Error{ErrorCode::TargetExited,
                     fmt::format("rank {} has no process on this host", number.value)};
    }
    if (state_ == JobState::Stopped) TRY(let_go({}));
    const int code = TRY(surface_.run({"gdb", "-p", std::to_string(process.pid)}));
    if (code != 0) {
        return Error{ErrorCode::System, fmt::format("gdb ended with exit code {}", code)};
    }
    return Done{};
}

}  // namespace mqinspect::shell
