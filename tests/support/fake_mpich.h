/// A process of an MPICH that does not exist: its variables and objects in a
/// FakeMemory, and the types that describe them. Field names are MPICH's; offsets
/// and sizes are not.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/fake_memory.h"
#include "tests/support/stub_debugger.h"

namespace mqinspect::test {

struct FakeMatch {
    std::int32_t tag = 0;
    std::int16_t rank = 0;
    std::uint16_t context_id = 0;
};
struct FakeStatus {
    std::int32_t count_lo = 0, count_hi_and_cancelled = 0, source = 0, tag = 0, error = 0;
};
struct FakePacket {
    std::int32_t type = 0;
    FakeMatch match;
    std::int64_t short_data_sz = 0;
    std::int64_t data_sz = 0;
};
struct FakeDevice {
    std::uint64_t unused = 0;
    FakeMatch match;
    std::uint64_t user_buf = 0;
    std::int64_t user_count = 0;
    std::int32_t datatype = 0;
    std::uint32_t state = 0;
    std::uint64_t tmpbuf = 0;
    std::int64_t recv_data_sz = 0;
    std::uint64_t iov[2] = {};
    FakePacket pending_pkt;
    std::uint64_t rma_target = 0;
    std::int32_t request_handle = 0x2c000000;  ///< MPI_REQUEST_NULL
};
struct FakeRequest {
    std::int32_t handle = 0, ref_count = 0, kind = 0;
    std::uint64_t cc_ptr = 0;
    std::int32_t cc = 0;
    std::uint64_t comm = 0;
    FakeStatus status;
    std::uint64_t u[3] = {};  ///< send: dbg_next; persist: dbg_next, real_request
    std::uint64_t next = 0;
    FakeDevice dev;
    std::uint64_t ch[2] = {};  ///< the second is the connection
    std::uint64_t more[2] = {};
};
struct FakeCommDevice {
    std::int32_t unused = 0;
    std::uint64_t vcrt = 0, local_vcrt = 0;
};
struct FakeComm {
    std::int32_t handle = 0, ref_count = 1;
    std::uint64_t unused = 0;
    std::uint16_t context_id = 0, recvcontext_id = 0;
    std::int32_t remote_size = 0, rank = 0, local_size = 0, comm_kind = 0;
    char name[128] = {};
    std::uint64_t local_comm = 0;
    std::int32_t hierarchy_kind = 0;
    std::uint64_t comm_next = 0;
    std::int32_t next_sched_tag = 287;
    FakeCommDevice dev;
};
struct FakePool {
    std::uint64_t avail = 0;
    std::int32_t initialized = 0;
    std::uint64_t indirect = 0;
    std::int32_t indirect_size = 0, num_allocated = 0, num_avail = 0, kind = 0, size = 0;
    std::uint64_t direct = 0;
    std::int32_t direct_size = 0;
};
struct FakeDatatype {
    std::int32_t handle = 0, ref_count = 0;
    std::int64_t size = 0;
    char name[128] = {};
};
struct FakeSendq {
    std::uint64_t sreq = 0;
    std::int32_t tag = 0, rank = 0, context_id = 0;
    std::uint64_t next = 0;
};
struct FakeConnection {
    std::uint64_t unused = 0;
    std::uint64_t pg = 0;
    std::int32_t pg_rank = 0;
};
struct FakeGroup {
    std::int32_t size = 0;
    std::uint64_t vct = 0, id = 0, next = 0, conn_data = 0;
};
struct FakeConnInfo {
    std::int32_t unused = 0;
    std::uint64_t conn_strings = 0;
};
struct FakeSchedule {
    std::int32_t tag = 0;
    std::uint64_t req = 0, next = 0;
};
/// Links are offsets in the shared segment; zero is the null link.
struct FakeRecvQueue {
    std::uint64_t head = 0, tail = 0;
    std::uint64_t unused[6] = {};
    std::uint64_t my_head = 0;
};
struct FakeFastBoxes {
    std::uint64_t out = 0, in = 0;
};
struct FakeFastBox {
    std::uint64_t unused = 0;
    std::int32_t flag = 0;
};
struct FakeRegion {
    std::uint64_t shm_ptr = 0;
    std::int32_t num_local = 0;
    FakeFastBoxes mailboxes;
    std::uint64_t my_recv_queue = 0;
};

/// Kinds of request, and the device's state word.
enum FakeKind {
    kSend = 1,
    kReceive = 2,
    kPersistentSend = 3,
    kPersistentReceive = 4,
    kColl = 10,
    kRma = 12
};
inline constexpr std::uint32_t kEager = 1, kRendezvous = 2, kSelf = 3, kSyncFlag = 8;
inline constexpr std::uint32_t kTypeSend = 1 << 4, kTypeReady = 2 << 4, kTypeSynchronous = 3 << 4,
                               kTypeBuffered = 4 << 4;

struct CommSpec {
    std::string name;
    std::uint16_t context = 0;
    /// World ranks, or what connect() has given; of an intercommunicator: the remote group.
    std::vector<int> members;
    std::vector<int> local_members = {};  ///< intercommunicators only
    std::uint16_t recv_context = 0;       ///< likewise; else as context
    int handle = 0;                       ///< 0: made up
};

struct OperationSpec {
    int rank = 0;
    int tag = 0;
    std::int64_t count = 0;
    int datatype = 0x4c000405;  ///< MPI_INT
    std::uint32_t state = 0;
    int cc = 1;
    std::uint16_t context_offset = 0;
    std::uint64_t buffer = 0x5000;
};

class FakeMpich {
public:
    /// MPI_COMM_WORLD of `size` and MPI_COMM_SELF exist.
    explicit FakeMpich(int size = 4, int rank = 0, std::size_t room = std::size_t{1} << 21);

    FakeMemory memory;
    StubTarget target;

    std::uint64_t world = 0;
    std::uint64_t self = 0;

    FakeComm& comm(std::uint64_t address) { return memory.at<FakeComm>(address); }
    FakeRequest& request(std::uint64_t address) { return memory.at<FakeRequest>(address); }

    std::uint64_t add_comm(const CommSpec& spec);
    /// The id of the process's own group, which others know it by.
    void name_world(const std::string& id);
    /// A process group of another world, on a host: its members by rank, for the lists
    /// of members of a communicator.
    std::vector<int> connect(const std::string& id, int size, const std::string& host = "there");
    FakeGroup& group() { return memory.at<FakeGroup>(group_); }
    /// Takes it off the list, as MPI_Comm_free does.
    void remove_comm(std::uint64_t address);
    /// An internal one of a parent, on the list unless it is a local one.
    std::uint64_t add_internal(std::uint64_t parent,
                               std::uint16_t context_offset,
                               const std::vector<int>& members);

    /// A live request from the pool.
    std::uint64_t add_request(int kind, std::uint64_t comm, const OperationSpec& spec);
    std::uint64_t post_receive(std::uint64_t comm, const OperationSpec& spec);
    /// The request has no communicator, and the fields of the user hold garbage.
    std::uint64_t arrive(std::uint64_t comm, const OperationSpec& spec, std::int64_t bytes);
    /// With an entry in the debugger's list, as a nonblocking send has.
    std::uint64_t start_send(std::uint64_t comm, const OperationSpec& spec);
    std::uint64_t remember_send(std::uint64_t request);
    /// A blocking send that the transport has not taken: no communicator, no envelope.
    std::uint64_t add_waiting_packet(
        std::uint64_t comm, int world_rank, int packet_type, int tag, std::int64_t bytes);
    /// The persistent request for an active one.
    std::uint64_t add_persistent(std::uint64_t real);
    void free_request(std::uint64_t request) { this->request(request).ref_count = 0; }
    std::uint64_t start_collective(std::uint64_t comm, int tag);
    /// The shared-memory channel as MPI_Init leaves it, with every process on this
    /// host: an empty receive queue, an empty fast box for each other process. Until
    /// then the region is zero.
    void set_up_channel();
    FakeRegion& region() { return variable<FakeRegion>("MPID_nem_mem_region"); }
    FakeRecvQueue& recv_queue() { return memory.at<FakeRecvQueue>(region().my_recv_queue); }
    /// Address of the entry of a process in the table of fast boxes.
    std::uint64_t fast_box_entry(int process) {
        return region().mailboxes.in + static_cast<std::uint64_t>(process) * 8;
    }
    /// Precondition: another process than this one.
    FakeFastBox& fast_box(int process) {
        return memory.at<FakeFastBox>(memory.at<std::uint64_t>(fast_box_entry(process)));
    }
    /// A committed derived datatype; its handle.
    int add_datatype(std::int64_t size, const std::string& name);

    std::uint64_t symbol(const std::string& name) const { return target.symbols.at(name); }
    template <class T>
    T& variable(const std::string& name) {
        return memory.at<T>(symbol(name));
    }

    static constexpr int kObjectsInBlock = 64;

private:
    void describe_types();
    void describe_optional_types();
    void describe_channel_types();
    void define_variables();
    void make_process_group(int size);
    std::uint64_t table_of(const std::vector<int>& members);
    std::uint64_t take_request();
    void append(const char* head, std::uint64_t request);

    std::uint64_t add_text(const std::string& text);

    int rank_;
    std::uint64_t group_ = 0;
    std::map<int, std::uint64_t> foreign_;  ///< connections by what connect() has given
    std::uint64_t connections_ = 0;
    int size_;
    std::size_t requests_ = 0;
    std::size_t comms_ = 0;
    std::uint64_t block_table_ = 0;
    std::uint64_t last_schedule_ = 0;
    std::map<std::string, std::uint64_t> tails_;
};

}  // namespace mqinspect::test
