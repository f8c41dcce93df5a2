/// Hand-made answers of a DLL, for the tests of what is made of them.
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "inspector/mqs_host/mqs_host.h"

namespace mqinspect::mqs_host {

inline HostedCommunicator hosted_communicator(const std::string& name,
                                              unsigned long id,
                                              long local_rank,
                                              std::vector<int> group) {
    HostedCommunicator result;
    std::strncpy(result.communicator.name, name.c_str(), sizeof result.communicator.name - 1);
    result.communicator.unique_id = id;
    result.communicator.local_rank = local_rank;
    result.communicator.size = static_cast<long>(group.size());
    result.group = std::move(group);
    return result;
}

/// As a DLL without mqs_get_comm_group has it.
inline HostedCommunicator without_group(HostedCommunicator communicator) {
    communicator.group.clear();
    return communicator;
}

inline HostedCommunicator hosted_intercommunicator(unsigned long id,
                                                   long local_rank,
                                                   std::vector<int> local,
                                                   std::vector<int> remote) {
    HostedCommunicator result = hosted_communicator("inter", id, local_rank, std::move(local));
    result.has_details = true;
    result.details.kind = mqs_comm_inter;
    result.details.remote_size = static_cast<int>(remote.size());
    result.details.collectives_started = -1;
    result.remote_group = std::move(remote);
    return result;
}

inline HostedOperation hosted_operation(int queue, long peer, long tag) {
    HostedOperation result;
    result.queue = queue;
    result.operation.status = mqs_st_pending;
    result.operation.desired_local_rank = peer;
    result.operation.desired_global_rank = -1;
    result.operation.desired_tag = tag;
    result.operation.desired_length = 16;
    result.operation.actual_local_rank = -1;
    result.operation.actual_global_rank = -1;
    result.operation.actual_tag = -1;
    result.operation.actual_length = -1;
    return result;
}

}  // namespace mqinspect::mqs_host
