#include "tests/fuzz/subject.h"

#include <algorithm>
#include <array>

#include "tests/support/fake_windows.h"

namespace mqinspect::test {
namespace {

constexpr std::size_t kRoom = std::size_t{1} << 18;
constexpr int kSize = 4;

using Parts = std::vector<Subject::Part>;

/// What was laid into an MPICH, by what it is.
struct Contents {
    std::vector<std::uint64_t> comms;
    std::vector<std::uint64_t> requests;
    std::uint64_t schedules = 0;  ///< everything from here on to the end
    std::uint64_t end_of_schedules = 0;
    std::uint64_t windows = 0;  ///< likewise
    std::uint64_t end_of_windows = 0;
};

void add_windows(FakeMpich& mpich) {
    FakeWindows windows(mpich);
    const std::uint64_t own = mpich.add_comm({"", 112, {0, 1, 2, 3}});
    FakeWindow& locked = windows.add(own);
    locked.lock = kLockExclusive;
    windows.add_waiter(locked, 2, kAsksShared);
    windows.add_target(locked, {.rank = 3, .state = kLockGranted, .lock_type = kLockShared});
    windows.set_started(windows.add(own, true), {1, 2});
    const std::uint64_t part = mpich.add_request(kReceive, own, {.rank = 1});
    windows.add_schedule(mpich.add_request(kColl, own, {}), {{2, 1, own, part, 1}});
}

/// Something in every queue of every kind of communicator.
Contents fill(FakeMpich& mpich) {
    Contents made;
    const std::uint64_t dup = mpich.add_comm({"dup", 64, {0, 1, 2, 3}});
    const std::uint64_t inter = mpich.add_comm({"inter", 80, {1, 3}, {0, 2}, 96});
    const std::uint64_t node = mpich.add_internal(dup, 2, {0, 1});
    made.comms = {mpich.world, mpich.self, dup, inter, node};
    const int datatype = mpich.add_datatype(24, "triple");
    const auto keep = [&made](std::uint64_t request) {
        made.requests.push_back(request);
        return request;
    };
    keep(mpich.post_receive(mpich.world, {.rank = 1, .tag = 1, .count = 2, .datatype = datatype}));
    keep(mpich.post_receive(node, {.rank = 1, .tag = 287, .context_offset = 1}));
    keep(mpich.add_persistent(keep(mpich.post_receive(dup, {.rank = -2, .tag = -1}))));
    keep(mpich.arrive(dup, {.rank = 2, .tag = 3, .state = kEager}, 8));
    keep(mpich.arrive(inter, {.rank = 1, .tag = 4, .state = kRendezvous}, 1 << 20));
    keep(mpich.start_send(inter, {.rank = 0, .tag = 5, .count = 1, .state = kTypeSend}));
    keep(mpich.start_send(mpich.world, {.rank = 3, .tag = 6, .state = kTypeSend, .cc = 0}));
    const std::uint64_t real =
        keep(mpich.add_request(kSend, dup, {.rank = 1, .tag = 7, .state = kTypeSynchronous}));
    mpich.remember_send(keep(mpich.add_persistent(real)));
    keep(mpich.add_waiting_packet(dup, 2, 0, 65, 4000));
    made.schedules = FakeMemory::kBase + mpich.memory.used();
    mpich.start_collective(dup, 287);
    mpich.start_collective(mpich.world, 287);
    made.end_of_schedules = FakeMemory::kBase + mpich.memory.used();
    mpich.set_up_channel();
    made.windows = FakeMemory::kBase + mpich.memory.used();
    add_windows(mpich);
    made.end_of_windows = FakeMemory::kBase + mpich.memory.used();
    return made;
}

/// Operations of every kind, two communicators, a blocked thread and counts of messages.
void fill(RecordedProcess& process) {
    using pending::Kind;
    std::int64_t order = 1;
    for (int kind = 1; kind <= static_cast<int>(Kind::PartitionedReceive); ++kind) {
        process.request(static_cast<std::size_t>(kind)) =
            recorded_operation(static_cast<Kind>(kind), kind % kSize, kind, order++);
    }
    process.request(0) = recorded_operation(Kind::Receive, -2, -1, order++);
    process.request(0).persistent = 1;
    process.blocked().send = recorded_operation(Kind::Send, 3, 40, 0);
    const std::uint64_t pair = process.add_communicator(
        {.handle = 0x84000001, .name = "pair", .size = 2, .rank = 0}, {{1, 3, 2}});
    const std::array<pending::MessageCounts, kSize> counts{};
    for (const std::uint64_t communicator : {process.world, pair})
        process.communicator(communicator).counts = process.memory.add(counts);
}

void add_variable(const FakeMpich& mpich, const char* name, std::size_t bytes, Parts& parts) {
    parts.push_back({mpich.symbol(name), bytes});
}

void add_tables(FakeMpich& mpich, const Contents& made, Parts& parts) {
    constexpr std::size_t header = 16;
    for (const std::uint64_t address : made.comms) {
        const FakeComm& comm = mpich.comm(address);
        for (const std::uint64_t table : {comm.dev.vcrt, comm.dev.local_vcrt}) {
            if (table != 0) parts.push_back({table, header});
        }
        parts.push_back({address, sizeof(FakeComm)});
    }
    const auto group = mpich.variable<std::uint64_t>("MPIDI_Process");
    parts.push_back({group, header});
    const auto connections = mpich.memory.at<std::uint64_t>(group + 8);
    parts.push_back({connections, kSize * sizeof(FakeConnection)});
}

Parts everything(const FakeMemory& memory) {
    constexpr std::size_t piece = std::size_t{1} << 16;
    Parts parts;
    for (std::size_t at = 0; at < memory.used(); at += piece)
        parts.push_back({FakeMemory::kBase + at, std::min(piece, memory.used() - at)});
    return parts;
}

Parts parts_of(FakeMpich& mpich, const Contents& made, const std::string& walker) {
    Parts parts;
    const auto add_requests = [&] {
        for (const std::uint64_t request : made.requests)
            parts.push_back({request, sizeof(FakeRequest)});
    };
    if (walker == "lists") {
        for (const char* head : {"recvq_posted_head", "recvq_unexpected_head"})
            add_variable(mpich, head, sizeof(std::uint64_t), parts);
        add_variable(mpich, "MPIR_Sendq_head", sizeof(std::uint64_t), parts);
        add_requests();
    } else if (walker == "pools") {
        add_variable(mpich, "MPIR_Request_mem", sizeof(FakePool), parts);
        add_variable(mpich, "MPIR_Datatype_mem", sizeof(FakePool), parts);
        add_variable(mpich, "MPIR_Comm_mem", sizeof(FakePool), parts);
        add_requests();
    } else if (walker == "communicators") {
        add_variable(mpich, "MPIR_All_communicators", 2 * sizeof(std::uint64_t), parts);
        for (const std::uint64_t comm : made.comms)
            parts.push_back({comm, sizeof(FakeComm)});
    } else if (walker == "rank_maps") {
        add_tables(mpich, made, parts);
    } else if (walker == "schedules") {
        parts.push_back({made.schedules, made.end_of_schedules - made.schedules});
        for (const std::uint64_t comm : made.comms)
            parts.push_back({comm, sizeof(FakeComm)});
    } else if (walker == "windows") {
        parts.push_back({made.windows, made.end_of_windows - made.windows});
    } else if (walker == "incoming") {
        add_variable(mpich, "MPID_nem_mem_region", sizeof(FakeRegion), parts);
        parts.push_back({mpich.region().my_recv_queue, sizeof(FakeRecvQueue)});
        parts.push_back({mpich.region().mailboxes.in, kSize * sizeof(std::uint64_t)});
        for (int process = 1; process < kSize; ++process) {
            parts.push_back({mpich.memory.at<std::uint64_t>(mpich.fast_box_entry(process)),
                             sizeof(FakeFastBox)});
        }
    } else {
        parts = everything(mpich.memory);
    }
    return parts;
}

}  // namespace

const std::vector<std::string>& mpich_walkers() {
    static const std::vector<std::string> names{"lists",
                                                "pools",
                                                "communicators",
                                                "rank_maps",
                                                "schedules",
                                                "incoming",
                                                "windows",
                                                "types",
                                                "everything"};
    return names;
}

Subject::Subject(const std::string& walker) {
    const auto& known = mpich_walkers();
    if (std::ranges::find(known, walker) != known.end()) {
        make_mpich(walker);
    } else if (walker == kRecorderWalker) {
        make_recorded();
    } else {
        make_described(walker);
    }
    whole_target_ = *target_;
    whole_memory_ = target_->memory->content();
}

void Subject::make_mpich(const std::string& walker) {
    mpich_ = std::make_unique<FakeMpich>(kSize, 0, kRoom);
    const Contents made = fill(*mpich_);
    target_ = &mpich_->target;
    damages_types_ = walker == "types";
    parts_ = parts_of(*mpich_, made, walker);
}

void Subject::make_recorded() {
    recorded_ = std::make_unique<RecordedProcess>();
    target_ = &recorded_->target;
    fill(*recorded_);
    parts_ = everything(recorded_->memory);
}

void Subject::make_described(const std::string& layout) {
    described_ =
        std::make_unique<DescribedTarget>(std::string(MQI_FIXTURES) + "/" + layout + ".layout");
    target_ = &described_->target;
    for (const auto& [label, object] : described_->objects)
        parts_.push_back({object.address, object.bytes});
}

void Subject::repair() {
    *target_ = whole_target_;
    target_->memory->set_content(whole_memory_);
}

}  // namespace mqinspect::test
