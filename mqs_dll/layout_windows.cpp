#include "mqs_dll/layout_windows.h"

#include <algorithm>

#include "mqs_dll/layout_rows.h"

namespace mqinspect::dll {
namespace {

using L = WindowLayout;
using Row = FieldRow<WindowLayout>;

constexpr Row kWin[] = {
    {"handle", &L::handle, 4, kOptional},
    {"size", &L::size, kPointer, kOptional},
    {"comm_ptr", &L::comm, kPointer, kOptional},
    {"name", &L::name, 64, kOptional},
    {"create_flavor", &L::flavor, 4, kOptional},
    {"at_completion_counter", &L::completion_counter, 4, kOptional},
    {"current_lock_type", &L::current_lock_type, 4, kOptional},
    {"shared_lock_ref_cnt", &L::shared_lock_count, 4, kOptional},
    {"target_lock_queue_head", &L::lock_queue, kPointer, kOptional},
    {"shm_allocated", &L::shm_allocated, 4, kOptional},
    {"slots", &L::slots, kPointer, kOptional},
    {"num_slots", &L::slot_count, 4, kOptional},
    {"states", &L::states, 8, kOptional},
    {"start_ranks_in_win_grp", &L::started, kPointer, kOptional},
    {"start_grp_size", &L::started_count, 4, kOptional},
    {"outstanding_locks", &L::outstanding_locks, 4, kOptional},
    {"next", &L::next, kPointer, kOptional},
};
constexpr Row kSlot[] = {{"target_list_head", &L::slot_head, kPointer, kOptional}};
constexpr Row kTarget[] = {
    {"pending_net_ops_list_head", &L::target_net_operations, kPointer, kOptional},
    {"pending_user_ops_list_head", &L::target_user_operations, kPointer, kOptional},
    {"next", &L::target_next, kPointer, kOptional},
    {"target_rank", &L::target_rank, 4, kOptional},
    {"access_state", &L::target_state, 4, kOptional},
    {"lock_type", &L::target_lock_type, 4, kOptional},
    {"sync", &L::target_sync, 8, kOptional},
};
constexpr Row kOperation[] = {
    {"next", &L::operation_next, kPointer, kOptional},
    {"ureq", &L::operation_request, kPointer, kOptional},
};
constexpr Row kWaiter[] = {
    {"next", &L::waiter_next, kPointer, kOptional},
    {"pkt", &L::waiter_packet, 8, kOptional},
    {"vc", &L::waiter_vc, kPointer, kOptional},
};
constexpr Row kPacket[] = {{"pkt_flags", &L::packet_flags, 4, kOptional}};

constexpr TypeRow<WindowLayout> kTypes[] = {
    row("MPIR_Win", nullptr, kWin),
    row("MPIDI_RMA_Slot_t", "MPIDI_RMA_Slot", kSlot, &L::slot_bytes),
    row("MPIDI_RMA_Target_t", "MPIDI_RMA_Target", kTarget),
    row("MPIDI_RMA_Op_t", "MPIDI_RMA_Op", kOperation),
    row("MPIDI_RMA_Target_lock_entry_t", "MPIDI_RMA_Target_lock_entry", kWaiter),
    row("MPIDI_CH3_Pkt_lock_t", "MPIDI_CH3_Pkt_lock", kPacket),
};

constexpr int kWidest = 8;

}  // namespace

bool WindowLayout::is_known() const {
    // A slot holds nothing else, where the debugger cannot tell sizes.
    return comm >= 0 && name >= 0 && next >= 0 && states >= 0 && slots >= 0 && slot_count >= 0 &&
           started >= 0 && started_count >= 0 && current_lock_type >= 0 && lock_queue >= 0 &&
           slot_head == 0 && slot_bytes > 0 && target_next >= 0 && target_rank >= 0 &&
           target_state >= 0 && waiter_next >= 0 && waiter_vc >= 0 && waiter_packet >= 0 &&
           packet_flags >= 0;
}

int WindowLayout::window_extent() const {
    return kWidest + std::max({handle,
                               size,
                               comm,
                               name + 64,
                               flavor,
                               completion_counter,
                               current_lock_type,
                               shared_lock_count,
                               lock_queue,
                               shm_allocated,
                               slots,
                               slot_count,
                               states,
                               started,
                               started_count,
                               outstanding_locks,
                               next});
}

int WindowLayout::target_extent() const {
    return kWidest + std::max({target_next,
                               target_rank,
                               target_state,
                               target_lock_type,
                               target_net_operations,
                               target_user_operations,
                               target_sync});
}

int WindowLayout::waiter_extent() const {
    return kWidest + std::max({waiter_next, waiter_vc, waiter_packet + packet_flags});
}

void resolve_windows(TypeSource& source, int pointer_size, WindowLayout& layout) {
    char unused[8];
    TextWriter missing(unused, sizeof unused);
    resolve_types<WindowLayout>(source, kTypes, pointer_size, layout, missing);
    if (layout.slot_bytes <= 0) layout.slot_bytes = pointer_size;
}

}  // namespace mqinspect::dll
