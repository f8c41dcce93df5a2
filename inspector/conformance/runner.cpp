#include "inspector/conformance/runner.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include <fmt/format.h>

#include "inspector/conformance/system_calls.h"
#include "inspector/mqs_host/helper.h"
#include "inspector/mqs_host/sandbox.h"

namespace mqinspect::conformance {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxJournalBytes = std::size_t{256} << 20;
constexpr std::size_t kMaxOutputBytes = 4096;
constexpr int kPollMs = 50;
/// First line of a journal whose helper could not begin; the reason follows.
constexpr std::string_view kRefused = "refused\t";

void write_refusal(int channel, const std::string& message) {
    const std::string line = fmt::format("{}{}\n", kRefused, message);
    [[maybe_unused]] const auto written = write(channel, line.data(), line.size());
}

/// In the helper.
void perform(const Scenario& scenario,
             const std::string& path,
             const DebuggedJob& job,
             int channel,
             std::atomic<std::uint32_t>& word) {
    Journal journal(channel);
    word.store(static_cast<std::uint32_t>(mqs_host::Stage::Loading));
    watch_system_calls();
    const auto sandbox =
        mqs_host::enter_sandbox({.forbidden = mqs_host::Forbidden::Traps, .may_block = false});
    if (!sandbox) return write_refusal(channel, sandbox.error().message);
    const auto dll = mqs_host::Dll::load(path);
    if (!dll) return write_refusal(channel, dll.error().message);
    for (const std::string& name : take_trapped_calls())
        journal.violation(Rule::SystemCalls, "dlopen", fmt::format("calls {}", name));
    Debugger debugger(job, journal, scenario.conditions);
    Driver driver(*dll, debugger, word);
    scenario.run(driver);
    journal.done();
}

/// What a helper has written, how it ended, and where it was.
struct Remains {
    std::string journal;
    std::string output;
    std::string end;
    bool hung = false;
    std::uint32_t stage = 0;
};

/// False: the other end is closed.
bool read_what_there_is(int fd, std::string& text, std::size_t most) {
    std::array<char, 65536> chunk{};
    const ssize_t taken = read(fd, chunk.data(), chunk.size());
    if (taken > 0) {
        text.append(chunk.data(), std::min(static_cast<std::size_t>(taken), most - text.size()));
    }
    return taken > 0 || (taken < 0 && (errno == EAGAIN || errno == EINTR));
}

Remains listen(mqs_host::HelperProcess& helper,
               const mqs_host::SharedStage& stage,
               const RunnerOptions& options) {
    Remains remains;
    std::uint32_t last = stage.word().load();
    auto deadline = Clock::now() + options.patience;
    while (true) {
        std::array<pollfd, 2> sources{
            {{helper.channel(), POLLIN, 0}, {helper.output(), POLLIN, 0}}};
        if (poll(sources.data(), sources.size(), kPollMs) < 0 && errno != EINTR) break;
        if ((sources[1].revents & POLLIN) != 0) {
            read_what_there_is(helper.output(), remains.output, kMaxOutputBytes);
        }
        if (sources[0].revents != 0 &&
            !read_what_there_is(helper.channel(), remains.journal, kMaxJournalBytes)) {
            break;
        }
        const std::uint32_t now = stage.word().load();
        if (now != last) deadline = Clock::now() + options.patience;
        last = now;
        if (Clock::now() >= deadline) {
            remains.hung = true;
            break;
        }
    }
    remains.stage = stage.word().load() & ((1U << kStageBits) - 1);
    remains.end = helper.end();
    read_what_there_is(helper.output(), remains.output, kMaxOutputBytes);
    return remains;
}

void add_violation(Findings& findings, Rule rule, std::string_view function, std::string text) {
    findings.violations.push_back({rule, std::string(function), std::move(text), 1});
}

}  // namespace

Result<Outcome> run(const Scenario& scenario,
                    const std::string& dll,
                    const DebuggedJob& job,
                    const RunnerOptions& options) {
    const auto stage = TRY(mqs_host::SharedStage::create());
    auto helper = TRY(mqs_host::HelperProcess::start(
        [&](int channel, std::atomic<std::uint32_t>& word) {
            perform(scenario, dll, job, channel, word);
        },
        stage));
    const Remains remains = listen(helper, stage, options);
    if (remains.journal.starts_with(kRefused)) {
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("{} {}",
                        dll,
                        remains.journal.substr(kRefused.size(),
                                               remains.journal.find('\n') - kRefused.size()))};
    }
    Outcome outcome{&scenario, read_journal(remains.journal, job.images(), job.processes().size())};
    const auto where = mqs_host::stage_name(remains.stage);
    if (remains.hung) {
        add_violation(outcome.findings,
                      Rule::Hang,
                      where,
                      fmt::format("does not return within {} ms", options.patience.count()));
    } else if (!outcome.findings.done) {
        add_violation(outcome.findings, Rule::Crash, where, remains.end);
    }
    if (!remains.output.empty()) {
        add_violation(
            outcome.findings,
            Rule::Output,
            "",
            fmt::format("prints {}", quoted(remains.output.data(), remains.output.size())));
    }
    return outcome;
}

Result<std::vector<Outcome>> run_all(std::span<const std::string> names,
                                     const std::string& dll,
                                     const DebuggedJob& job,
                                     const RunnerOptions& options) {
    std::vector<Outcome> outcomes;
    long level = 0;
    for (const Scenario& scenario : scenarios()) {
        if (!names.empty() && std::ranges::find(names, scenario.name) == names.end()) continue;
        if (scenario.conditions.short_tables && level >= mqs_host::kNewestLevel) {
            outcomes.push_back({&scenario, {}});
            outcomes.back().findings.not_applicable = "the DLL speaks level 3";
            continue;
        }
        outcomes.push_back(TRY(run(scenario, dll, job, options)));
        const auto& figures = outcomes.back().findings.figures;
        if (const auto told = figures.find(Figure::Level); told != figures.end()) {
            level = told->second;
        }
    }
    return outcomes;
}

}  // namespace mqinspect::conformance
