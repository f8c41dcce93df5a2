#include "mqs_dll/layout.h"

#include <algorithm>
#include <initializer_list>

#include "mqs_dll/layout_ch4.h"
#include "mqs_dll/layout_rows.h"
#include "mqs_dll/text.h"

namespace mqinspect::dll {
namespace {

using L = Layout;
using Row = FieldRow<Layout>;

constexpr Row kCommList[] = {{"head", &L::comm_list_head, kPointer, kOptional}};
constexpr Row kComm[] = {
    {"context_id", &L::comm_context_id, 2, kRequired},
    {"recvcontext_id", &L::comm_recvcontext_id, 2, kRequired},
    {"remote_size", &L::comm_remote_size, 4, kRequired},
    {"rank", &L::comm_rank, 4, kRequired},
    {"name", &L::comm_name, 1, kRequired},
    {"handle", &L::comm_handle, 4, kOptional},
    {"ref_count", &L::comm_ref_count, 4, kOptional},
    {"local_size", &L::comm_local_size, 4, kOptional},
    {"comm_kind", &L::comm_kind, 4, kOptional},
    {"comm_next", &L::comm_next, kPointer, kOptional},
    {"local_comm", &L::comm_local_comm, kPointer, kOptional},
    {"hierarchy_kind", &L::comm_hierarchy_kind, 4, kOptional},
    {"next_sched_tag", &L::comm_next_sched_tag, 4, kOptional},
    {"dev", &L::comm_dev, 1, kOptional},
    {"attr", &L::comm_attr, 4, kOptional},
    {"local_group", &L::comm_local_group, kPointer, kOptional},
    {"remote_group", &L::comm_remote_group, kPointer, kOptional},
};
constexpr Row kGroup[] = {
    {"pmap", &L::group_pmap, 24, kOptional},
    {"session_ptr", &L::group_session, kPointer, kOptional},
};
constexpr Row kPmap[] = {
    {"use_map", &L::pmap_use_map, 1, kOptional},
    {"u", &L::pmap_u, 16, kOptional},
    {"size", &L::pmap_size, 4, kOptional},
};
constexpr Row kCh3Comm[] = {
    {"vcrt", &L::ch3_comm_vcrt, kPointer, kOptional},
    {"local_vcrt", &L::ch3_comm_local_vcrt, kPointer, kOptional},
};
constexpr Row kRequest[] = {
    {"dev", &L::request_dev, 1, kRequired},
    // In MPIDI_Request until MPICH 3.2.
    {"next", &L::request_next, kPointer, kOptional},
    {"handle", &L::request_handle, 4, kOptional},
    {"ref_count", &L::request_ref_count, 4, kOptional},
    {"kind", &L::request_kind, 4, kOptional},
    {"cc_ptr", &L::request_cc_ptr, kPointer, kOptional},
    {"cc", &L::request_cc, 4, kOptional},
    {"comm", &L::request_comm, kPointer, kOptional},
    {"status", &L::request_status, 1, kOptional},
    {"u", &L::request_u, 1, kOptional},
    {"ch", &L::request_ch, 1, kOptional},
    {"send", &L::request_send, kPointer, kOptional},
    {"recv", &L::request_recv, kPointer, kOptional},
    // MPICH 3.2 has what is in the union later on.
    {"dbg_next", &L::request_dbg_next, kPointer, kOptional},
    {"partner_request", &L::request_partner, kPointer, kOptional},
};
constexpr Row kChannel[] = {{"vc", &L::channel_vc, kPointer, kOptional}};
constexpr Row kStatus[] = {
    {"count_lo", &L::status_count_lo, 4, kOptional},
    {"count_hi_and_cancelled", &L::status_count_hi, 4, kOptional},
    {"MPI_SOURCE", &L::status_source, 4, kOptional},
    {"MPI_TAG", &L::status_tag, 4, kOptional},
};
constexpr Row kDev[] = {
    {"match", &L::dev_match, 1, kRequired},
    {"user_buf", &L::dev_user_buf, kPointer, kRequired},
    {"user_count", &L::dev_user_count, kPointer, kRequired},
    {"datatype", &L::dev_datatype, 4, kRequired},
    {"tmpbuf", &L::dev_tmpbuf, kPointer, kOptional},
    {"rma_target_ptr", &L::dev_rma_target, kPointer, kOptional},
    {"request_handle", &L::dev_request_handle, 4, kOptional},
    {"recv_data_sz", &L::dev_recv_data_sz, kPointer, kOptional},
    {"state", &L::dev_state, 4, kOptional},
    {"pending_pkt", &L::dev_pending_pkt, 1, kOptional},
    {"iov", &L::dev_iov, kPointer, kOptional},
    {"mask", &L::dev_mask, 1, kOptional},
    {"next", &L::dev_next, kPointer, kOptional},
};
constexpr Row kMatch[] = {{"parts", &L::match_parts, 1, kOptional}};
constexpr Row kParts[] = {
    {"tag", &L::parts_tag, 4, kRequired},
    {"rank", &L::parts_rank, 2, kRequired},
    {"context_id", &L::parts_context_id, 2, kRequired},
};
constexpr Row kEager[] = {
    {"type", &L::eager_type, 4, kOptional},
    {"match", &L::eager_match, 1, kOptional},
    {"data_sz", &L::eager_data_sz, kPointer, kOptional},
};
constexpr Row kEagerShort[] = {
    {"data_sz", &L::eager_short_data_sz, kPointer, kOptional},
};
using List = DebugListLayout;
constexpr FieldRow<List> kSendq[] = {
    {"sreq", &List::request, kPointer, kOptional},
    {"tag", &List::tag, 4, kOptional},
    {"rank", &List::rank, 4, kOptional},
    {"context_id", &List::context_id, 4, kOptional},
    {"next", &List::next, kPointer, kOptional},
};
constexpr FieldRow<List> kDebugq[] = {
    {"req", &List::request, kPointer, kOptional},
    {"tag", &List::tag, 4, kOptional},
    {"rank", &List::rank, 4, kOptional},
    {"context_id", &List::context_id, 4, kOptional},
    {"buf", &List::buffer, kPointer, kOptional},
    {"count", &List::count, kPointer, kOptional},
    {"next", &List::next, kPointer, kOptional},
};
constexpr Row kPool[] = {
    {"initialized", &L::pool_initialized, 4, kOptional},
    {"indirect", &L::pool_indirect, kPointer, kOptional},
    {"indirect_size", &L::pool_indirect_size, 4, kOptional},
    {"num_allocated", &L::pool_num_allocated, 4, kOptional},
    {"kind", &L::pool_kind, 4, kOptional},
    {"size", &L::pool_object_size, 4, kOptional},
    {"direct", &L::pool_direct, kPointer, kOptional},
    {"direct_size", &L::pool_direct_size, 4, kOptional},
};
constexpr Row kDatatype[] = {
    {"handle", &L::datatype_handle, 4, kOptional},
    {"ref_count", &L::datatype_ref_count, 4, kOptional},
    {"size", &L::datatype_size, kPointer, kOptional},
    {"name", &L::datatype_name, 1, kOptional},
};
constexpr Row kVcrt[] = {{"vcr_table", &L::vcrt_table, kPointer, kOptional}};
constexpr Row kVc[] = {
    {"pg", &L::vc_pg, kPointer, kOptional},
    {"pg_rank", &L::vc_pg_rank, 4, kOptional},
};
constexpr Row kPg[] = {
    {"size", &L::pg_size, 4, kOptional},
    {"vct", &L::pg_vct, kPointer, kOptional},
    {"id", &L::pg_id, kPointer, kOptional},
    {"next", &L::pg_next, kPointer, kOptional},
    {"connData", &L::pg_conn_data, kPointer, kOptional},
};
constexpr Row kDeviceProcess[] = {
    {"my_pg", &L::process_my_pg, kPointer, kOptional},
    {"my_pg_rank", &L::process_my_pg_rank, 4, kOptional},
};
constexpr Row kConnInfo[] = {{"connStrings", &L::conn_strings, kPointer, kOptional}};
constexpr Row kGlobal[] = {
    {"mpich_state", &L::global_mpich_state, 4, kOptional},
    {"tag_bits", &L::global_tag_bits, 4, kOptional},
    {"rank", &L::global_rank, 4, kOptional},
    {"size", &L::global_size, 4, kOptional},
    {"node_map", &L::global_node_map, kPointer, kOptional},
};
constexpr Row kSchedState[] = {{"head", &L::sched_state_head, kPointer, kOptional}};
constexpr Row kSched[] = {
    {"tag", &L::sched_tag, 4, kOptional},
    {"req", &L::sched_req, kPointer, kOptional},
    {"next", &L::sched_next, kPointer, kOptional},
};
constexpr Row kCollQueue[] = {{"head", &L::coll_queue_head, kPointer, kOptional}};
constexpr Row kCollReq[] = {
    {"sched", &L::coll_req_sched, kPointer, kOptional},
    {"next", &L::coll_req_next, kPointer, kOptional},
};
constexpr Row kGenSched[] = {
    {"req", &L::gen_sched_req, kPointer, kOptional},
    {"issued_head", &L::gen_sched_issued_head, kPointer, kOptional},
};
constexpr Row kVertex[] = {
    {"vtx_kind", &L::vertex_kind, 4, kOptional},
    {"u", &L::vertex_u, 1, kOptional},
    {"next", &L::vertex_next, kPointer, kOptional},
};
constexpr Row kNemesis[] = {
    {"my_recvQ", &L::nemesis_my_recv_queue, kPointer, kOptional},
    {"num_local", &L::nemesis_num_local, 4, kOptional},
    {"mailboxes", &L::nemesis_mailboxes, 1, kOptional},
};
constexpr Row kNemesisQueue[] = {
    {"head", &L::nemesis_queue_head, kPointer, kOptional},
    {"my_head", &L::nemesis_queue_my_head, kPointer, kOptional},
};
constexpr Row kNemesisBoxes[] = {{"in", &L::nemesis_mailboxes_in, kPointer, kOptional}};
constexpr Row kNemesisBox[] = {{"flag", &L::nemesis_fast_box_flag, 4, kOptional}};
constexpr Row kBsend[] = {
    {"buffer", &L::bsend_buffer, kPointer, kOptional},
    {"buffer_size", &L::bsend_buffer_size, kPointer, kOptional},
};

constexpr TypeRow<Layout> kTypes[] = {
    // Until MPICH 3.2 the names started with MPID, MPIU or MPICH.
    row("MPIR_Comm", "MPID_Comm", kComm),
    row("MPIR_Request", "MPID_Request", kRequest),
    row("MPIR_Comm_list", nullptr, kCommList),
    row("MPI_Status", nullptr, kStatus),
    row("MPIR_Object_alloc_t", "MPIU_Object_alloc_t", kPool, &L::pool_bytes),
    row("MPIR_Datatype", "MPID_Datatype", kDatatype),
    row("MPIR_Process_t", "MPICH_PerProcess_t", kGlobal),
    row("MPIR_Group", nullptr, kGroup),
    row("MPIR_Pmap", nullptr, kPmap, &L::pmap_bytes),
    row("MPIDU_Sched_state", nullptr, kSchedState),
    row("MPIDU_Sched", nullptr, kSched),
    row("MPII_Coll_queue_t", nullptr, kCollQueue),
    row("MPII_Coll_req_t", nullptr, kCollReq),
    row("MPII_Genutil_sched_t", nullptr, kGenSched),
    row("MPII_Genutil_vtx_t", nullptr, kVertex),
    row("BsendBuffer", nullptr, kBsend),
};

constexpr TypeRow<Layout> kCh3Types[] = {
    row("MPIDI_Request", nullptr, kDev),
    row("MPIDI_Message_match", nullptr, kMatch),
    row("MPIDI_Message_match_parts_t", "MPIDI_Message_match_parts", kParts),
    row("MPIDI_CH3I_comm_t", "MPIDI_CH3I_comm", kCh3Comm),
    row("MPIDI_CH3I_Request", nullptr, kChannel),
    row("MPIDI_CH3_Pkt_eager_send_t", "MPIDI_CH3_Pkt_send", kEager),
    row("MPIDI_CH3_Pkt_eagershort_send_t", "MPIDI_CH3_Pkt_eagershort_send", kEagerShort),
    row("MPIDI_VCRT", nullptr, kVcrt),
    row("MPIDI_VC", "MPIDI_VC_t", kVc, &L::vc_bytes),
    row("MPIDI_PG", "MPIDI_PG_t", kPg),
    row("MPIDI_Process_t", "MPIDI_Process", kDeviceProcess),
    row("MPIDI_ConnInfo", nullptr, kConnInfo),
    row("MPID_nem_mem_region_t", "MPID_nem_mem_region", kNemesis),
    row("MPID_nem_queue_t", "MPID_nem_queue", kNemesisQueue),
    row("MPID_nem_fbox_arrays_t", "MPID_nem_fbox_arrays", kNemesisBoxes),
    row("MPID_nem_fastbox_t", nullptr, kNemesisBox),
};

constexpr TypeRow<List> kSendqType[] = {row("MPIR_Sendq", nullptr, kSendq)};
constexpr TypeRow<List> kDebugqType[] = {row("MPIR_Debugq", nullptr, kDebugq)};

KindNumbering find_kinds(TypeSource& source) {
    // Streams came with 4.1, tables of collective functions went with 4.0.
    if (source.has_field("MPIR_Comm", "stream_comm_type")) return KindNumbering::FourOne;
    const bool three =
        source.has_field("MPIR_Comm", "coll_fns") || source.has_field("MPID_Comm", "context_id");
    return three ? KindNumbering::Three : KindNumbering::FourZero;
}

Device find_device(TypeSource& source, const Layout& layout) {
    if (is_ch4(source)) return Device::Ch4;
    const bool is_ch3 = source.has_field("MPIDI_Request", "match");
    // Without types of any device those of ch3 are named as missing.
    return is_ch3 || !layout.debugq.exists() ? Device::Ch3 : Device::Unknown;
}

void find_links(Layout& layout, TextWriter& missing) {
    if (layout.request_next < 0 && layout.dev_next >= 0 && layout.request_dev >= 0) {
        layout.request_next = layout.request_dev + layout.dev_next;
    }
    if (layout.request_next < 0) add_missing(missing, "MPIR_Request", "next");
}

/// MPIDI_Message_match is the typedef of a union without a tag, which not every debugger
/// finds; all members of a union start where it does.
void find_match(Layout& layout) {
    if (layout.match_parts < 0) layout.match_parts = 0;
}

/// Widths that differ between builds are the distance to the next member.
int width_between(int first, int second) {
    const int distance = second - first;
    return distance == 2 || distance == 4 ? distance : 0;
}

void derive_widths(Layout& layout, TextWriter& missing) {
    layout.context_bytes = width_between(layout.comm_context_id, layout.comm_recvcontext_id);
    if (layout.context_bytes == 0)
        add_missing(missing, "the size of MPIR_Comm.context_id", nullptr);
    if (layout.device != Device::Ch3) return;
    layout.rank_bytes = width_between(layout.parts_rank, layout.parts_context_id);
    if (layout.rank_bytes == 0) {
        add_missing(missing, "the size of MPIDI_Message_match_parts_t.rank", nullptr);
    }
    // The last member of the match; the mask, which follows, is of the same type.
    layout.parts_context_bytes = layout.context_bytes;
    const int room =
        layout.dev_mask - layout.dev_match - layout.match_parts - layout.parts_context_id;
    if (layout.dev_mask >= 0 && room >= 2 && room < layout.context_bytes) {
        layout.parts_context_bytes = 2;
    }
}

}  // namespace

std::size_t DebugListLayout::extent() const {
    return static_cast<std::size_t>(
               std::max({request, tag, rank, context_id, buffer, count, next})) +
           8;
}

int Layout::debug_entry_offset() const {
    if (debugq.exists()) return request_send;
    if (request_dbg_next >= 0) return request_dbg_next;
    return sendq.exists() ? request_u : -1;
}

Status resolve_layout(mqs_image* image,
                      const mqs_image_callbacks& callbacks,
                      int pointer_size,
                      Layout& layout,
                      char* missing,
                      std::size_t room) {
    TextWriter message(missing, room);
    if (callbacks.mqs_find_type_fp == nullptr || callbacks.mqs_field_offset_fp == nullptr ||
        callbacks.mqs_find_symbol_fp == nullptr) {
        return Status::NoCallbacks;
    }
    layout = Layout{};
    layout.pointer_size = pointer_size;
    TypeSource source(image, callbacks);
    char names[512];
    TextWriter lacking(names, sizeof names);
    resolve_types<Layout>(source, kTypes, pointer_size, layout, lacking);
    resolve_types<List>(source, kSendqType, pointer_size, layout.sendq, lacking);
    resolve_types<List>(source, kDebugqType, pointer_size, layout.debugq, lacking);
    layout.device = find_device(source, layout);
    if (layout.device == Device::Ch4) {
        resolve_ch4(source, pointer_size, layout.ch4, lacking);
    } else if (layout.device == Device::Ch3) {
        resolve_types<Layout>(source, kCh3Types, pointer_size, layout, lacking);
    }
    layout.kinds = find_kinds(source);
    if (lacking.empty()) find_links(layout, lacking);
    find_match(layout);
    if (lacking.empty()) derive_widths(layout, lacking);
    resolve_schedules(source, pointer_size, layout.schedules);
    resolve_windows(source, pointer_size, layout.windows);
    if (layout.device == Device::Ch4) {
        resolve_ch4_windows(source, pointer_size, layout.ch4_windows);
    }
    if (lacking.empty()) return Status::Ok;

    message
        .append("the message queues of %s cannot be read: it lacks MPICH's debug information on ")
        .append(names);
    message.append(
        "; start the job with 'mqinspect record -o DIR -- COMMAND', or with an MPICH configured "
        "--with-device=ch3:nemesis --enable-debuginfo --enable-g=dbg and not stripped "
        "(scripts/build-mpich of mqinspect builds one), or install its debug symbols");
    return Status::MissingLayout;
}

}  // namespace mqinspect::dll
