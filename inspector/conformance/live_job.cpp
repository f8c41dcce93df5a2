#include "inspector/conformance/live_job.h"

#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "inspector/job/job.h"
#include "inspector/mqs_host/mqs_host.h"
#include "inspector/snapshot/type_sources.h"
#include "inspector/target/live_memory.h"
#include "inspector/target/process_view.h"
#include "inspector/target/stop.h"

namespace mqinspect::conformance {

namespace {

class LiveJob final : public DebuggedJob {
public:
    LiveJob() : store_(target::default_image_cache()) {}

    Result<Done> open(std::span<const pid_t> pids, const std::vector<std::string>& types) {
        auto sources = TRY(snapshot::TypeSources::find(types, store_));
        const job::Job job = TRY(job::find_job(pids, store_));
        for (const auto& process : job.processes) {
            if (!process.local || !process.alive || process.pid == 0) continue;
            TRY(add(process.pid, process.rank.value));
            TRY(sources.lend(views_.back(), *memories_.back()));
        }
        if (processes_.empty()) {
            return Error{ErrorCode::TargetExited, "no process of the job is left on this host"};
        }
        number_images();
        return Done{};
    }

    /// The lookups are kept by the images.
    void learn_lookups(const std::string& dll) const {
        std::vector<mqs_host::HostedProcess> hosted;
        for (std::size_t i = 0; i < views_.size(); ++i) {
            hosted.push_back(
                {model::WorldRank(processes_[i].rank), &views_[i], memories_[i].get()});
        }
        mqs_host::HostOptions options;
        options.set_up_only = true;
        options.patience = std::chrono::seconds(60);
        // What is wrong with the DLL is for the scenarios to find.
        [[maybe_unused]] const auto report = mqs_host::read_queues(dll, hosted, options);
    }

    Result<Done> stop() {
        std::vector<pid_t> pids;
        pids.reserve(views_.size());
        for (const auto& view : views_)
            pids.push_back(view.pid());
        stopped_ = std::make_unique<target::StoppedProcesses>(target::StoppedProcesses::stop(pids));
        for (std::size_t i = 0; i < pids.size(); ++i) {
            if (!stopped_->threads(i)) {
                return stopped_->threads(i).error().in(
                    fmt::format("rank {} (process {})", processes_[i].rank, pids[i]));
            }
        }
        return Done{};
    }

    Answer<std::uint64_t> find_symbol(std::size_t image, std::string_view name) const override {
        const auto found = views_[first_of_image_[image]].find_symbol(name);
        if (!found) return {};
        return {.value = target::to_integer(*found)};
    }

    Answer<const target::TypeLayout*> find_type(std::size_t image,
                                                std::string_view name) const override {
        const target::TypeLayout* layout = views_[first_of_image_[image]].find_type(name);
        if (layout == nullptr) return {};
        return {.value = layout};
    }

    Answer<bool> read(std::size_t process,
                      std::uint64_t address,
                      std::span<std::byte> destination) const override {
        if (!memories_[process]->read(target::Address{address}, destination)) return {};
        return {.value = true};
    }

private:
    Result<Done> add(pid_t pid, int rank) {
        const auto where = [&](const Error& error) {
            return error.in(fmt::format("rank {} (process {})", rank, pid));
        };
        auto view = target::ProcessView::create(pid, store_);
        if (!view) return where(view.error());
        auto memory = target::LiveMemory::open(pid);
        if (!memory) return where(memory.error());
        processes_.push_back({.rank = rank, .image = 0});
        views_.push_back(std::move(*view));
        memories_.push_back(std::move(*memory));
        return Done{};
    }

    void number_images() {
        using Files = std::vector<std::pair<const target::Image*, std::uint64_t>>;
        std::map<Files, std::size_t> known;
        for (std::size_t i = 0; i < views_.size(); ++i) {
            Files files;
            for (const auto& module : views_[i].modules())
                files.emplace_back(module.image, module.bias);
            const auto [entry, is_new] = known.try_emplace(std::move(files), known.size());
            if (is_new) first_of_image_.push_back(i);
            processes_[i].image = entry->second;
        }
        images_ = known.size();
    }

    target::ImageStore store_;
    std::vector<target::ProcessView> views_;
    std::vector<std::unique_ptr<target::LiveMemory>> memories_;
    std::vector<std::size_t> first_of_image_;
    std::unique_ptr<target::StoppedProcesses> stopped_;
};

}  // namespace

Result<std::unique_ptr<DebuggedJob>> stop_job(std::span<const pid_t> pids,
                                              const std::string& dll,
                                              const std::vector<std::string>& types) {
    auto job = std::make_unique<LiveJob>();
    TRY(job->open(pids, types));
    job->learn_lookups(dll);
    TRY(job->stop());
    return std::unique_ptr<DebuggedJob>(std::move(job));
}

}  // namespace mqinspect::conformance
