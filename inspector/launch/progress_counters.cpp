#include "inspector/launch/progress_counters.h"

#include <algorithm>
#include <utility>

#include "inspector/target/process_view.h"

namespace mqinspect::launch {

namespace {

using target::Address;

/// No MPICH has more virtual interfaces.
constexpr int kMostInterfaces = 64;

std::optional<std::uint64_t> offset_in(const target::TypeLayout* type, const char* member) {
    const std::int64_t offset = type == nullptr ? -1 : type->offset_of(member);
    if (offset < 0) return std::nullopt;
    return static_cast<std::uint64_t>(offset);
}

/// Of device ch4, as MPIDI_global.per_vci[i].progress_count.
std::vector<Address> counters_of_interfaces(const target::ProcessView& view,
                                            const target::Memory& memory) {
    const auto global = view.find_symbol("MPIDI_global");
    if (!global) return {};
    const target::TypeLayout* type = view.find_type("MPIDI_CH4_Global_t");
    const target::TypeLayout* interface = view.find_type("MPIDI_per_vci_t");
    if (interface == nullptr) interface = view.find_type("MPIDI_per_vci");
    const auto number = offset_in(type, "n_vcis");
    const auto first = offset_in(type, "per_vci");
    const auto count = offset_in(interface, "progress_count");
    if (!number || !first || !count) return {};
    const int interfaces = target::read_value<int>(memory, *global + *number).value_or(0);
    std::vector<Address> counters(
        static_cast<std::size_t>(std::clamp(interfaces, 0, kMostInterfaces)));
    for (std::size_t i = 0; i < counters.size(); ++i)
        counters[i] = *global + *first + i * interface->size + *count;
    return counters;
}

}  // namespace

void ProgressCounters::open(Source& source, pid_t pid) {
    const auto view = target::ProcessView::create(pid, images_);
    if (!view || view->mpi_module() == nullptr) return;
    source.has_library = true;
    if (!source.memory) {
        auto memory = target::LiveMemory::open(pid);
        if (!memory) return;
        source.memory = *std::move(memory);
    }
    if (const auto count = view->find_symbol("MPIDI_CH3I_progress_completion_count")) {
        source.counters = {*count};
    } else {
        source.counters = counters_of_interfaces(*view, *source.memory);
        // There are none until MPI_Init has set the device up.
        if (source.counters.empty() && view->find_symbol("MPIDI_global"))
            source.has_library = false;
    }
}

void ProgressCounters::watch(std::span<const pid_t> pids, Clock::time_point now) {
    std::vector<RankProgress> progress;
    std::vector<Source> sources;
    for (const pid_t pid : pids) {
        const auto known = std::ranges::find(progress_, pid, &RankProgress::pid);
        if (known != progress_.end()) {
            progress.push_back(*known);
            sources.push_back(
                std::move(sources_[static_cast<std::size_t>(known - progress_.begin())]));
            known->pid = 0;
        } else {
            progress.push_back({pid, false, now});
            sources.emplace_back();
        }
        if (sources.back().counters.empty()) open(sources.back(), pid);
    }
    progress_ = std::move(progress);
    sources_ = std::move(sources);
}

void ProgressCounters::sample(Clock::time_point now) {
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        Source& source = sources_[i];
        if (source.counters.empty()) continue;
        std::uint64_t sum = 0;
        bool all = true;
        for (const Address counter : source.counters) {
            const auto value = target::read_value<std::uint32_t>(*source.memory, counter);
            all = all && value;
            sum += value.value_or(0U);
        }
        progress_[i].counted = all;
        if (!all || source.last == sum) continue;
        source.last = sum;
        progress_[i].since = now;
    }
}

void ProgressCounters::restart(Clock::time_point now) {
    for (RankProgress& rank : progress_)
        rank.since = now;
}

bool ProgressCounters::incomplete() const {
    return std::ranges::any_of(sources_, [](const Source& source) { return !source.has_library; });
}

}  // namespace mqinspect::launch
