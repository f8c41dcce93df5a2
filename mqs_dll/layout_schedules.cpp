#include "mqs_dll/layout_schedules.h"

#include <algorithm>

#include "mqs_dll/layout_rows.h"

namespace mqinspect::dll {
namespace {

using L = ScheduleLayout;
using Row = FieldRow<ScheduleLayout>;

constexpr Row kSched[] = {
    {"idx", &L::first, kPointer, kOptional},
    {"num_entries", &L::count, 4, kOptional},
    {"entries", &L::entries, kPointer, kOptional},
};
constexpr Row kEntry[] = {
    {"type", &L::entry_type, 4, kOptional},
    {"status", &L::entry_status, 4, kOptional},
    {"u", &L::entry_u, 1, kOptional},
};
constexpr Row kSend[] = {
    {"dest", &L::send_dest, 4, kOptional},
    {"comm", &L::send_comm, kPointer, kOptional},
    {"sreq", &L::send_request, kPointer, kOptional},
    {"tag", &L::send_tag, 4, kOptional},
};
constexpr Row kRecv[] = {
    {"src", &L::recv_src, 4, kOptional},
    {"comm", &L::recv_comm, kPointer, kOptional},
    {"rreq", &L::recv_request, kPointer, kOptional},
};

constexpr TypeRow<ScheduleLayout> kTypes[] = {
    row("MPIDU_Sched", nullptr, kSched),
    row("MPIDU_Sched_entry", nullptr, kEntry, &L::entry_bytes),
    row("MPIDU_Sched_send", nullptr, kSend),
    row("MPIDU_Sched_recv", nullptr, kRecv),
};

constexpr int kLargestEntry = 4096;

}  // namespace

bool ScheduleLayout::is_known() const {
    const int last =
        std::max({send_dest, send_comm, send_request, recv_src, recv_comm, recv_request});
    const int least = std::min({first, count, entries, entry_type, entry_status, entry_u});
    const int least_peer =
        std::min({send_dest, send_comm, send_request, recv_src, recv_comm, recv_request});
    return least >= 0 && least_peer >= 0 && entry_bytes <= kLargestEntry &&
           entry_u + last + 8 <= entry_bytes;
}

void resolve_schedules(TypeSource& source, int pointer_size, ScheduleLayout& layout) {
    char unused[8];
    TextWriter missing(unused, sizeof unused);
    resolve_types<ScheduleLayout>(source, kTypes, pointer_size, layout, missing);
}

}  // namespace mqinspect::dll
