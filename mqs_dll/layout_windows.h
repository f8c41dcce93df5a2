/// Where device ch3 keeps what about windows: MPIR_Win and mpid_rma_types.h.
#pragma once

namespace mqinspect::dll {

class TypeSource;

/// Byte offsets; -1: the field is unknown.
struct WindowLayout {
    // MPIR_Win.
    int handle = -1, size = -1, comm = -1, name = -1, flavor = -1, completion_counter = -1,
        current_lock_type = -1, shared_lock_count = -1, lock_queue = -1, shm_allocated = -1,
        slots = -1, slot_count = -1, states = -1, started = -1, started_count = -1,
        outstanding_locks = -1, next = -1;
    // MPIDI_RMA_Slot.
    int slot_head = -1, slot_bytes = -1;
    // MPIDI_RMA_Target.
    int target_next = -1, target_rank = -1, target_state = -1, target_lock_type = -1,
        target_net_operations = -1, target_user_operations = -1, target_sync = -1;
    // MPIDI_RMA_Op.
    int operation_next = -1, operation_request = -1;
    // MPIDI_RMA_Target_lock_entry, and MPIDI_CH3_Pkt_lock_t.
    int waiter_next = -1, waiter_vc = -1, waiter_packet = -1, packet_flags = -1;

    /// True if all that a window consists of is there.
    bool is_known() const;
    /// Bytes up to the last field that is read.
    int window_extent() const;
    int target_extent() const;
    int waiter_extent() const;
};

/// Resolves every row; all of them are optional.
void resolve_windows(TypeSource& source, int pointer_size, WindowLayout& layout);

}  // namespace mqinspect::dll
