// Windows: operations, synchronization, and what belongs to the return of such calls.
#include <algorithm>
#include <string_view>

#include "trace_io/otf2/event_export.h"

namespace mqinspect::trace_io {
namespace {

using analysis::Action;
using model::Role;

constexpr OTF2_RmaSyncLevel kProcess = OTF2_RMA_SYNC_LEVEL_PROCESS;
constexpr OTF2_RmaSyncLevel kSynchronized =
    OTF2_RMA_SYNC_LEVEL_MEMORY | OTF2_RMA_SYNC_LEVEL_PROCESS;

bool is_put(std::string_view name) {
    return name == "Put" || name == "Rput";
}

bool is_get(std::string_view name) {
    return name == "Get" || name == "Rget";
}

/// Of what gets and puts at once.
std::optional<OTF2_RmaAtomicType> atomic_type(std::string_view name) {
    if (name == "Accumulate" || name == "Raccumulate") return OTF2_RMA_ATOMIC_TYPE_ACCUMULATE;
    if (name == "Compare_and_swap") return OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP;
    if (name == "Get_accumulate" || name == "Rget_accumulate" || name == "Fetch_and_op")
        return OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE;
    return std::nullopt;
}

}  // namespace

OTF2_RmaWinRef EventExport::window(std::int64_t id) const {
    const bool known = id >= 0 && static_cast<std::size_t>(id) < execution_.windows.size();
    return known ? static_cast<OTF2_RmaWinRef>(id) : OTF2_UNDEFINED_RMA_WIN;
}

void EventExport::access(Thread& thread, const Context& context) {
    const OTF2_RmaWinRef win = window(context.in(Role::Window, -1));
    const Access access{next_access_, context.in(Role::TargetRank, model::kProcNull)};
    if (access.target < 0) return;
    ++next_access_;
    const std::int64_t id = context.out(Role::Request, model::kNullHandle);
    if (id >= 0) {
        Request request;
        request.access = access.number;
        request.operation.window = win;
        requests_[id] = request;
        status_.take(
            OTF2_AttributeList_AddUint64(attributes_, kRequestRef, static_cast<std::uint64_t>(id)));
    }
    write_access(thread, context, access);
    windows_[win].accesses.push_back(access);
}

void EventExport::write_access(Thread& thread, const Context& context, const Access& access) {
    const std::string_view name = context.kind.name;
    const OTF2_RmaWinRef win = window(context.in(Role::Window, -1));
    const auto remote = static_cast<std::uint32_t>(access.target);
    const std::uint64_t bytes = context.bytes(execution_, Role::Count, Role::Datatype);
    if (const auto type = atomic_type(name)) {
        const bool fetches = *type != OTF2_RMA_ATOMIC_TYPE_ACCUMULATE;
        status_.take(OTF2_EvtWriter_RmaAtomic(thread.writer,
                                              attributes_,
                                              thread.last,
                                              win,
                                              remote,
                                              *type,
                                              bytes,
                                              fetches ? bytes : 0,
                                              access.number));
        return;
    }
    const auto write = is_put(name) ? OTF2_EvtWriter_RmaPut : OTF2_EvtWriter_RmaGet;
    status_.take(write(thread.writer, attributes_, thread.last, win, remote, bytes, access.number));
}

void EventExport::window_collective(Thread& thread, const Context& context, OpenCall& open) {
    const bool makes = context.is(Role::Window, model::Direction::Out);
    Item item;
    item.window = window(makes ? context.out(Role::Window, -1) : context.in(Role::Window, -1));
    status_.take(OTF2_EvtWriter_RmaCollectiveBegin(thread.writer, nullptr, thread.last));
    if (!context.call.leave_event || item.window == OTF2_UNDEFINED_RMA_WIN) return;
    item.op = OTF2_COLLECTIVE_OP_BARRIER;
    item.level = kSynchronized;
    if (makes) {
        const bool allocates = context.kind.name.starts_with("Win_allocate");
        item.op = allocates ? OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE
                            : OTF2_COLLECTIVE_OP_CREATE_HANDLE;
        item.level = kProcess;
        item.kind = Item::Kind::WindowCreate;
        open.items.push_back(item);
    } else {
        complete_accesses(context, open);
    }
    if (context.kind.name == "Win_free") {
        item.op = OTF2_COLLECTIVE_OP_DESTROY_HANDLE;
        item.level = kProcess;
        item.kind = Item::Kind::WindowDestroy;
        open.items.push_back(item);
    }
    item.kind = Item::Kind::WindowCollectiveEnd;
    open.items.push_back(item);
}

void EventExport::synchronize(Thread& thread, const Context& context, OpenCall& open) {
    const std::string_view name = context.kind.name;
    if (window(context.in(Role::Window, -1)) == OTF2_UNDEFINED_RMA_WIN) return;
    if (is_put(name) || is_get(name) || atomic_type(name)) return access(thread, context);
    Item item;
    item.window = window(context.in(Role::Window, -1));
    const bool all = model::subscript_of(context.procedure, Role::TargetRank) < 0;
    const std::int64_t target = context.in(Role::TargetRank, model::kProcNull);
    item.peer = all ? OTF2_UNDEFINED_UINT32 : static_cast<std::uint32_t>(target);
    const bool locks = context.kind.action == Action::WindowLock;
    const auto shared = execution_.constants.find("MPI_LOCK_SHARED");
    item.tag = all || (shared != execution_.constants.end() &&
                       context.in(Role::LockType) == shared->second)
                   ? OTF2_LOCK_SHARED
                   : OTF2_LOCK_EXCLUSIVE;
    const bool nobody = !all && target < 0;
    if (locks && !nobody) {
        status_.take(OTF2_EvtWriter_RmaRequestLock(thread.writer,
                                                   nullptr,
                                                   thread.last,
                                                   item.window,
                                                   item.peer,
                                                   0,
                                                   static_cast<OTF2_LockType>(item.tag)));
    }
    if (!context.call.leave_event || nobody) return;
    const bool unlocks = context.kind.action == Action::WindowUnlock;
    if (unlocks || name.starts_with("Win_flush") || name == "Win_complete")
        complete_accesses(context, open);
    if (locks || unlocks) {
        item.kind = locks ? Item::Kind::WindowLock : Item::Kind::WindowUnlock;
        open.items.push_back(item);
    }
    group_sync(context, open);
}

// MPI_Win_start, MPI_Win_post, and what ends their epochs.
void EventExport::group_sync(const Context& context, OpenCall& open) {
    const bool opens =
        context.kind.action == Action::WindowStart || context.kind.action == Action::WindowPost;
    const bool closes =
        context.kind.action == Action::WindowComplete || context.kind.action == Action::WindowWait;
    if (!opens && !closes) return;
    Item item;
    item.kind = Item::Kind::WindowGroupSync;
    item.window = window(context.in(Role::Window, -1));
    const bool exposes =
        context.kind.action == Action::WindowPost || context.kind.action == Action::WindowWait;
    OTF2_GroupRef& group = exposes ? windows_[item.window].posted : windows_[item.window].started;
    const model::Value* members =
        model::value_of(context.procedure, context.call.before, Role::Group);
    if (opens && members != nullptr) group = definitions_.group(members->list);
    item.group = group;
    item.level = opens ? kProcess : kSynchronized;
    if (closes && context.kind.probes_only && context.out(Role::Flag) == 0)
        item.level = OTF2_RMA_SYNC_LEVEL_NONE;
    if (item.group != OTF2_UNDEFINED_GROUP) open.items.push_back(item);
    if (closes && item.level != OTF2_RMA_SYNC_LEVEL_NONE) group = OTF2_UNDEFINED_GROUP;
}

// Of those to one target, or of all of them: at the origin, and where the call says so at the
// target.
void EventExport::complete_accesses(const Context& context, OpenCall& open) {
    const bool all = model::subscript_of(context.procedure, Role::TargetRank) < 0;
    const std::int64_t target = context.in(Role::TargetRank, model::kProcNull);
    const bool flushes_local = context.kind.name.starts_with("Win_flush_local");
    const bool local = flushes_local || context.kind.name == "Win_complete";
    Item item;
    item.window = window(context.in(Role::Window, -1));
    std::erase_if(windows_[item.window].accesses, [&](Access& access) {
        if (!all && access.target != target) return false;
        item.request = access.number;
        item.kind = Item::Kind::AccessComplete;
        if (!access.complete) open.items.push_back(item);
        item.kind = Item::Kind::AccessCompleteRemote;
        if (!local) open.items.push_back(item);
        access.complete = true;
        return !flushes_local;
    });
}

// Of MPI_Rput and its kin, by their requests.
void EventExport::complete_access(const Item& completion) {
    for (Access& access : windows_[completion.window].accesses)
        if (access.number == completion.request) access.complete = true;
}

void EventExport::write_window(Thread& thread, const Item& item) {
    using Kind = Item::Kind;
    OTF2_EvtWriter* const out = thread.writer;
    const std::uint64_t time = thread.last;
    const OTF2_RmaWinRef win = item.window;
    switch (item.kind) {
        case Kind::WindowCreate:
            status_.take(OTF2_EvtWriter_RmaWinCreate(out, nullptr, time, win));
            break;
        case Kind::WindowDestroy:
            status_.take(OTF2_EvtWriter_RmaWinDestroy(out, nullptr, time, win));
            break;
        case Kind::WindowCollectiveEnd:
            status_.take(OTF2_EvtWriter_RmaCollectiveEnd(
                out, nullptr, time, item.op, item.level, win, OTF2_COLLECTIVE_ROOT_NONE, 0, 0));
            break;
        case Kind::WindowGroupSync:
            status_.take(
                OTF2_EvtWriter_RmaGroupSync(out, nullptr, time, item.level, win, item.group));
            break;
        case Kind::WindowLock:
            status_.take(OTF2_EvtWriter_RmaAcquireLock(
                out, nullptr, time, win, item.peer, 0, static_cast<OTF2_LockType>(item.tag)));
            break;
        case Kind::WindowUnlock:
            status_.take(OTF2_EvtWriter_RmaReleaseLock(out, nullptr, time, win, item.peer, 0));
            break;
        case Kind::AccessComplete:
            status_.take(
                OTF2_EvtWriter_RmaOpCompleteNonBlocking(out, nullptr, time, win, item.request));
            break;
        case Kind::AccessCompleteRemote:
            status_.take(OTF2_EvtWriter_RmaOpCompleteRemote(out, nullptr, time, win, item.request));
            break;
        default:
            break;
    }
}

}  // namespace mqinspect::trace_io
