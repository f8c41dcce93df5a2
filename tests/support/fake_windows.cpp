#include "tests/support/fake_windows.h"

#include <cstddef>

namespace mqinspect::test {
namespace {

constexpr const char* kInactive = "MPIDI_RMA_Win_inactive_list_head";
constexpr const char* kActive = "MPIDI_RMA_Win_active_list_head";
constexpr int kScheduleBytes = 56;

template <class T>
int size_of() {
    return static_cast<int>(sizeof(T));
}

#define AT(type, member) static_cast<int>(offsetof(type, member))

void describe_windows(std::map<std::string, StubType, std::less<>>& types) {
    types["MPIR_Win"] = {size_of<FakeWindow>(),
                         {{"handle", AT(FakeWindow, handle)},
                          {"size", AT(FakeWindow, size)},
                          {"comm_ptr", AT(FakeWindow, comm)},
                          {"name", AT(FakeWindow, name)},
                          {"create_flavor", AT(FakeWindow, flavor)},
                          {"at_completion_counter", AT(FakeWindow, counter)},
                          {"current_lock_type", AT(FakeWindow, lock)},
                          {"shared_lock_ref_cnt", AT(FakeWindow, shared_locks)},
                          {"target_lock_queue_head", AT(FakeWindow, lock_queue)},
                          {"shm_allocated", AT(FakeWindow, shm_allocated)},
                          {"slots", AT(FakeWindow, slots)},
                          {"num_slots", AT(FakeWindow, slot_count)},
                          {"states", AT(FakeWindow, access)},
                          {"start_ranks_in_win_grp", AT(FakeWindow, started)},
                          {"start_grp_size", AT(FakeWindow, started_count)},
                          {"outstanding_locks", AT(FakeWindow, outstanding_locks)},
                          {"next", AT(FakeWindow, next)}}};
    types["MPIDI_RMA_Slot_t"] = {8, {{"target_list_head", 0}}};
    types["MPIDI_RMA_Target_t"] = {size_of<FakeTarget>(),
                                   {{"pending_net_ops_list_head", AT(FakeTarget, net_operations)},
                                    {"pending_user_ops_list_head", AT(FakeTarget, user_operations)},
                                    {"next", AT(FakeTarget, next)},
                                    {"target_rank", AT(FakeTarget, rank)},
                                    {"access_state", AT(FakeTarget, state)},
                                    {"lock_type", AT(FakeTarget, lock_type)},
                                    {"sync", AT(FakeTarget, sync_flag)}}};
    types["MPIDI_RMA_Op_t"] = {16, {{"next", 0}, {"ureq", 8}}};
    types["MPIDI_RMA_Target_lock_entry_t"] = {size_of<FakeWaiter>(),
                                              {{"next", AT(FakeWaiter, next)},
                                               {"pkt", AT(FakeWaiter, packet_type)},
                                               {"vc", AT(FakeWaiter, connection)}}};
    types["MPIDI_CH3_Pkt_lock_t"] = {8, {{"pkt_flags", 4}}};
}

#undef AT

void describe_schedules(std::map<std::string, StubType, std::less<>>& types) {
    StubType& schedule = types["MPIDU_Sched"];
    schedule.size = kScheduleBytes;
    schedule.fields["idx"] = 32;
    schedule.fields["num_entries"] = 40;
    schedule.fields["entries"] = 48;
    types["MPIDU_Sched_entry"] = {size_of<FakeEntry>(), {{"type", 0}, {"status", 4}, {"u", 8}}};
    types["MPIDU_Sched_send"] = {24, {{"comm", 0}, {"sreq", 8}, {"dest", 16}, {"tag", 20}}};
    types["MPIDU_Sched_recv"] = {24, {{"comm", 0}, {"rreq", 8}, {"src", 16}}};
}

}  // namespace

FakeWindows::FakeWindows(FakeMpich& mpich) : mpich_(mpich) {
    describe_windows(mpich.target.types);
    describe_schedules(mpich.target.types);
    for (const char* list : {kInactive, kActive})
        mpich.target.symbols[list] = mpich.memory.add(std::uint64_t{0});
}

FakeWindow& FakeWindows::add(std::uint64_t comm, bool active) {
    auto& head = mpich_.variable<std::uint64_t>(active ? kActive : kInactive);
    FakeWindow window;
    window.handle = static_cast<std::int32_t>(0xa0000000U);
    window.comm = comm;
    window.next = head;
    head = mpich_.memory.add(window);
    return mpich_.memory.at<FakeWindow>(head);
}

std::uint64_t FakeWindows::add_target(FakeWindow& window, const FakeTarget& target) {
    if (window.slots == 0) {
        window.slots = mpich_.memory.add(std::uint64_t{0});
        window.slot_count = 1;
    }
    auto& head = mpich_.memory.at<std::uint64_t>(window.slots);
    FakeTarget added = target;
    added.next = head;
    head = mpich_.memory.add(added);
    return head;
}

std::uint64_t FakeWindows::add_operation(std::uint64_t request) {
    const std::uint64_t operation = mpich_.memory.allocate(16);
    mpich_.memory.at<std::uint64_t>(operation + 8) = request;
    return operation;
}

void FakeWindows::add_waiter(FakeWindow& window, int comm_rank, std::int32_t flags) {
    FakeWaiter waiter;
    waiter.next = window.lock_queue;
    waiter.packet_flags = flags;
    const std::uint64_t table = mpich_.comm(window.comm).dev.vcrt;
    waiter.connection =
        mpich_.memory.at<std::uint64_t>(table + 8 + static_cast<std::uint64_t>(comm_rank) * 8);
    window.lock_queue = mpich_.memory.add(waiter);
}

void FakeWindows::set_started(FakeWindow& window, const std::vector<std::int32_t>& ranks) {
    window.access = kStartIssued;
    window.started = mpich_.memory.allocate(ranks.size() * 4);
    window.started_count = static_cast<std::int32_t>(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i)
        mpich_.memory.at<std::int32_t>(window.started + i * 4) = ranks[i];
}

std::uint64_t FakeWindows::add_schedule(std::uint64_t request,
                                        const std::vector<FakeEntry>& entries,
                                        std::int32_t tag) {
    FakeMemory& memory = mpich_.memory;
    const std::uint64_t first = memory.allocate(entries.size() * sizeof(FakeEntry));
    for (std::size_t i = 0; i < entries.size(); ++i)
        memory.at<FakeEntry>(first + i * sizeof(FakeEntry)) = entries[i];
    const std::uint64_t schedule = memory.allocate(kScheduleBytes);
    FakeSchedule head;
    head.tag = tag;
    head.req = request;
    memory.at<FakeSchedule>(schedule) = head;
    memory.at<std::int32_t>(schedule + 40) = static_cast<std::int32_t>(entries.size());
    memory.at<std::uint64_t>(schedule + 48) = first;
    mpich_.variable<std::uint64_t>("all_schedules") = schedule;
    return schedule;
}

}  // namespace mqinspect::test
