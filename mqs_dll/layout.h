/// Where MPICH keeps what, as the debugger's type information says.
///
/// One row of a table per field that is read; one loop resolves and checks all
/// of them. Variants of MPICH are told apart by the types and fields that exist,
/// never by a version: a further device adds rows.
#pragma once

#include <cstddef>

#include "include/mpi_interface.h"
#include "mqs_dll/layout_schedules.h"
#include "mqs_dll/layout_windows.h"
#include "mqs_dll/status.h"

namespace mqinspect::dll {

/// What moves the messages; tells how MPICH's own fields of requests and
/// communicators are to be read.
/// Unknown: the debugger knows no device's types, but the lists that MPICH keeps for it.
enum class Device { Ch3, Ch4, Unknown };

/// The fields of device ch4 (src/mpid/ch4/include/mpidpre.h, src/ch4_types.h), byte
/// offsets like those of Layout.
struct Ch4Layout {
    // MPIDI_Devreq_t, MPIR_Request.dev. The union `ch4` starts with what a request's way
    // asks for: MPIDIG_req_t, MPIDI_prequest_t, MPIDI_part_request_t, MPIDI_self_request_t
    // or the network module's.
    int dev_is_local = -1, dev_partner = -1, dev_ch4 = -1;
    // MPIDIG_req_t, active messages. In its union `u` a receive has source, context id and
    // tag, and a send its destination.
    int am_ext = -1, am_buffer = -1, am_count = -1, am_datatype = -1, am_u = -1;
    // MPIDIG_req_ext_t.
    int ext_status = -1;
    // MPIDI_prequest_t, persistent requests.
    int preq_type = -1, preq_buffer = -1, preq_count = -1, preq_rank = -1, preq_tag = -1,
        preq_context_id = -1, preq_datatype = -1;
    // MPIDI_part_request_t, partitioned requests; its union `u` is as that of MPIDIG_req_t.
    int part_buffer = -1, part_count = -1, part_datatype = -1, part_u = -1;
    // MPIDI_self_request_t, communicators of one process.
    int self_buffer = -1, self_count = -1, self_datatype = -1, self_tag = -1, self_context_id = -1;
    // MPIDI_OFI_request_t.
    int ofi_event_id = -1, ofi_context_id = -1, ofi_datatype = -1, ofi_iov = -1;
    // MPIDI_CH4_Global_t and MPIDI_per_vci_t.
    int global_n_vcis = -1, global_per_vci = -1, vci_progress = -1, vci_posted = -1,
        vci_unexpected = -1, vci_bytes = -1;
    // MPIDI_Devcomm_t, MPIR_Comm.dev, and the MPIDI_rank_map_t at its end.
    int devcomm_bytes = -1, map_mode = -1, map_avtid = -1, map_size = -1, map_reg = -1,
        map_irreg = -1;
};

/// An entry of the lists that MPICH keeps for debuggers; see debug_queue.h.
struct DebugListLayout {
    int request = -1, tag = -1, rank = -1, context_id = -1, buffer = -1, count = -1, next = -1;

    bool exists() const { return request >= 0 && next >= 0; }
    /// Bytes of an entry that are read.
    std::size_t extent() const;
};

/// How MPIR_Request_kind_t is numbered: MPICH 4.0 and 4.1 put kinds in between.
enum class KindNumbering { Three, FourZero, FourOne };

/// Byte offsets; -1: the field is unknown. The first part of a name is the type,
/// the rest the field.
struct Layout {
    Device device = Device::Ch3;
    int pointer_size = 8;

    // MPIR_Comm_list: MPIR_All_communicators.
    int comm_list_head = -1;
    // MPIR_Comm.
    int comm_handle = -1, comm_ref_count = -1, comm_context_id = -1, comm_recvcontext_id = -1,
        comm_remote_size = -1, comm_local_size = -1, comm_rank = -1, comm_kind = -1, comm_name = -1,
        comm_next = -1, comm_local_comm = -1, comm_hierarchy_kind = -1, comm_next_sched_tag = -1,
        comm_dev = -1, comm_attr = -1, comm_local_group = -1, comm_remote_group = -1;
    // MPIR_Group and MPIR_Pmap of MPICH 5: who is behind a rank. The union `u` has an array
    // of MPIR_Lpid, or three of them: offset, stride and the size of a block.
    int group_pmap = -1, group_session = -1, pmap_size = -1, pmap_use_map = -1, pmap_u = -1,
        pmap_bytes = -1;
    // MPIDI_CH3I_comm, MPIR_Comm.dev of ch3.
    int ch3_comm_vcrt = -1, ch3_comm_local_vcrt = -1;

    // MPIR_Request.
    int request_handle = -1, request_ref_count = -1, request_kind = -1, request_cc_ptr = -1,
        request_cc = -1, request_comm = -1, request_status = -1, request_u = -1, request_next = -1,
        request_dev = -1, request_ch = -1, request_send = -1, request_recv = -1,
        request_dbg_next = -1, request_partner = -1;
    // MPIDI_CH3I_Request, MPIR_Request.ch of the channel.
    int channel_vc = -1;
    // MPI_Status.
    int status_count_lo = -1, status_count_hi = -1, status_source = -1, status_tag = -1;
    // MPIDI_Request, MPIR_Request.dev of ch3.
    int dev_match = -1, dev_user_buf = -1, dev_user_count = -1, dev_datatype = -1, dev_tmpbuf = -1,
        dev_recv_data_sz = -1, dev_state = -1, dev_pending_pkt = -1, dev_iov = -1, dev_mask = -1,
        dev_next = -1, dev_rma_target = -1, dev_request_handle = -1;
    // MPIDI_Message_match and MPIDI_Message_match_parts_t.
    int match_parts = -1, parts_tag = -1, parts_rank = -1, parts_context_id = -1;

    // MPIDI_CH3_Pkt_eager_send_t and MPIDI_CH3_Pkt_eagershort_send_t.
    int eager_type = -1, eager_match = -1, eager_data_sz = -1, eager_short_data_sz = -1;

    DebugListLayout sendq;   ///< MPIR_Sendq
    DebugListLayout debugq;  ///< MPIR_Debugq

    // MPIR_Object_alloc_t: a pool of objects behind handles.
    int pool_initialized = -1, pool_indirect = -1, pool_indirect_size = -1, pool_num_allocated = -1,
        pool_kind = -1, pool_object_size = -1, pool_direct = -1, pool_direct_size = -1;
    int pool_bytes = -1;  ///< of the struct, which MPIR_Request_mem is an array of

    // MPIR_Datatype.
    int datatype_handle = -1, datatype_ref_count = -1, datatype_size = -1, datatype_name = -1;

    // MPIDI_VCRT, MPIDI_VC, MPIDI_PG and MPIDI_Process: who is behind a rank.
    int nemesis_my_recv_queue = -1, nemesis_num_local = -1, nemesis_mailboxes = -1,
        nemesis_queue_head = -1, nemesis_queue_my_head = -1, nemesis_mailboxes_in = -1,
        nemesis_fast_box_flag = -1;
    int vcrt_table = -1, vc_pg = -1, vc_pg_rank = -1, vc_bytes = -1, pg_size = -1, pg_vct = -1,
        process_my_pg = -1;
    // MPIDI_PG, MPIDI_Process and MPIDI_ConnInfo: the names of worlds, and foreign ones.
    int pg_id = -1, pg_next = -1, pg_conn_data = -1, process_my_pg_rank = -1, conn_strings = -1;
    // MPIR_Process_t.
    int global_mpich_state = -1, global_tag_bits = -1, global_rank = -1, global_size = -1,
        global_node_map = -1;

    // MPIDU_Sched_state, MPIDU_Sched: nonblocking collectives.
    int sched_state_head = -1, sched_tag = -1, sched_req = -1, sched_next = -1;
    // MPII_Coll_req_t, MPII_Genutil_sched_t, MPII_Genutil_vtx_t: the generic engine's.
    int coll_req_sched = -1, coll_req_next = -1, coll_queue_head = -1, gen_sched_req = -1,
        gen_sched_issued_head = -1, vertex_kind = -1, vertex_u = -1, vertex_next = -1;

    // struct BsendBuffer.
    int bsend_buffer = -1, bsend_buffer_size = -1;

    Ch4Layout ch4;
    ScheduleLayout schedules;
    WindowLayout windows;  ///< of ch3
    Ch4WindowLayout ch4_windows;

    KindNumbering kinds = KindNumbering::FourZero;
    /// Bytes of a context id in MPIR_Comm, and of a rank and a context id in
    /// MPIDI_Message_match_parts_t (ch3).
    int context_bytes = 0;
    int rank_bytes = 0;
    int parts_context_bytes = 0;

    /// The list of sends that MPICH keeps for debuggers; it exists if MPICH was built
    /// with --enable-debuginfo.
    const DebugListLayout& send_list() const { return debugq.exists() ? debugq : sendq; }
    /// True if it holds blocking sends too.
    bool lists_blocking_sends() const { return debugq.exists(); }
    /// Where a send has the address of its entry in that list, in MPIR_Request.
    int debug_entry_offset() const;

    bool has_request_pool() const {
        return has_pools() && request_handle >= 0 && request_ref_count >= 0 && request_kind >= 0;
    }
    bool has_pools() const {
        return pool_initialized >= 0 && pool_indirect >= 0 && pool_indirect_size >= 0 &&
               pool_object_size >= 0 && pool_direct >= 0 && pool_direct_size >= 0;
    }
};

/// Resolves every row. On MissingLayout `missing` names all required types and
/// fields that were not found, and what to do; it holds at most one "%s", for
/// the image's name, and is cut at `room`.
Status resolve_layout(mqs_image* image,
                      const mqs_image_callbacks& callbacks,
                      int pointer_size,
                      Layout& layout,
                      char* missing,
                      std::size_t room);

}  // namespace mqinspect::dll
