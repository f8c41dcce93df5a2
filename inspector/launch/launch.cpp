#include "inspector/launch/launch.h"

#include <span>
#include <utility>

#include <fmt/format.h>

#include "inspector/job/launcher.h"
#include "inspector/job/process_table.h"
#include "inspector/job/proctable.h"
#include "inspector/job/rank_environment.h"
#include "inspector/launch/table_check.h"
#include "inspector/target/live_memory.h"

namespace mqinspect::launch {

namespace {

using target::TraceEvent;

// Values of MPIR_debug_state (MPIR 1.1, "Starter process definitions").
constexpr int kSpawned = 1;
constexpr int kAborting = 2;

Result<int> read_int(const target::ProcessView& view, const char* symbol) {
    const auto address = view.find_symbol(symbol);
    if (!address) return Error{ErrorCode::MissingDebugInfo, symbol};
    const auto memory = TRY(target::LiveMemory::open(view.pid()));
    return target::read_value<int>(*memory, *address);
}

Result<Done> write_one(const target::ProcessView& view, const char* symbol) {
    constexpr int one = 1;
    const auto address = view.find_symbol(symbol);
    if (!address) return Error{ErrorCode::MissingDebugInfo, symbol};
    return target::TracedProcesses::write(view.pid(), *address, std::as_bytes(std::span(&one, 1)));
}

std::string name_of(pid_t pid) {
    return fmt::format("{} (pid {})", job::base_name(job::executable_of(pid)), pid);
}

}  // namespace

Result<Done> Launch::start(const std::vector<std::string>& command) {
    command_ = TRY(traced_.start(command));
    return Done{};
}

pid_t Launch::launcher() const {
    for (const auto& [pid, launcher] : launchers_) {
        if (launcher.has_job) return pid;
    }
    return 0;
}

void Launch::handle_events() {
    while (const auto event = traced_.next())
        handle(*event);
}

void Launch::handle(const TraceEvent& event) {
    switch (event.kind) {
        case TraceEvent::Kind::Exec:
            at_exec(event);
            break;
        case TraceEvent::Kind::Breakpoint: {
            const auto found = launchers_.find(event.pid);
            if (found != launchers_.end() && found->second.breakpoint == event.address) {
                at_mpir_breakpoint(event.pid, found->second);
            } else {
                at_entry(event);
            }
            traced_.resume(event.tid);
            break;
        }
        case TraceEvent::Kind::Crash:
            crashes_.push_back(event);
            break;
        case TraceEvent::Kind::Ended:
            ++generation_;
            launchers_.erase(event.pid);
            std::erase(gated_, event.pid);
            if (event.pid == command_) status_ = event.status;
            break;
    }
}

void Launch::at_exec(const TraceEvent& event) {
    ++generation_;
    launchers_.erase(event.pid);
    // Open MPI's libraries bring the symbols of a launcher into its ranks, too.
    const bool may_launch =
        !job::rank_environment_of(event.pid) || job::is_launcher_by_name(event.pid);
    // A program of another machine type is left alone.
    if (may_launch) static_cast<void>(traced_.stop_at_entry(event.pid));
    traced_.resume(event.tid);
}

void Launch::at_entry(const TraceEvent& event) {
    auto view = target::ProcessView::create(event.pid, images_);
    if (!view) return;
    const auto breakpoint = view->find_symbol("MPIR_Breakpoint");
    const bool offers_mpir =
        breakpoint && view->find_symbol("MPIR_proctable") && view->mpi_module() == nullptr;
    if (!offers_mpir) {
        if (job::is_launcher_by_name(event.pid)) {
            note_(
                fmt::format("{} does not offer MPIR (it is stripped, or built without); its "
                            "processes are looked for in /proc",
                            name_of(event.pid)));
        }
        return;
    }
    const auto told = write_one(*view, "MPIR_being_debugged");
    const auto set = traced_.set_breakpoint(event.pid, *breakpoint);
    if (!told || !set) {
        note_(fmt::format("{} cannot be told that it is watched: {}",
                          name_of(event.pid),
                          told ? set.error().message : told.error().message));
        return;
    }
    launchers_.emplace(event.pid, Launcher{*std::move(view), *breakpoint, false});
}

void Launch::at_mpir_breakpoint(pid_t pid, Launcher& launcher) {
    // Launchers that never abort have no state.
    const int state = read_int(launcher.view, "MPIR_debug_state").value_or(kSpawned);
    if (state == kSpawned) acquire(pid, launcher);
    if (state == kAborting) say_why_it_aborts(pid, launcher);
}

void Launch::acquire(pid_t pid, Launcher& launcher) {
    ++generation_;
    launcher.has_job = true;
    had_job_ = true;
    const auto memory = target::LiveMemory::open(pid);
    if (!memory) return;
    const auto entries = job::read_proctable(launcher.view, **memory);
    if (!entries) {
        note_(fmt::format(
            "the process table of {} cannot be read: {}", name_of(pid), entries.error().message));
        return;
    }
    const CheckedTable table = check_table(*entries, job::ProcessTable::read(), pid);
    for (const std::string& problem : table.problems)
        note_(problem);
    // "The starter releases the processes itself" (MPIR 1.1, MPIR_partial_attach_ok).
    const bool is_gated = !launcher.view.find_symbol("MPIR_partial_attach_ok");
    for (const pid_t rank : table.pids) {
        const auto seized = traced_.seize(rank);
        if (!seized && seized.error().code != ErrorCode::TargetExited) {
            note_(fmt::format(
                "a crash of process {} will not be seen: {}", rank, seized.error().message));
        }
        if (seized && is_gated) gated_.push_back(rank);
    }
}

void Launch::say_why_it_aborts(pid_t pid, const Launcher& launcher) {
    constexpr std::size_t max_bytes = 4096;
    std::string reason;
    const auto memory = target::LiveMemory::open(pid);
    if (const auto symbol = launcher.view.find_symbol("MPIR_debug_abort_string");
        memory && symbol) {
        const auto text = target::read_value<std::uint64_t>(**memory, *symbol);
        if (text && *text != 0) {
            reason = target::read_string(**memory, target::Address{*text}, max_bytes)
                         .value_or(std::string{});
        }
    }
    note_(fmt::format("{} gives the job up{}{}", name_of(pid), reason.empty() ? "" : ": ", reason));
}

bool Launch::release(pid_t pid) {
    const auto view = target::ProcessView::create(pid, images_);
    if (!view || view->mpi_module() == nullptr) return false;
    // One without a gate does not wait.
    static_cast<void>(write_one(*view, "MPIR_debug_gate"));
    return true;
}

void Launch::open_gates() {
    std::erase_if(gated_, [this](pid_t pid) { return release(pid); });
}

}  // namespace mqinspect::launch
