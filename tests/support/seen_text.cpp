#include "tests/support/seen_text.h"

#include <cstdio>
#include <utility>

namespace mqinspect::test {
namespace {

std::string hex(std::uint64_t value) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

std::string result_text(int result) {
    switch (result) {
        case mqs_ok:
            return "ok";
        case mqs_no_information:
            return "no information";
        case mqs_end_of_list:
            return "end of list";
        default:
            return std::string("error: ") + mqs_dll_error_string(result);
    }
}

const char* name_of_status(int status) {
    switch (status) {
        case mqs_st_pending:
            return "pending";
        case mqs_st_matched:
            return "matched";
        case mqs_st_complete:
            return "complete";
        default:
            return "of unknown status";
    }
}

/// By enum mqs_comm_class.
const char* const kClasses[] = {"barrier",
                                "broadcast",
                                "allgather",
                                "allgatherv",
                                "allreduce",
                                "alltoall",
                                "alltoallv",
                                "reduce_scatter",
                                "reduce",
                                "gather",
                                "gatherv",
                                "scan",
                                "scatter",
                                "scatterv"};

std::string ranks_text(const std::vector<int>& ranks) {
    if (ranks.empty()) return " unknown";
    std::string text;
    for (const int rank : ranks)
        text += ' ' + std::to_string(rank);
    return text;
}

std::string envelope_text(mqs_tword_t local, mqs_tword_t global, mqs_tword_t bytes) {
    return "rank " + std::to_string(local) + " world " + std::to_string(global) + " bytes " +
           std::to_string(bytes);
}

std::string flags_text(const mqs_operation_details& details) {
    std::string text;
    if (details.persistent != 0) text += ", persistent";
    if (details.collective != 0) text += ", collective";
    if (details.synchronous != 0) text += ", sender waits";
    if (details.sequence >= 0) text += ", number " + std::to_string(details.sequence);
    if (details.request != 0) text += ", request " + hex(details.request);
    return text;
}

std::string operation_text(const mqs_pending_operation& operation,
                           const mqs_operation_details& details) {
    std::string text =
        "    " + std::string(name_of_status(operation.status)) + ": " +
        envelope_text(
            operation.desired_local_rank, operation.desired_global_rank, operation.desired_length);
    text += operation.tag_wild != 0 ? " any tag" : " tag " + std::to_string(operation.desired_tag);
    text += " at " + hex(operation.buffer);
    if (operation.system_buffer != 0) text += " (system)";
    if (operation.actual_length >= 0 || operation.actual_local_rank >= 0) {
        text += ", actual " + envelope_text(operation.actual_local_rank,
                                            operation.actual_global_rank,
                                            operation.actual_length);
        text += " tag " + std::to_string(operation.actual_tag);
    }
    text += flags_text(details) + '\n';
    for (const auto& line : operation.extra_text) {
        if (line[0] == '\0') break;
        text += "      " + std::string(line) + '\n';
    }
    return text;
}

std::string queue_text(const char* name, const SeenQueue& queue) {
    std::string text = "  " + std::string(name);
    if (queue.setup != mqs_ok) return text + ": " + result_text(queue.setup) + '\n';
    text += '\n';
    for (std::size_t i = 0; i < queue.operations.size(); ++i)
        text += operation_text(queue.operations[i], queue.details[i]);
    if (queue.end != mqs_end_of_list) text += "    " + result_text(queue.end) + '\n';
    return text;
}

std::string communicator_text(const SeenCommunicator& seen) {
    const mqs_communicator& communicator = seen.communicator;
    const mqs_comm_details& details = seen.details;
    std::string text = "communicator \"" + std::string(communicator.name) + "\"";
    if (details.named == 0) text += " (unnamed)";
    text += ": id " + std::to_string(communicator.unique_id) + ", rank " +
            std::to_string(communicator.local_rank) + " of " + std::to_string(communicator.size);
    text += ", handle " + hex(details.handle) + ", contexts " + std::to_string(details.context_id) +
            ' ' + std::to_string(details.recv_context_id);
    if (details.internal != 0) text += ", internal";
    if (details.collectives_started >= 0) {
        text += ", collectives " + std::to_string(details.collectives_started);
    }
    text += "\n  group" + ranks_text(seen.group) + '\n';
    if (details.kind == mqs_comm_inter)
        text += "  remote group" + ranks_text(seen.remote_group) + '\n';
    for (const int active : seen.active_classes)
        text += "  in a " + std::string(kClasses[active]) + '\n';
    const std::pair<const char*, const SeenQueue*> queues[] = {
        {"sends", &seen.sends},
        {"receives", &seen.receives},
        {"unexpected messages", &seen.messages},
        {"collectives", &seen.collectives},
    };
    for (const auto& [name, queue] : queues) {
        const bool is_empty =
            queue->setup == mqs_ok && queue->end == mqs_end_of_list && queue->operations.empty();
        if (!is_empty) text += queue_text(name, *queue);
    }
    return text;
}

std::string window_text(const SeenWindow& seen) {
    static constexpr const char* epochs[] = {
        "none", "fence", "start", "post", "lock", "lock_all", "unknown"};
    static constexpr const char* locks[] = {"none", "shared", "exclusive"};
    static constexpr const char* states[] = {"unlocked", "called", "requested", "granted"};
    static constexpr const char* roles[] = {"target", "started", "waiter", "request", "posted"};
    const mqs_window& window = seen.window;
    std::string text =
        "window \"" + std::string(window.name) + "\": handle " + hex(window.handle) + ", id " +
        std::to_string(window.communicator) + ", bytes " + std::to_string(window.size) +
        ", flavor " + std::to_string(window.flavor) + "\n  access " + epochs[window.access] +
        ", exposure " + epochs[window.exposure] + ", lock " + locks[window.lock] + " of " +
        std::to_string(window.holders) + ", missing " + std::to_string(window.locks_missing) +
        " locks, " + std::to_string(window.completions_missing) + " completions, posts " +
        std::to_string(window.posts_received) + '\n';
    for (const mqs_window_peer& peer : seen.peers) {
        text += "  " + std::string(roles[peer.role]) + ' ' + std::to_string(peer.rank) + ' ' +
                locks[peer.lock] + ' ' + states[peer.state] + " operations " +
                std::to_string(peer.operations) + '\n';
    }
    return text;
}

}  // namespace

std::string to_text(const SeenQueues& seen) {
    std::string text = "process " + std::to_string(seen.world_rank) + '\n';
    if (seen.update != mqs_ok) text += "update: " + result_text(seen.update) + '\n';
    for (const SeenCommunicator& communicator : seen.communicators)
        text += communicator_text(communicator);
    if (seen.end != mqs_end_of_list) text += "communicators: " + result_text(seen.end) + '\n';
    for (const SeenWindow& window : seen.windows)
        text += window_text(window);
    const bool none = seen.windows_end == mqs_no_information && seen.windows.empty();
    if (!none && seen.windows_end != mqs_end_of_list) {
        text += "windows: " + result_text(seen.windows_end) + '\n';
    }
    return text;
}

}  // namespace mqinspect::test
