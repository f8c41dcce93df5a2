#include "inspector/commands/attach.h"

#include <sched.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "analysis/deadlock.h"
#include "inspector/commands/exit_code.h"
#include "inspector/commands/output.h"
#include "inspector/job/job.h"
#include "inspector/snapshot/observer.h"
#include "inspector/snapshot/second_look.h"
#include "report/dispatch.h"

namespace mqinspect::commands {

namespace {

using std::chrono::milliseconds;

struct AttachOptions {
    std::vector<pid_t> pids;
    std::string format = "text";
    OutputOptions output;
    snapshot::ObserverOptions observer;
    int confirm_ms = 20;
    bool batch = false;
    bool verbose = false;
    bool stacks = false;
};

struct Findings {
    model::JobSnapshot snapshot;
    analysis::Verdict verdict;
};

bool is_alarm(const analysis::Verdict& verdict) {
    using enum analysis::VerdictKind;
    return verdict.kind == Deadlock || verdict.kind == HangUp || verdict.kind == Suspected;
}

/// All that a message could be under way to, or from: also those that seem able to go
/// on, since what they do next may release the others.
std::vector<pid_t> pids_of_ranks(const model::JobSnapshot& snapshot) {
    std::vector<pid_t> pids;
    for (const model::RankSnapshot& rank : snapshot.ranks) {
        const bool alive =
            rank.state == model::RankState::Blocked || rank.state == model::RankState::Running;
        if (alive) pids.push_back(rank.pid);
    }
    return pids;
}

/// Looks until two looks in a row agree, or three times: ranks that communicate
/// can stand in the way of one look, hardly of all.
Findings look(snapshot::Observer& observer, const AttachOptions& options) {
    constexpr int max_looks = 3;
    Findings findings;
    findings.snapshot = observer.observe();
    findings.verdict = analysis::analyze(findings.snapshot);
    double stopped_ms = findings.snapshot.stopped_ms;
    for (int looks = 1; looks < max_looks && options.confirm_ms > 0; ++looks) {
        const bool settled = looks > 1 && findings.verdict.kind != analysis::VerdictKind::Suspected;
        if (!is_alarm(findings.verdict) || settled) break;
        snapshot::let_ranks_run(pids_of_ranks(findings.snapshot),
                                milliseconds(options.confirm_ms),
                                milliseconds(options.confirm_ms * 25));
        model::JobSnapshot second = observer.observe();
        stopped_ms += second.stopped_ms;
        findings.verdict = analysis::analyze_confirmed(findings.snapshot, second);
        findings.snapshot = std::move(second);
    }
    findings.snapshot.stopped_ms = stopped_ms;
    return findings;
}

bool any_rank_missing(const model::JobSnapshot& snapshot) {
    for (const model::RankSnapshot& rank : snapshot.ranks) {
        if (rank.state == model::RankState::Unreadable) return true;
    }
    return false;
}

ExitCode exit_code_of(const Findings& findings) {
    if (is_alarm(findings.verdict)) return ExitCode::Findings;
    if (findings.verdict.kind == analysis::VerdictKind::Unknown) return ExitCode::Partial;
    return any_rank_missing(findings.snapshot) ? ExitCode::Partial : ExitCode::NothingFound;
}

/// The ranks of a hung job poll, and leave a processor to nobody: at the ordinary
/// priority an answer takes as many times longer as there are ranks to a core. The
/// real-time class, at its lowest priority, because each rank may be a scheduling
/// group of its own (sched(7), autogroup), against which nice values count for
/// nothing. Needs a privilege (root, CAP_SYS_NICE); without it the answer is only
/// slower.
void go_before_the_ranks() {
    sched_param lowest{};
    lowest.sched_priority = sched_get_priority_min(SCHED_RR);
    sched_setscheduler(0, SCHED_RR, &lowest);
}

Result<ExitCode> attach(const AttachOptions& options) {
    go_before_the_ranks();
    const auto start = std::chrono::steady_clock::now();
    target::ImageStore images(target::default_image_cache());
    job::Job job = TRY(job::find_job(options.pids, images));
    snapshot::Observer observer(std::move(job), images, options.observer);
    TRY(observer.prepare());
    Findings findings = look(observer, options);
    findings.snapshot.total_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();

    report::TextOptions text;
    text.color = use_color(options.output);
    text.width = terminal_width();
    text.verbose = options.verbose;
    text.show_stacks = options.stacks;
    const std::string page =
        TRY(report::print_report(options.format, findings.snapshot, findings.verdict, text));
    TRY(write_report(page, options.output));
    return exit_code_of(findings);
}

}  // namespace

void add_attach(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<AttachOptions>();
    CLI::App* command = app.add_subcommand(
        "attach", "Look at a running MPI job: who waits for whom, and is it a deadlock");
    command->add_option("PID", options->pids, "pid of mpiexec, of any rank, or of several ranks")
        ->required()
        ->check(CLI::PositiveNumber);
    std::vector<std::string> formats;
    for (const std::string_view name : report::format_names())
        formats.emplace_back(name);
    command->add_option("--format", options->format, "how to print the report")
        ->check(CLI::IsMember(formats))
        ->capture_default_str();
    add_output_options(*command, options->output);
    command
        ->add_option("--confirm",
                     options->confirm_ms,
                     "look again after so many milliseconds before calling it a deadlock; 0: never")
        ->check(CLI::Range(0, 60000))
        ->capture_default_str();
    command->add_flag("--batch", options->batch, "ask nothing, print one report and detach");
    command->add_flag("--stacks", options->stacks, "show the stack of every rank");
    command->add_flag("-v,--verbose",
                      options->verbose,
                      "fold nothing: every operation, all arguments, full paths");
    command->add_flag("--internal",
                      options->observer.show_internal,
                      "show the MPI library's own communicators too");
    command->add_option("--dll", options->observer.dll, "debugger DLL to load instead of ours")
        ->check(CLI::ExistingFile);
    command
        ->add_option("--types",
                     options->observer.types,
                     "file with the types of a stripped MPI library (see docs/foreign-dlls.md); "
                     "default: $MQI_TYPES")
        ->check(CLI::ExistingFile)
        ->allow_extra_args(false);
    command->callback([options, &exit_code] {
        if (options->observer.types.empty()) {
            options->observer.types = snapshot::types_from_environment();
        }
        const auto result = attach(*options);
        if (!result) complain(result.error());
        exit_code = static_cast<int>(result ? *result : ExitCode::CannotDo);
    });
}

}  // namespace mqinspect::commands
