#include "analysis/replay/run_clocks.h"

#include <algorithm>

#include "analysis/replay/data_flow.h"

namespace mqinspect::analysis {

using model::ProcessId;

void join_clock(Clock& into, const Clock& from) {
    std::ranges::transform(into, from, into.begin(), [](std::uint64_t left, std::uint64_t right) {
        return std::max(left, right);
    });
}

RunClocks::RunClocks(const model::Execution& execution,
                     std::size_t processes,
                     const std::vector<CallKind>& kinds)
    : execution_(execution),
      kinds_(kinds),
      rows_(processes, {Clock(processes), Clock(processes), nullptr}),
      synchronous_(has_sends(kinds, model::SendMode::Synchronous)) {}

bool RunClocks::know_all(const model::Execution& execution) {
    return execution.windows.empty() && execution.processes.size() <= kMostProcesses &&
           std::ranges::none_of(execution.processes, &model::RecordedProcess::threads_may_call);
}

std::shared_ptr<const Clock> RunClocks::of(ProcessId process) {
    Row& row = rows_[process.index()];
    if (row.shown == nullptr) row.shown = std::make_shared<const Clock>(row.known);
    return row.shown;
}

void RunClocks::may_know_all(ProcessId process, std::uint64_t event) {
    rows_[process.index()].unknown[process.index()] = event;
}

void RunClocks::join(Row& into, const Row& from) {
    join_clock(into.known, from.known);
    join_clock(into.unknown, from.unknown);
    into.shown = nullptr;
}

void RunClocks::on_start(OperationIndex index, const Operation& operation) {
    if (!operation.is_send && !synchronous_) return;
    if (started_.size() <= index)
        started_.resize(std::max<std::size_t>(index + std::size_t{1}, 64) * 2);
    Row& started = started_[index];
    started = rows_[operation.site.process.index()];
    started.known[operation.site.process.index()] = operation.site.event;
}

void RunClocks::on_met(const Operation& send, const Operation& receive) {
    if (send.partner < started_.size()) met_[receive.partner] = started_[send.partner];
}

void RunClocks::on_acknowledged(OperationIndex index, const Operation& send) {
    const auto met = met_.extract(index);
    if (met && !met.mapped().known.empty()) join(rows_[send.site.process.index()], met.mapped());
}

void RunClocks::on_pair(const Operation&, const Operation& receive) {
    const Row& sent = started_[receive.partner];
    if (!sent.known.empty()) join(rows_[receive.site.process.index()], sent);
}

void RunClocks::on_whole(const Wave& wave) {
    const CallKind& kind = kinds_[wave.contributions.front().site.procedure.index()];
    const auto site_of = [&](std::size_t member) -> const EventSite& {
        return wave.contributions[member].site;
    };
    spread(
        DataFlow(kind, wave, execution_),
        wave.contributions.size(),
        [&] {
            return Row{Clock(rows_.size()), Clock(rows_.size()), nullptr};
        },
        [&](Row& known, std::size_t from) {
            const EventSite& site = site_of(from);
            join(known, rows_[site.process.index()]);
            std::uint64_t& own = known.known[site.process.index()];
            own = std::max(own, site.event);
        },
        [&](std::size_t to, const Row& known) { join(rows_[site_of(to).process.index()], known); });
}

}  // namespace mqinspect::analysis
