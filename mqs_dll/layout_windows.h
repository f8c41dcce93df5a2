/// Where the devices keep what about windows. ch3: MPIR_Win and mpid_rma_types.h; ch4: MPIR_Win
/// and its MPIDIG_win_t (mpidpre.h).
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

/// The same of ch4.
struct Ch4WindowLayout {
    // MPIR_Win.
    int handle = -1, mutex = -1, size = -1, comm = -1, name = -1, flavor = -1, dev = -1;
    // MPIDI_Devwin_t.
    int dev_am = -1;
    // MPIDIG_win_t.
    int am_sync = -1, am_targets = -1;
    // MPIDIG_win_sync_t.
    int sync_access = -1, sync_exposure = -1, sync_start = -1, sync_lock_all = -1, sync_post = -1,
        sync_locks = -1;
    // MPIDIG_win_sync_pscw_t.
    int pscw_group = -1, pscw_count = -1;
    // MPIDIG_win_lock_recvd_t.
    int locks_head = -1, locks_type = -1, locks_count = -1;
    // MPIDIG_win_lock.
    int waiter_next = -1, waiter_rank = -1, waiter_type = -1;
    // MPIDIG_win_target_t.
    int target_operations = -1, target_accumulates = -1, target_sync = -1, target_rank = -1,
        target_hash = -1;
    // MPIDIG_win_target_sync_t, and UT_hash_handle.
    int target_lock = -1, hash_next = -1;
    // MPIR_Group, and MPII_Group_pmap_t.
    int group_size = -1, group_members = -1, member_process = -1, member_bytes = -1;

    /// True if all that a window consists of is there.
    bool is_known() const;
    bool knows_groups() const;
    /// Bytes of MPIR_Win up to the last field that is read.
    int window_extent() const;
    int target_extent() const;
    int waiter_extent() const;
    /// Of the process's own part: MPIDIG_win_t in MPIR_Win.
    int am() const { return dev + dev_am; }
    int sync() const { return am() + am_sync; }
};

/// Resolves every row; all of them are optional.
void resolve_windows(TypeSource& source, int pointer_size, WindowLayout& layout);
void resolve_ch4_windows(TypeSource& source, int pointer_size, Ch4WindowLayout& layout);

}  // namespace mqinspect::dll
