#include "trace_io/recording.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/wall_clock.h"

#include "trace_io/call_merge.h"
#include "trace_io/clock.h"
#include "trace_io/numbering.h"
#include "trace_io/process_files.h"
#include "trace_io/run_end.h"
#include "trace_io/running.h"
#include "trace_io/spawns.h"
#include "trace_io/survey.h"
#include "trace_io/worlds.h"

namespace mqinspect::trace_io {
namespace {

using model::Execution;
using model::ProcessId;

class FolderRecording : public model::Recording {
public:
    explicit FolderRecording(std::vector<ProcessFiles> files) : files_(std::move(files)) {}

    const Execution& execution() const override { return execution_; }
    std::unique_ptr<model::CallStream> calls(ProcessId process) const override {
        return std::make_unique<CallMerge>(sources_[process.index()]);
    }

    /// `read_at_ns`: when the files were looked at first, since the epoch.
    Result<Done> open(std::string_view folder,
                      std::vector<std::string> problems,
                      std::uint64_t read_at_ns);

private:
    std::uint64_t origin_of(const std::vector<Place>& places) const;
    void make_sources(const std::vector<Place>& places,
                      std::vector<Translation> translations,
                      std::uint64_t origin_ns);
    void survey_all();
    void take_end(const std::string& folder, std::uint64_t origin_ns);
    void look_at_running(std::uint64_t now_ns, std::uint64_t origin_ns);

    std::vector<ProcessFiles> files_;
    std::vector<ProcessSource> sources_;  ///< by ProcessId
    Execution execution_;
};

Result<Done> FolderRecording::open(std::string_view folder,
                                   std::vector<std::string> problems,
                                   std::uint64_t read_at_ns) {
    execution_.problems = std::move(problems);
    const std::vector<Place> places = TRY(arrange(files_, folder, execution_.problems));
    const std::uint64_t origin_ns = origin_of(places);
    make_sources(places, number_all(files_, places, execution_), origin_ns);
    take_end(std::string{folder}, origin_ns);
    survey_all();
    look_at_running(read_at_ns, origin_ns);
    return Done{};
}

/// When the first process has started, from which times are counted.
std::uint64_t FolderRecording::origin_of(const std::vector<Place>& places) const {
    std::uint64_t origin_ns = UINT64_MAX;
    for (const Place& place : places)
        if (place.files) origin_ns = std::min(origin_ns, files_[*place.files].start_ns);
    return origin_ns;
}

void FolderRecording::take_end(const std::string& folder, std::uint64_t origin_ns) {
    const auto end_ns = read_run_end(folder);
    if (end_ns && *end_ns >= origin_ns && *end_ns - origin_ns <= INT64_MAX)
        execution_.end_ns = static_cast<std::int64_t>(*end_ns - origin_ns);
}

/// Those of whose end nothing is recorded. What they do while they are read lies behind the end.
void FolderRecording::look_at_running(std::uint64_t now_ns, std::uint64_t origin_ns) {
    for (std::size_t at = 0; at < sources_.size(); ++at) {
        model::Termination& end = execution_.processes[at].termination;
        const ProcessFiles* const files = sources_[at].files;
        if (end.kind != model::Termination::Kind::Killed || files == nullptr) continue;
        end.running = has_mapped(files->pid, files->name + ".mqlog");
        if (!end.running || execution_.end_ns) continue;
        if (now_ns >= origin_ns && now_ns - origin_ns <= INT64_MAX)
            execution_.end_ns = static_cast<std::int64_t>(now_ns - origin_ns);
    }
}

void FolderRecording::make_sources(const std::vector<Place>& places,
                                   std::vector<Translation> translations,
                                   std::uint64_t origin_ns) {
    double rate = 1;
    for (const Place& place : places) {
        if (!place.files) continue;
        const ProcessFiles& files = files_[*place.files];
        // A process that died early has noted the time once; the others' speed is as good.
        if (const auto measured = tick_rate(files.definitions.clock)) rate = *measured;
    }
    for (std::size_t at = 0; at < places.size(); ++at) {
        ProcessSource source;
        source.id = ProcessId(static_cast<int>(at));
        source.translation = std::move(translations[at]);
        if (places[at].files) {
            const ProcessFiles& files = files_[*places[at].files];
            source.files = &files;
            source.clock = Clock(files.definitions.clock, rate, origin_ns);
            const ById<model::Procedure>& procedures = files.definitions.procedures;
            for (std::size_t id = 0; id < procedures.size(); ++id) {
                source.codings.push_back(
                    procedures[id] ? coding_of(*procedures[id], source.translation.procedures[id])
                                   : Coding{});
            }
        }
        sources_.push_back(std::move(source));
    }
}

void FolderRecording::survey_all() {
    std::vector<Survey> surveys(sources_.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t at = next++; at < sources_.size(); at = next++)
            surveys[at] = survey(sources_[at], execution_.procedures);
    };
    const std::size_t workers =
        std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), sources_.size());
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < workers; ++i)
        threads.emplace_back(work);
    work();
    threads.clear();  // waits for them
    std::size_t events = 0;
    for (const Survey& found : surveys)
        events += found.events.size();
    execution_.events.reserve(events);
    for (std::size_t at = 0; at < surveys.size(); ++at) {
        Survey& found = surveys[at];
        model::RecordedProcess& process = execution_.processes[at];
        process.termination = found.termination;
        process.threads_communicate = found.threads_communicate;
        process.incomplete = process.incomplete || !found.problems.empty();
        std::ranges::move(found.events, std::back_inserter(execution_.events));
        std::ranges::move(found.problems, std::back_inserter(execution_.problems));
        if (found.changes_left_out) {
            execution_.problems.push_back(fmt::format(
                "process {}: the buffers of pending operations have changed more than {} "
                "times; what came behind is not looked at",
                process.rank.value,
                EventList::kMostChanges));
        }
    }
}

void keep_newest(std::vector<ProcessFiles>& files) {
    constexpr std::size_t kept = 2;
    for (ProcessFiles& process : files) {
        for (ThreadBlocks& thread : process.threads) {
            const std::size_t left_out =
                thread.blocks.size() - std::min(thread.blocks.size(), kept);
            thread.blocks.erase(thread.blocks.begin(),
                                thread.blocks.begin() + static_cast<std::ptrdiff_t>(left_out));
            process.incomplete = process.incomplete || left_out != 0;
        }
    }
}

}  // namespace

Result<std::unique_ptr<model::Recording>> open_recording(std::string_view folder, Extent extent) {
    const std::uint64_t now_ns = wall_clock_ns();
    std::vector<std::string> problems;
    std::vector<ProcessFiles> files = TRY(read_folder(folder, problems));
    if (extent == Extent::Newest) keep_newest(files);
    name_spawned_worlds(files);
    auto recording = std::make_unique<FolderRecording>(std::move(files));
    TRY(recording->open(folder, std::move(problems), now_ns));
    return std::unique_ptr<model::Recording>(std::move(recording));
}

}  // namespace mqinspect::trace_io
