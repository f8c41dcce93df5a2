#include <algorithm>

#include "mqs_dll/layout_rows.h"
#include "mqs_dll/layout_windows.h"

namespace mqinspect::dll {
namespace {

using L = Ch4WindowLayout;
using Row = FieldRow<Ch4WindowLayout>;

constexpr Row kWin[] = {
    {"handle", &L::handle, 4, kOptional},
    {"mutex", &L::mutex, kPointer, kOptional},
    {"size", &L::size, kPointer, kOptional},
    {"comm_ptr", &L::comm, kPointer, kOptional},
    {"name", &L::name, 64, kOptional},
    {"create_flavor", &L::flavor, 4, kOptional},
    {"dev", &L::dev, kPointer, kOptional},
};
constexpr Row kDev[] = {{"am", &L::dev_am, kPointer, kOptional}};
constexpr Row kAm[] = {
    {"sync", &L::am_sync, kPointer, kOptional},
    {"targets", &L::am_targets, kPointer, kOptional},
};
constexpr Row kSync[] = {
    {"access_epoch_type", &L::sync_access, 4, kOptional},
    {"exposure_epoch_type", &L::sync_exposure, 4, kOptional},
    {"sc", &L::sync_start, 12, kOptional},
    // Their only members come first.
    {"lockall", &L::sync_lock_all, 4, kOptional},
    {"pw", &L::sync_post, 12, kOptional},
    {"lock_recvd", &L::sync_locks, 16, kOptional},
};
constexpr Row kPscw[] = {
    {"group", &L::pscw_group, kPointer, kOptional},
    {"count", &L::pscw_count, 4, kOptional},
};
constexpr Row kLocks[] = {
    {"head", &L::locks_head, kPointer, kOptional},
    {"type", &L::locks_type, 4, kOptional},
    {"count", &L::locks_count, 4, kOptional},
};
constexpr Row kWaiter[] = {
    {"next", &L::waiter_next, kPointer, kOptional},
    {"rank", &L::waiter_rank, 4, kOptional},
    {"type", &L::waiter_type, 2, kOptional},
};
constexpr Row kTarget[] = {
    {"remote_cmpl_cnts", &L::target_operations, 4, kOptional},
    {"remote_acc_cmpl_cnts", &L::target_accumulates, 4, kOptional},
    {"sync", &L::target_sync, 4, kOptional},
    {"rank", &L::target_rank, 4, kOptional},
    {"hash_handle", &L::target_hash, kPointer, kOptional},
};
constexpr Row kTargetSync[] = {{"lock", &L::target_lock, 4, kOptional}};
constexpr Row kHash[] = {{"next", &L::hash_next, kPointer, kOptional}};
constexpr Row kGroup[] = {
    {"size", &L::group_size, 4, kOptional},
    {"lrank_to_lpid", &L::group_members, kPointer, kOptional},
};
constexpr Row kMember[] = {{"lpid", &L::member_process, 4, kOptional}};

constexpr TypeRow<Ch4WindowLayout> kTypes[] = {
    row("MPIR_Win", nullptr, kWin),
    row("MPIDI_Devwin_t", nullptr, kDev),
    row("MPIDIG_win_t", "MPIDIG_win", kAm),
    row("MPIDIG_win_sync_t", "MPIDIG_win_sync", kSync),
    row("MPIDIG_win_sync_pscw_t", "MPIDIG_win_sync_pscw", kPscw),
    row("MPIDIG_win_lock_recvd_t", "MPIDIG_win_lock_recvd", kLocks),
    row("MPIDIG_win_lock", nullptr, kWaiter),
    row("MPIDIG_win_target_t", "MPIDIG_win_target", kTarget),
    row("MPIDIG_win_target_sync_t", "MPIDIG_win_target_sync", kTargetSync),
    row("UT_hash_handle", nullptr, kHash),
    row("MPIR_Group", nullptr, kGroup),
    row("MPII_Group_pmap_t", "MPII_Group_pmap", kMember, &L::member_bytes),
};

constexpr int kWidest = 8;

}  // namespace

bool Ch4WindowLayout::is_known() const {
    return std::min({handle,      mutex,         comm,        name,        dev,
                     dev_am,      am_sync,       am_targets,  sync_access, sync_exposure,
                     sync_start,  sync_lock_all, sync_post,   sync_locks,  pscw_group,
                     pscw_count,  locks_head,    locks_type,  locks_count, waiter_next,
                     waiter_rank, waiter_type,   target_sync, target_rank, target_hash,
                     target_lock, hash_next}) >= 0;
}

bool Ch4WindowLayout::knows_groups() const {
    return group_size >= 0 && group_members >= 0 && member_process >= 0 && member_bytes > 0;
}

int Ch4WindowLayout::window_extent() const {
    const int last = std::max({sync_access,
                               sync_exposure,
                               sync_start + std::max(pscw_group, pscw_count),
                               sync_lock_all,
                               sync_post + std::max(pscw_group, pscw_count),
                               sync_locks + std::max({locks_head, locks_type, locks_count})});
    return kWidest +
           std::max(
               {handle, mutex, size, comm, name + 64, flavor, am() + am_targets, sync() + last});
}

int Ch4WindowLayout::target_extent() const {
    return kWidest + std::max({target_operations,
                               target_accumulates,
                               target_rank,
                               target_sync + target_lock,
                               target_hash + hash_next});
}

int Ch4WindowLayout::waiter_extent() const {
    return kWidest + std::max({waiter_next, waiter_rank, waiter_type});
}

void resolve_ch4_windows(TypeSource& source, int pointer_size, Ch4WindowLayout& layout) {
    char unused[8];
    TextWriter missing(unused, sizeof unused);
    resolve_types<Ch4WindowLayout>(source, kTypes, pointer_size, layout, missing);
}

}  // namespace mqinspect::dll
