/// Where MPICH keeps the parts of a nonblocking collective operation
/// (mpidu_sched.h).
#pragma once

namespace mqinspect::dll {

class TypeSource;

/// Byte offsets; -1: the field is unknown.
struct ScheduleLayout {
    // MPIDU_Sched.
    int first = -1, count = -1, entries = -1;
    // MPIDU_Sched_entry.
    int entry_type = -1, entry_status = -1, entry_u = -1, entry_bytes = -1;
    // MPIDU_Sched_send and MPIDU_Sched_recv, the members of the entry's union.
    int send_dest = -1, send_comm = -1, send_request = -1, recv_src = -1, recv_comm = -1,
        recv_request = -1;
    /// Absent where entries are all internal ones: then two types of entry do not exist.
    int send_tag = -1;

    /// True if all of it is there.
    bool is_known() const;
};

/// Resolves every row; all of them are optional.
void resolve_schedules(TypeSource& source, int pointer_size, ScheduleLayout& layout);

}  // namespace mqinspect::dll
