#include "inspector/shell/shell.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "inspector/session/snapshot_file.h"
#include "inspector/shell/completion.h"
#include "inspector/shell/filter.h"
#include "inspector/shell/views.h"
#include "inspector/shell/words.h"
#include "model/rank_set.h"
#include "report/dispatch.h"
#include "report/source_excerpts.h"
#include "report/text_queues.h"
#include "report/utf8.h"

namespace mqinspect::shell {

namespace {

using model::RankState;
using model::WorldRank;
using report::Page;
using report::Style;

Error wrong(std::string message) {
    return Error{ErrorCode::InvalidArgument, std::move(message)};
}

Result<RankState> state_of(std::string_view word) {
    if (word == "blocked") return RankState::Blocked;
    if (word == "running") return RankState::Running;
    if (word == "exited" || word == "ended") return RankState::Exited;
    if (word == "unreadable") return RankState::Unreadable;
    return wrong(
        fmt::format("\"{}\" is neither ranks, such as 0-3, nor a state: blocked, "
                    "running, exited, unreadable",
                    report::printable(word)));
}

bool starts_with_digit(std::string_view word) {
    return !word.empty() && word.front() >= '0' && word.front() <= '9';
}

}  // namespace

Shell::Shell(Surface surface, session::Session session, session::Findings first)
    : surface_(std::move(surface)),
      state_(JobState::Running),
      session_(std::move(session)),
      findings_(std::move(first)) {
    // Without them the end of the job is only seen by the next look.
    auto processes = session::JobProcesses::open(session_->job());
    if (processes) processes_ = *std::move(processes);
}

Shell::Shell(Surface surface, session::Findings saved)
    : surface_(std::move(surface)), findings_(std::move(saved)) {}

Shell::Outcome Shell::execute(std::string_view text) {
    const auto words = split_words(text);
    if (words && words->empty()) return Outcome::Done;
    const auto done = [&]() -> Result<Done> {
        const std::vector<std::string>& all = TRY(words);
        const Command* command = TRY(find_command(all.front()));
        if (command->needs_job) TRY(need_job());
        return dispatch(*command, Words(all).subspan(1), after_first_word(text));
    }();
    if (!done) {
        surface_.complain(done.error().message);
        return Outcome::Failed;
    }
    return wants_to_quit_ ? Outcome::Quit : Outcome::Done;
}

Result<Done> Shell::dispatch(const Command& command, Words words, std::string_view text) {
    switch (command.id) {
        case CommandId::Comms:
            return comms(words);
        case CommandId::Continue:
            return let_go(words);
        case CommandId::Deadlock:
            return deadlock(words);
        case CommandId::Detach:
            return detach(words);
        case CommandId::Diff:
            return diff(words);
        case CommandId::Gdb:
            return gdb(words);
        case CommandId::Help:
            return help(words);
        case CommandId::Interrupt:
            return hold(words);
        case CommandId::Kill:
            return kill(words);
        case CommandId::Print:
            return print_value(words, text);
        case CommandId::Queues:
            return queues(words);
        case CommandId::Quit:
            wants_to_quit_ = true;
            return Done{};
        case CommandId::Ranks:
            return ranks(words);
        case CommandId::Refresh:
            return refresh(words);
        case CommandId::Report:
            return report(words);
        case CommandId::Save:
            return save(words);
        case CommandId::Stack:
            return stack(words);
        case CommandId::Waits:
            return waits(words);
        case CommandId::Watch:
            return watch(words);
        case CommandId::Where:
            return where(words);
        case CommandId::Why:
            return why(words);
    }
    return Done{};
}

Result<Done> Shell::need_job() const {
    switch (state_) {
        case JobState::Running:
        case JobState::Stopped:
            return Done{};
        case JobState::Ended:
            return wrong("the job has ended; its last snapshot is still here");
        case JobState::Detached:
            return wrong("the job was let go of; its last snapshot is still here");
        case JobState::Saved:
            break;
    }
    return wrong("this is a saved snapshot: there is no job to ask");
}

Result<Done> Shell::need_no_words(Words words) const {
    if (words.empty()) return Done{};
    return wrong(fmt::format("\"{}\" is too much here", report::printable(words.front())));
}

Result<WorldRank> Shell::the_rank(Words words) const {
    if (words.empty()) return wrong("which rank?");
    TRY(need_no_words(words.subspan(1)));
    return model::parse_rank(words.front(), findings_.snapshot.ranks.size());
}

Result<std::vector<WorldRank>> Shell::ranks_of(Words& words) const {
    const std::size_t size = findings_.snapshot.ranks.size();
    if (!words.empty() && starts_with_digit(words.front())) {
        auto ranks = model::parse_ranks(words.front(), size);
        words = words.subspan(1);
        return ranks;
    }
    std::vector<WorldRank> all(size);
    for (std::size_t i = 0; i < size; ++i)
        all[i] = WorldRank(static_cast<int>(i));
    return all;
}

Result<Done> Shell::ranks(Words words) {
    const auto chosen = TRY(ranks_of(words));
    std::optional<RankState> state;
    if (!words.empty()) {
        state = TRY(state_of(words.front()));
        TRY(need_no_words(words.subspan(1)));
    }
    Page page = this->page();
    print_ranks(page, findings_.snapshot, chosen, state);
    print(std::move(page));
    return Done{};
}

Result<Done> Shell::queues(Words words) {
    const OperationFilter filter = TRY(parse_filter(words, findings_.snapshot));
    report::QueueOptions options;
    options.verbose = filter.all;
    options.local_ranks = filter.local_ranks;
    options.shown = [&](const model::Operation& operation) {
        return filter.fits(findings_.snapshot, operation);
    };
    Page page = this->page();
    report::print_queues(page, findings_.snapshot, options);
    print(std::move(page));
    return Done{};
}

Result<Done> Shell::comms(Words words) {
    Page page = this->page();
    if (words.empty()) {
        print_communicators(page, findings_.snapshot);
    } else {
        TRY(need_no_words(words.subspan(1)));
        for (const model::CommunicatorId id :
             TRY(find_communicators(findings_.snapshot, words.front()))) {
            print_members(page, findings_.snapshot, findings_.snapshot.communicators[id.index()]);
        }
    }
    print(std::move(page));
    return Done{};
}

Result<Done> Shell::waits(Words words) {
    const auto chosen = TRY(ranks_of(words));
    TRY(need_no_words(words));
    Page page = this->page();
    print_waits(page, findings_, chosen);
    print(std::move(page));
    return Done{};
}

Result<Done> Shell::deadlock(Words words) {
    TRY(need_no_words(words));
    print_verdict();
    return Done{};
}

Result<Done> Shell::why(Words words) {
    const WorldRank rank = TRY(the_rank(words));
    Page page = this->page();
    print_why(page, findings_, rank);
    print(std::move(page));
    return Done{};
}

Result<Done> Shell::report(Words words) {
    const std::string format = words.empty() ? "text" : words.front();
    if (!words.empty()) TRY(need_no_words(words.subspan(1)));
    report::TextOptions options;
    options.color = surface_.color;
    options.width = surface_.width();
    surface_.print(
        TRY(report::print_report(format, findings_.snapshot, findings_.verdict, options)));
    return Done{};
}

Result<Done> Shell::save(Words words) {
    if (words.empty()) return wrong("into which file?");
    TRY(need_no_words(words.subspan(1)));
    report::keep_sources(findings_.snapshot);
    TRY(session::save_findings(findings_, words.front()));
    line(fmt::format("Saved; \"mqinspect show {}\" shows it.", words.front()));
    return Done{};
}

Result<Done> Shell::help(Words words) {
    Page page = this->page();
    if (words.empty()) {
        report::Table table({"COMMAND", "", "WHAT IT DOES"});
        for (const Command& command : commands()) {
            table.row({std::string(command.name),
                       std::string(command.arguments),
                       std::string(command.summary)});
        }
        table.print(page, 0);
        page.paragraph(Style::Dim,
                       "Abbreviations do where they are unique. Ctrl-C stops the job, not the "
                       "shell; Ctrl-D lets go of it and leaves.");
        print(std::move(page));
        return Done{};
    }
    TRY(need_no_words(words.subspan(1)));
    const Command* command = TRY(find_command(words.front()));
    page.paragraph(Style::Title, fmt::format("{} {}", command->name, command->arguments));
    page.paragraph(Style::Plain, command->summary, 2);
    for (std::string_view rest = command->text; !rest.empty();) {
        const std::string_view text = rest.substr(0, rest.find('\n'));
        page.paragraph(Style::Plain, text, 2);
        rest.remove_prefix(std::min(text.size() + 1, rest.size()));
    }
    print(std::move(page));
    return Done{};
}

std::string Shell::prompt() const {
    switch (state_) {
        case JobState::Running:
            return "mqinspect (running)> ";
        case JobState::Stopped:
            return "mqinspect (stopped)> ";
        case JobState::Ended:
            return "mqinspect (ended)> ";
        case JobState::Detached:
            return "mqinspect (detached)> ";
        case JobState::Saved:
            break;
    }
    return "mqinspect (saved)> ";
}

std::vector<std::string> Shell::complete(std::string_view line) const {
    return completions(line, findings_.snapshot);
}

void Shell::print_verdict() {
    report::TextOptions options;
    options.color = surface_.color;
    options.width = surface_.width();
    options.show_queues = false;
    surface_.print(report::print_text(findings_.snapshot, findings_.verdict, options));
}

void Shell::print(Page page) {
    surface_.print(std::move(page).finish());
}

void Shell::line(std::string_view text) {
    Page page = this->page();
    page.paragraph(Style::Plain, text);
    print(std::move(page));
}

Page Shell::page() const {
    return {surface_.color, surface_.width()};
}

}  // namespace mqinspect::shell
