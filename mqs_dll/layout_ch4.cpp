#include "mqs_dll/layout_ch4.h"

namespace mqinspect::dll {
namespace {

using L = Ch4Layout;
using Row = FieldRow<Ch4Layout>;

constexpr Row kDev[] = {
    {"ch4", &L::dev_ch4, kPointer, kRequired},
    // Absent where the network module moves all messages (MPIDI_CH4_DIRECT_NETMOD).
    {"is_local", &L::dev_is_local, 4, kOptional},
    {"anysource_partner_request", &L::dev_partner, kPointer, kOptional},
};
constexpr Row kActiveMessage[] = {
    {"buffer", &L::am_buffer, kPointer, kRequired},
    {"count", &L::am_count, kPointer, kRequired},
    {"datatype", &L::am_datatype, 4, kRequired},
    {"u", &L::am_u, 12, kRequired},
    {"req", &L::am_ext, kPointer, kOptional},
};
constexpr Row kExtension[] = {{"status", &L::ext_status, 8, kOptional}};
constexpr Row kPersistent[] = {
    {"p_type", &L::preq_type, 4, kOptional},
    {"buffer", &L::preq_buffer, kPointer, kOptional},
    {"count", &L::preq_count, kPointer, kOptional},
    {"rank", &L::preq_rank, 4, kOptional},
    {"tag", &L::preq_tag, 4, kOptional},
    {"context_id", &L::preq_context_id, 2, kOptional},
    {"datatype", &L::preq_datatype, 4, kOptional},
};
constexpr Row kPartitioned[] = {
    {"buffer", &L::part_buffer, kPointer, kOptional},
    {"count", &L::part_count, kPointer, kOptional},
    {"datatype", &L::part_datatype, 4, kOptional},
    {"u", &L::part_u, 12, kOptional},
};
constexpr Row kSelf[] = {
    {"buf", &L::self_buffer, kPointer, kOptional},
    {"count", &L::self_count, kPointer, kOptional},
    {"datatype", &L::self_datatype, 4, kOptional},
    {"tag", &L::self_tag, 4, kOptional},
    {"context_id", &L::self_context_id, 4, kOptional},
};
constexpr Row kOfi[] = {
    {"event_id", &L::ofi_event_id, 4, kOptional},
    {"util_id", &L::ofi_context_id, 4, kOptional},
    {"datatype", &L::ofi_datatype, 4, kOptional},
    {"util", &L::ofi_iov, 16, kOptional},
};
constexpr Row kGlobal[] = {
    {"n_vcis", &L::global_n_vcis, 4, kOptional},
    {"per_vci", &L::global_per_vci, kPointer, kOptional},
};
constexpr Row kVci[] = {
    {"progress_count", &L::vci_progress, 4, kOptional},
    {"posted_list", &L::vci_posted, kPointer, kOptional},
    {"unexp_list", &L::vci_unexpected, kPointer, kOptional},
};
constexpr Row kMap[] = {
    {"mode", &L::map_mode, 4, kOptional},
    {"avtid", &L::map_avtid, 4, kOptional},
    {"size", &L::map_size, 4, kOptional},
    {"reg", &L::map_reg, 12, kOptional},
    {"irreg", &L::map_irreg, kPointer, kOptional},
};

constexpr TypeRow<Ch4Layout> kTypes[] = {
    row("MPIDI_Devreq_t", nullptr, kDev),
    row("MPIDIG_req_t", nullptr, kActiveMessage),
    row("MPIDIG_req_ext_t", nullptr, kExtension),
    row("MPIDI_prequest_t", "MPIDI_prequest", kPersistent),
    row("MPIDI_part_request_t", "MPIDI_part_request", kPartitioned),
    row("MPIDI_self_request_t", nullptr, kSelf),
    row("MPIDI_OFI_request_t", nullptr, kOfi),
    row("MPIDI_CH4_Global_t", nullptr, kGlobal),
    row("MPIDI_per_vci_t", "MPIDI_per_vci", kVci, &L::vci_bytes),
    row("MPIDI_rank_map_t", nullptr, kMap),
};

}  // namespace

bool is_ch4(TypeSource& source) {
    return source.has_field("MPIDI_Devreq_t", "ch4");
}

void resolve_ch4(TypeSource& source, int pointer_size, Ch4Layout& layout, TextWriter& missing) {
    resolve_types<Ch4Layout>(source, kTypes, pointer_size, layout, missing);
    mqs_type* devcomm = source.find("MPIDI_Devcomm_t");
    if (devcomm != nullptr && source.offset(devcomm, "ch4") == 0) {
        layout.devcomm_bytes = source.bytes(devcomm);
    }
}

}  // namespace mqinspect::dll
