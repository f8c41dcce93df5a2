// Whether there is a recorder, and how far it has come.
#include "mqs_dll/recorder_lists.h"
#include "mqs_dll/recorder_walk.h"

namespace mqinspect::dll {

Status read_recorder(const Target& target, std::uint64_t address, pending::Head& head) {
    if (address == 0) return Status::NoInformation;
    const Status status = read_object(target, address, head);
    if (!ok(status)) return status;
    const bool is_ours = head.magic == pending::kMagic && head.version == pending::kVersion &&
                         head.head_bytes >= sizeof(pending::Head) &&
                         head.communicator_bytes >= sizeof(pending::Communicator) &&
                         head.thread_bytes >= sizeof(pending::Thread) &&
                         head.operation_bytes >= sizeof(pending::Operation);
    if (!is_ours || head.state == pending::State::None) return Status::NoInformation;
    return Status::Ok;
}

Status count_recorded_calls(const Target& target, const pending::Head& head, std::uint64_t& count) {
    count = 0;
    return for_each_in_list<pending::Thread>(
        target, head.threads, kMostThreads, [&](std::uint64_t, const pending::Thread& thread) {
            count += thread.calls;
            return Status::Ok;
        });
}

}  // namespace mqinspect::dll
