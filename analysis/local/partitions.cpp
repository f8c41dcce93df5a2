// What the program says of the partitions of an operation (MPI 4.0, 4.2).
#include <string>
#include <utility>
#include <vector>

#include "analysis/local/requests.h"

namespace mqinspect::analysis {

using model::Role;
using Kind = OpenRequest::Kind;

namespace {

constexpr std::int64_t kMostPartitions = 1 << 20;  // of more nothing is remembered
constexpr std::size_t kMostShown = 8;

/// "partitions 2 and 3 have"; empty: all are ready.
std::string unready(const OpenRequest& request) {
    std::vector<std::int64_t> missing;
    for (std::int64_t at = 0; at < request.partitions; ++at) {
        const auto place = static_cast<std::size_t>(at);
        if (place >= request.ready.size() || !request.ready[place]) missing.push_back(at);
    }
    if (missing.empty()) return {};
    std::string text = missing.size() == 1 ? "partition " : "partitions ";
    for (std::size_t i = 0; i < missing.size() && i < kMostShown; ++i) {
        if (i > 0) text += i + 1 == missing.size() ? " and " : ", ";
        text += std::to_string(missing[i]);
    }
    if (missing.size() > kMostShown) text += ", ...";
    return text + (missing.size() == 1 ? " has" : " have");
}

}  // namespace

void Requests::use_partition(const CallView& view) {
    OpenRequest* const request = open(view.number(Role::Request, model::kNullHandle));
    if (request == nullptr) return;
    if (request->partitions < 0) {
        return invalid(view,
                       *request,
                       view.name() + " is given a request that is not of a partitioned operation.");
    }
    if (!request->active) {
        return invalid(view,
                       *request,
                       view.name() + " is called for a partitioned " +
                           std::string{noun(request->kind)} + " that has not been started.");
    }
    const bool ready = view.name() != "MPI_Parrived";
    if (ready && request->kind != Kind::Send) {
        return invalid(view,
                       *request,
                       view.name() +
                           " is called for a partitioned receive: only what is sent "
                           "becomes ready.");
    }
    if (const model::Value* const list = view.named("array_of_partitions")) {
        for (const std::int64_t partition : list->list)
            if (!mark_partition(view, *request, partition, ready)) return;
        return;
    }
    const model::Value* const low = view.named("partition_low");
    const model::Value* const high = view.named("partition_high");
    const model::Value* const one = view.named("partition");
    if (one != nullptr) mark_partition(view, *request, one->number, ready);
    if (low == nullptr || high == nullptr || !mark_partition(view, *request, low->number, ready))
        return;
    // Both bounds first, so that the loop is no longer than there are partitions.
    if (high->number >= request->partitions) {
        mark_partition(view, *request, high->number, ready);
        return;
    }
    for (std::int64_t at = low->number + 1; at <= high->number; ++at)
        if (!mark_partition(view, *request, at, ready)) return;
}

/// False: it has been reported.
bool Requests::mark_partition(const CallView& view,
                              OpenRequest& request,
                              std::int64_t partition,
                              bool ready) {
    if (partition < 0 || partition >= request.partitions) {
        invalid(view,
                request,
                view.name() + " is given partition " + std::to_string(partition) +
                    " of an operation that has " + std::to_string(request.partitions) + ".");
        return false;
    }
    if (!ready || partition >= kMostPartitions) return true;
    const auto at = static_cast<std::size_t>(partition);
    if (request.ready.size() <= at) request.ready.resize(at + 1);
    if (request.ready[at]) {
        invalid(view,
                request,
                view.name() + " marks partition " + std::to_string(partition) +
                    " as ready, which has been so since the operation was started.");
        return false;
    }
    request.ready[at] = true;
    return true;
}

void Requests::check_unready(const CallView& view) {
    for (const std::int64_t id : view.requests()) {
        const OpenRequest* const request = id < 0 ? nullptr : find(id);
        if (request == nullptr || !request->active || request->kind != Kind::Send ||
            request->partitions < 0 || request->partitions > kMostPartitions)
            continue;
        const std::string missing = unready(*request);
        if (missing.empty()) continue;
        invalid(view,
                *request,
                view.name() + " waits for a partitioned send of which " + missing +
                    " never been made ready by MPI_Pready.");
    }
}

}  // namespace mqinspect::analysis
