#include "mqs_dll/symbols.h"

#include "include/pending_operations.h"
#include "mqs_dll/text.h"

namespace mqinspect::dll {
namespace {

struct SymbolRow {
    const char* name;
    std::uint64_t Symbols::*address;
    const char* alias = nullptr;  // its name until MPICH 3.2
};

bool find(mqs_image* image,
          const mqs_image_callbacks& callbacks,
          const char* wanted,
          std::uint64_t& address) {
    if (wanted == nullptr) return false;
    // The interface takes char*.
    char name[64];
    TextWriter(name, sizeof name).append(wanted);
    mqs_taddr_t found = 0;
    if (callbacks.mqs_find_symbol_fp(image, name, &found) != mqs_ok) return false;
    address = found;
    return true;
}

constexpr SymbolRow kSymbols[] = {
    {"MPIR_All_communicators", &Symbols::all_communicators},
    {"MPIR_Comm_mem", &Symbols::comm_mem, "MPID_Comm_mem"},
    {"MPIR_Comm_builtin", &Symbols::comm_builtin, "MPID_Comm_builtin"},
    {"MPIR_Sendq_head", &Symbols::sendq_head},
    {"MPIR_Recvq_head", &Symbols::recvq_head},
    {"MPIR_Unexpq_head", &Symbols::unexpq_head},
    {"MPIR_Request_mem", &Symbols::request_mem, "MPID_Request_mem"},
    {"MPIR_Datatype_mem", &Symbols::datatype_mem, "MPID_Datatype_mem"},
    {"MPIR_Process", &Symbols::global_process},
    {"MPIDI_Process", &Symbols::device_process},
    {"all_schedules", &Symbols::all_schedules},
    {"MPII_coll_queue", &Symbols::coll_queue},
    {"MPIDI_CH3I_progress_completion_count", &Symbols::completion_count},
    {"MPID_nem_mem_region", &Symbols::nemesis_region},
    {"BsendBuffer", &Symbols::bsend_buffer},
    {"MPIDI_RMA_Win_active_list_head", &Symbols::active_windows},
    {"MPIR_Win_mem", &Symbols::window_mem, "MPID_Win_mem"},
    {"MPIDI_RMA_Win_inactive_list_head", &Symbols::inactive_windows},
    {"MPIDI_PG_list", &Symbols::process_groups},
    {"MPID_Recvq_posted_head_ptr", &Symbols::posted_head_ptr},
    {"MPID_Recvq_unexpected_head_ptr", &Symbols::unexpected_head_ptr},
    {"recvq_posted_head", &Symbols::posted_head},
    {"recvq_unexpected_head", &Symbols::unexpected_head},
    {"MPIDI_global", &Symbols::ch4_global},
    {"self_send_queue", &Symbols::self_sends},
    {"self_recv_queue", &Symbols::self_receives},
    {"MPIDI_OFI_global", &Symbols::ofi_global},
    {"MPIDI_UCX_global", &Symbols::ucx_global},
    {"MPIR_CVAR_CH4_OFI_ENABLE_TAGGED", &Symbols::setting_tagged},
    {"MPIR_CVAR_CH4_NUM_VCIS", &Symbols::setting_vcis},
    {"MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_CELL_SIZE", &Symbols::setting_cell},
    {pending::kSymbol, &Symbols::recorder},
};

}  // namespace

Symbols find_symbols(mqs_image* image, const mqs_image_callbacks& callbacks) {
    Symbols symbols;
    for (const SymbolRow& row : kSymbols) {
        if (!find(image, callbacks, row.name, symbols.*row.address)) {
            find(image, callbacks, row.alias, symbols.*row.address);
        }
    }
    return symbols;
}

}  // namespace mqinspect::dll
