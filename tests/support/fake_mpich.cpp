#include "tests/support/fake_mpich.h"

#include <cstddef>
#include <numeric>

namespace mqinspect::test {
namespace {

constexpr std::size_t kMostBlocks = 4096;

int offset(std::size_t value) {
    return static_cast<int>(value);
}

}  // namespace

// Offsets come from the mirror structs; names are MPICH's.
void FakeMpich::describe_types() {
    const auto size = [](std::size_t bytes) { return static_cast<int>(bytes); };
#define AT(type, member) offset(offsetof(type, member))
    auto& types = target.types;
    types["MPIR_Comm"] = {size(sizeof(FakeComm)),
                          {{"handle", AT(FakeComm, handle)},
                           {"ref_count", AT(FakeComm, ref_count)},
                           {"context_id", AT(FakeComm, context_id)},
                           {"recvcontext_id", AT(FakeComm, recvcontext_id)},
                           {"remote_size", AT(FakeComm, remote_size)},
                           {"rank", AT(FakeComm, rank)},
                           {"local_size", AT(FakeComm, local_size)},
                           {"comm_kind", AT(FakeComm, comm_kind)},
                           {"name", AT(FakeComm, name)},
                           {"local_comm", AT(FakeComm, local_comm)},
                           {"hierarchy_kind", AT(FakeComm, hierarchy_kind)},
                           {"comm_next", AT(FakeComm, comm_next)},
                           {"next_sched_tag", AT(FakeComm, next_sched_tag)},
                           {"dev", AT(FakeComm, dev)}}};
    types["MPIR_Comm_list"] = {16, {{"sequence_number", 0}, {"head", 8}}};
    types["MPIDI_CH3I_comm_t"] = {
        size(sizeof(FakeCommDevice)),
        {{"vcrt", AT(FakeCommDevice, vcrt)}, {"local_vcrt", AT(FakeCommDevice, local_vcrt)}}};
    types["MPIR_Request"] = {size(sizeof(FakeRequest)),
                             {{"handle", AT(FakeRequest, handle)},
                              {"ref_count", AT(FakeRequest, ref_count)},
                              {"kind", AT(FakeRequest, kind)},
                              {"cc_ptr", AT(FakeRequest, cc_ptr)},
                              {"cc", AT(FakeRequest, cc)},
                              {"comm", AT(FakeRequest, comm)},
                              {"status", AT(FakeRequest, status)},
                              {"u", AT(FakeRequest, u)},
                              {"next", AT(FakeRequest, next)},
                              {"dev", AT(FakeRequest, dev)},
                              {"ch", AT(FakeRequest, ch)}}};
    types["MPIDI_CH3I_Request"] = {16, {{"vc", 8}}};
    types["MPIDI_CH3_Pkt_eager_send_t"] = {size(sizeof(FakePacket)),
                                           {{"type", AT(FakePacket, type)},
                                            {"match", AT(FakePacket, match)},
                                            {"data_sz", AT(FakePacket, data_sz)}}};
    types["MPIDI_CH3_Pkt_eagershort_send_t"] = {size(sizeof(FakePacket)),
                                                {{"data_sz", AT(FakePacket, short_data_sz)}}};
    types["MPI_Status"] = {20,
                           {{"count_lo", AT(FakeStatus, count_lo)},
                            {"count_hi_and_cancelled", AT(FakeStatus, count_hi_and_cancelled)},
                            {"MPI_SOURCE", AT(FakeStatus, source)},
                            {"MPI_TAG", AT(FakeStatus, tag)}}};
    types["MPIDI_Request"] = {size(sizeof(FakeDevice)),
                              {{"match", AT(FakeDevice, match)},
                               {"user_buf", AT(FakeDevice, user_buf)},
                               {"user_count", AT(FakeDevice, user_count)},
                               {"datatype", AT(FakeDevice, datatype)},
                               {"tmpbuf", AT(FakeDevice, tmpbuf)},
                               {"recv_data_sz", AT(FakeDevice, recv_data_sz)},
                               {"state", AT(FakeDevice, state)},
                               {"pending_pkt", AT(FakeDevice, pending_pkt)},
                               {"iov", AT(FakeDevice, iov)},
                               {"rma_target_ptr", AT(FakeDevice, rma_target)},
                               {"request_handle", AT(FakeDevice, request_handle)}}};
    types["MPIDI_Message_match"] = {8, {{"parts", 0}}};
    types["MPIDI_Message_match_parts_t"] = {8,
                                            {{"tag", AT(FakeMatch, tag)},
                                             {"rank", AT(FakeMatch, rank)},
                                             {"context_id", AT(FakeMatch, context_id)}}};
}

void FakeMpich::describe_optional_types() {
    const auto size = [](std::size_t bytes) { return static_cast<int>(bytes); };
    auto& types = target.types;
    types["MPIR_Sendq"] = {size(sizeof(FakeSendq)),
                           {{"sreq", AT(FakeSendq, sreq)},
                            {"tag", AT(FakeSendq, tag)},
                            {"rank", AT(FakeSendq, rank)},
                            {"context_id", AT(FakeSendq, context_id)},
                            {"next", AT(FakeSendq, next)}}};
    types["MPIR_Object_alloc_t"] = {size(sizeof(FakePool)),
                                    {{"avail", AT(FakePool, avail)},
                                     {"initialized", AT(FakePool, initialized)},
                                     {"indirect", AT(FakePool, indirect)},
                                     {"indirect_size", AT(FakePool, indirect_size)},
                                     {"num_allocated", AT(FakePool, num_allocated)},
                                     {"kind", AT(FakePool, kind)},
                                     {"size", AT(FakePool, size)},
                                     {"direct", AT(FakePool, direct)},
                                     {"direct_size", AT(FakePool, direct_size)}}};
    types["MPIR_Datatype"] = {size(sizeof(FakeDatatype)),
                              {{"handle", AT(FakeDatatype, handle)},
                               {"ref_count", AT(FakeDatatype, ref_count)},
                               {"size", AT(FakeDatatype, size)},
                               {"name", AT(FakeDatatype, name)}}};
    types["MPIDI_VCRT"] = {16, {{"vcr_table", 8}}};
    types["MPIDI_VC"] = {
        size(sizeof(FakeConnection)),
        {{"pg", AT(FakeConnection, pg)}, {"pg_rank", AT(FakeConnection, pg_rank)}}};
    types["MPIDI_PG"] = {size(sizeof(FakeGroup)),
                         {{"size", AT(FakeGroup, size)},
                          {"vct", AT(FakeGroup, vct)},
                          {"id", AT(FakeGroup, id)},
                          {"next", AT(FakeGroup, next)},
                          {"connData", AT(FakeGroup, conn_data)}}};
    types["MPIDI_Process_t"] = {16, {{"my_pg", 0}, {"my_pg_rank", 8}}};
    types["MPIDI_ConnInfo"] = {size(sizeof(FakeConnInfo)),
                               {{"connStrings", AT(FakeConnInfo, conn_strings)}}};
    types["MPIR_Process_t"] = {16, {{"mpich_state", 0}, {"tag_bits", 8}}};
    types["MPIDU_Sched_state"] = {8, {{"head", 0}}};
    types["MPIDU_Sched"] = {size(sizeof(FakeSchedule)),
                            {{"tag", AT(FakeSchedule, tag)},
                             {"req", AT(FakeSchedule, req)},
                             {"next", AT(FakeSchedule, next)}}};
    types["BsendBuffer"] = {16, {{"buffer", 0}, {"buffer_size", 8}}};
}

void FakeMpich::describe_channel_types() {
    const auto size = [](std::size_t bytes) { return static_cast<int>(bytes); };
    auto& types = target.types;
    types["MPID_nem_mem_region_t"] = {size(sizeof(FakeRegion)),
                                      {{"num_local", AT(FakeRegion, num_local)},
                                       {"mailboxes", AT(FakeRegion, mailboxes)},
                                       {"my_recvQ", AT(FakeRegion, my_recv_queue)}}};
    types["MPID_nem_queue_t"] = {
        size(sizeof(FakeRecvQueue)),
        {{"head", AT(FakeRecvQueue, head)}, {"my_head", AT(FakeRecvQueue, my_head)}}};
    types["MPID_nem_fbox_arrays_t"] = {size(sizeof(FakeFastBoxes)),
                                       {{"in", AT(FakeFastBoxes, in)}}};
    types["MPID_nem_fastbox_t"] = {size(sizeof(FakeFastBox)), {{"flag", AT(FakeFastBox, flag)}}};
#undef AT
}

void FakeMpich::define_variables() {
    const auto define = [&](const char* name, std::size_t size) {
        target.symbols[name] = memory.allocate(size);
    };
    define("MPIR_All_communicators", 16);
    define("recvq_posted_head", 8);
    define("recvq_unexpected_head", 8);
    define("MPIR_Sendq_head", 8);
    define("MPIR_Request_mem", 64 * sizeof(FakePool));
    define("MPIR_Comm_mem", sizeof(FakePool));
    define("MPIR_Datatype_mem", sizeof(FakePool));
    define("MPIR_Process", 16);
    define("MPIDI_Process", 16);
    define("MPIDI_PG_list", 8);
    define("all_schedules", 8);
    define("BsendBuffer", 16);
    define("MPIDI_CH3I_progress_completion_count", 4);
    define("MPID_nem_mem_region", sizeof(FakeRegion));
    variable<std::int32_t>("MPIR_Process") = 2;  // MPICH_MPI_STATE__INITIALIZED
    memory.at<std::int32_t>(symbol("MPIR_Process") + 8) = 31;

    block_table_ = memory.allocate(kMostBlocks * 8);
    auto& pool = variable<FakePool>("MPIR_Request_mem");
    pool.initialized = 1;
    pool.kind = 11;
    pool.size = static_cast<std::int32_t>(sizeof(FakeRequest));
    pool.indirect = block_table_;
    auto& datatypes = variable<FakePool>("MPIR_Datatype_mem");
    datatypes.initialized = 1;
    datatypes.kind = 3;
    datatypes.size = static_cast<std::int32_t>(sizeof(FakeDatatype));
    datatypes.direct = memory.allocate(8 * sizeof(FakeDatatype));
    datatypes.direct_size = 8;
}

void FakeMpich::make_process_group(int size) {
    const auto count = static_cast<std::size_t>(size);
    connections_ = memory.allocate(count * sizeof(FakeConnection));
    group_ = memory.add(FakeGroup{size, connections_, 0, 0, 0});
    variable<std::uint64_t>("MPIDI_Process") = group_;
    memory.at<std::int32_t>(symbol("MPIDI_Process") + 8) = rank_;
    variable<std::uint64_t>("MPIDI_PG_list") = group_;
    for (std::size_t i = 0; i < count; ++i) {
        auto& connection = memory.at<FakeConnection>(connections_ + i * sizeof(FakeConnection));
        connection.pg = group_;
        connection.pg_rank = static_cast<std::int32_t>(i);
    }
}

FakeMpich::FakeMpich(int size, int rank, std::size_t room)
    : memory(room), rank_(rank), size_(size) {
    target.memory = &memory;
    describe_types();
    describe_optional_types();
    describe_channel_types();
    define_variables();
    make_process_group(size);
    std::vector<int> everybody(static_cast<std::size_t>(size));
    std::iota(everybody.begin(), everybody.end(), 0);
    world = add_comm({"MPI_COMM_WORLD", 0, everybody, {}, 0, 0x44000000});
    self = add_comm({"MPI_COMM_SELF", 16, {rank}, {}, 0, 0x44000001});
}

std::uint64_t FakeMpich::table_of(const std::vector<int>& members) {
    const std::uint64_t table = memory.allocate(8 + members.size() * 8);
    for (std::size_t i = 0; i < members.size(); ++i) {
        std::uint64_t connection = 0;
        if (const auto found = foreign_.find(members[i]); found != foreign_.end()) {
            connection = found->second;
        } else if (members[i] >= 0 && members[i] < size_) {
            connection =
                connections_ + static_cast<std::uint64_t>(members[i]) * sizeof(FakeConnection);
        } else {
            connection = memory.add(FakeConnection{0, group_ + 4096, 0});  // another job's
        }
        memory.at<std::uint64_t>(table + 8 + i * 8) = connection;
    }
    return table;
}

std::uint64_t FakeMpich::add_text(const std::string& text) {
    const std::uint64_t address = memory.allocate(text.size() + 1);
    text.copy(&memory.at<char>(address), text.size());
    return address;
}

void FakeMpich::name_world(const std::string& id) {
    group().id = add_text(id);
}

std::vector<int> FakeMpich::connect(const std::string& id, int size, const std::string& host) {
    constexpr int first_foreign = 1'000'000;
    const auto count = static_cast<std::size_t>(size);
    FakeGroup other{size, memory.allocate(count * sizeof(FakeConnection)), add_text(id), 0, 0};
    const std::uint64_t cards = memory.allocate(count * 8);
    other.conn_data = memory.add(FakeConnInfo{0, cards});
    const std::uint64_t address = memory.add(other);
    std::vector<int> members;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t connection = other.vct + i * sizeof(FakeConnection);
        memory.at<FakeConnection>(connection) = {0, address, static_cast<std::int32_t>(i)};
        memory.at<std::uint64_t>(cards + i * 8) =
            add_text("description#" + host + "$port#40001$ifname#127.0.0.1$");
        members.push_back(first_foreign + static_cast<int>(foreign_.size()));
        foreign_.emplace(members.back(), connection);
    }
    FakeGroup* last = &group();
    while (last->next != 0)
        last = &memory.at<FakeGroup>(last->next);
    last->next = address;
    return members;
}

std::uint64_t FakeMpich::add_comm(const CommSpec& spec) {
    FakeComm comm;
    const bool inter = !spec.local_members.empty();
    const std::vector<int>& own = inter ? spec.local_members : spec.members;
    comm.handle = spec.handle != 0
                      ? spec.handle
                      : static_cast<std::int32_t>(0x84000000U + static_cast<unsigned>(comms_));
    ++comms_;
    comm.context_id = spec.context;
    comm.recvcontext_id = inter ? spec.recv_context : spec.context;
    comm.remote_size = static_cast<std::int32_t>(spec.members.size());
    comm.local_size = static_cast<std::int32_t>(own.size());
    comm.comm_kind = inter ? 1 : 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (own[i] == rank_) comm.rank = static_cast<std::int32_t>(i);
    }
    spec.name.copy(comm.name, sizeof comm.name - 1);
    comm.dev.vcrt = table_of(spec.members);
    comm.dev.local_vcrt = inter ? table_of(spec.local_members) : 0;
    auto& head = memory.at<std::uint64_t>(symbol("MPIR_All_communicators") + 8);
    comm.comm_next = head;
    head = memory.add(comm);
    return head;
}

void FakeMpich::remove_comm(std::uint64_t address) {
    std::uint64_t* link = &memory.at<std::uint64_t>(symbol("MPIR_All_communicators") + 8);
    while (*link != address)
        link = &comm(*link).comm_next;
    *link = comm(address).comm_next;
    comm(address) = FakeComm{};
    comm(address).ref_count = 0;
}

std::uint64_t FakeMpich::add_internal(std::uint64_t parent,
                                      std::uint16_t context_offset,
                                      const std::vector<int>& members) {
    const auto context = static_cast<std::uint16_t>(comm(parent).recvcontext_id + context_offset);
    const std::uint64_t result = add_comm({"", context, members});
    comm(result).hierarchy_kind = context_offset == 2 ? 3 : 2;
    return result;
}

std::uint64_t FakeMpich::take_request() {
    const std::size_t block = requests_ / kObjectsInBlock;
    const std::size_t index = requests_ % kObjectsInBlock;
    ++requests_;
    auto& pool = variable<FakePool>("MPIR_Request_mem");
    auto& address = memory.at<std::uint64_t>(block_table_ + block * 8);
    if (index == 0) {
        if (block >= kMostBlocks) __builtin_trap();
        address = memory.allocate(kObjectsInBlock * sizeof(FakeRequest));
        ++pool.indirect_size;
        pool.num_allocated += kObjectsInBlock;
    }
    const std::uint64_t result = address + index * sizeof(FakeRequest);
    request(result).handle =
        static_cast<std::int32_t>(0xec000000U | static_cast<unsigned>(block << 12 | index));
    return result;
}

std::uint64_t FakeMpich::add_request(int kind, std::uint64_t comm, const OperationSpec& spec) {
    const std::uint64_t address = take_request();
    FakeRequest& request = this->request(address);
    request.ref_count = 2;
    request.kind = kind;
    request.cc = spec.cc;
    request.cc_ptr = address + offsetof(FakeRequest, cc);
    request.comm = comm;
    const bool receives = kind == kReceive || kind == kPersistentReceive;
    const std::uint16_t context =
        receives ? this->comm(comm).recvcontext_id : this->comm(comm).context_id;
    request.dev.match = {spec.tag,
                         static_cast<std::int16_t>(spec.rank),
                         static_cast<std::uint16_t>(context + spec.context_offset)};
    request.dev.user_buf = spec.buffer;
    request.dev.user_count = spec.count;
    request.dev.datatype = spec.datatype;
    request.dev.state = spec.state;
    return address;
}

void FakeMpich::append(const char* head, std::uint64_t request) {
    std::uint64_t* link = &variable<std::uint64_t>(head);
    // Long lists are built in linear time.
    std::uint64_t& tail = tails_[head];
    if (*link != 0 && tail != 0) link = &this->request(tail).next;
    while (*link != 0)
        link = &this->request(*link).next;
    *link = request;
    tail = request;
}

std::uint64_t FakeMpich::post_receive(std::uint64_t comm, const OperationSpec& spec) {
    const std::uint64_t request = add_request(kReceive, comm, spec);
    append("recvq_posted_head", request);
    return request;
}

std::uint64_t FakeMpich::arrive(std::uint64_t comm, const OperationSpec& spec, std::int64_t bytes) {
    const std::uint64_t address = add_request(kReceive, comm, spec);
    FakeRequest& request = this->request(address);
    request.comm = 0;
    request.dev.user_buf = 0xbadbad;
    request.dev.user_count = 33;
    request.dev.datatype = 0x4c00080b;
    request.dev.recv_data_sz = bytes;
    request.dev.tmpbuf = 0x7777000;
    request.status.count_lo = static_cast<std::int32_t>(bytes & 0xffffffff);
    request.status.count_hi_and_cancelled = static_cast<std::int32_t>(bytes >> 32) << 1;
    request.status.source = spec.rank;
    request.status.tag = spec.tag;
    append("recvq_unexpected_head", address);
    return address;
}

std::uint64_t FakeMpich::add_waiting_packet(
    std::uint64_t comm, int world_rank, int packet_type, int tag, std::int64_t bytes) {
    const std::uint64_t address =
        add_request(kSend, comm, {.rank = 77, .tag = 78, .count = 79, .state = kTypeSend});
    FakeRequest& request = this->request(address);
    request.comm = 0;
    request.dev.match = {};
    request.dev.pending_pkt = {packet_type,
                               {tag, static_cast<std::int16_t>(rank_), this->comm(comm).context_id},
                               bytes,
                               bytes};
    request.dev.iov[0] = address + offsetof(FakeRequest, dev) + offsetof(FakeDevice, pending_pkt);
    const auto found = foreign_.find(world_rank);
    request.ch[1] =
        found != foreign_.end()
            ? found->second
            : connections_ + static_cast<std::uint64_t>(world_rank) * sizeof(FakeConnection);
    return address;
}

std::uint64_t FakeMpich::remember_send(std::uint64_t request) {
    const FakeMatch& match = this->request(request).dev.match;
    auto& head = variable<std::uint64_t>("MPIR_Sendq_head");
    const std::uint64_t entry =
        memory.add(FakeSendq{request, match.tag, match.rank, match.context_id, head});
    head = entry;
    this->request(request).u[0] = entry;
    return entry;
}

std::uint64_t FakeMpich::start_send(std::uint64_t comm, const OperationSpec& spec) {
    const std::uint64_t request = add_request(kSend, comm, spec);
    remember_send(request);
    return request;
}

std::uint64_t FakeMpich::add_persistent(std::uint64_t real) {
    const std::uint64_t address = take_request();
    FakeRequest& persistent = request(address);
    const FakeRequest& active = request(real);
    persistent.ref_count = 1;
    persistent.kind = active.kind == kSend ? kPersistentSend : kPersistentReceive;
    persistent.comm = active.comm;
    persistent.dev = active.dev;
    persistent.cc_ptr = real + offsetof(FakeRequest, cc);
    persistent.u[1] = real;
    return address;
}

std::uint64_t FakeMpich::start_collective(std::uint64_t comm, int tag) {
    const std::uint64_t request = add_request(kColl, comm, {});
    const std::uint64_t schedule = memory.add(FakeSchedule{tag, request, 0});
    if (last_schedule_ == 0) {
        variable<std::uint64_t>("all_schedules") = schedule;
    } else {
        memory.at<FakeSchedule>(last_schedule_).next = schedule;
    }
    last_schedule_ = schedule;
    if (this->comm(comm).next_sched_tag <= tag) this->comm(comm).next_sched_tag = tag + 1;
    return request;
}

void FakeMpich::set_up_channel() {
    const std::uint64_t table = memory.allocate(static_cast<std::size_t>(size_) * 8);
    region().my_recv_queue = memory.add(FakeRecvQueue{});
    region().num_local = size_;
    region().mailboxes.in = table;
    for (int process = 0; process < size_; ++process) {
        if (process == rank_) continue;
        memory.at<std::uint64_t>(fast_box_entry(process)) = memory.add(FakeFastBox{});
    }
}

int FakeMpich::add_datatype(std::int64_t size, const std::string& name) {
    auto& pool = variable<FakePool>("MPIR_Datatype_mem");
    const auto index = static_cast<std::uint64_t>(pool.num_allocated++);
    auto& datatype = memory.at<FakeDatatype>(pool.direct + index * sizeof(FakeDatatype));
    datatype.handle = static_cast<std::int32_t>(0x8c000000U | static_cast<unsigned>(index));
    datatype.ref_count = 1;
    datatype.size = size;
    name.copy(datatype.name, sizeof datatype.name - 1);
    return datatype.handle;
}

}  // namespace mqinspect::test
