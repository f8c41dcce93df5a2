#include "trace_io/otf2/event_walk.h"

#include <limits>
#include <memory>

#include "model/execution.h"

namespace mqinspect::trace_io {
namespace {

using Kind = ImportedEvent::Kind;

struct DeleteCallbacks {
    void operator()(OTF2_EvtReaderCallbacks* callbacks) const {
        OTF2_EvtReaderCallbacks_Delete(callbacks);
    }
};
using Callbacks = std::unique_ptr<OTF2_EvtReaderCallbacks, DeleteCallbacks>;

// What the callbacks of OTF2 have in common before the record's own parameters.
#define MQI_EVENT OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data

ProcessImport& process_of(void* data) {
    return *static_cast<ProcessImport*>(data);
}

OTF2_CallbackCode add(void* data, OTF2_TimeStamp time, const ImportedEvent& event) {
    process_of(data).add(time, event);
    return OTF2_CALLBACK_SUCCESS;
}

ImportedEvent message(Kind kind,
                      std::uint32_t peer,
                      OTF2_CommRef communicator,
                      std::uint32_t tag,
                      std::uint64_t bytes,
                      std::uint64_t request = 0) {
    // Some tools write events for MPI_PROC_NULL, whose number is negative.
    const bool nobody = peer > std::numeric_limits<std::int32_t>::max();
    const std::int64_t rank = nobody ? model::kProcNull : std::int64_t{peer};
    return {kind, rank, communicator, tag, bytes, request};
}

ImportedEvent about(Kind kind, std::uint64_t request) {
    ImportedEvent event;
    event.kind = kind;
    event.request = request;
    return event;
}

/// A rank of a window, or OTF2_UNDEFINED_UINT32: all of them.
ImportedEvent at_window(Kind kind, OTF2_RmaWinRef window, std::uint32_t peer = 0) {
    ImportedEvent event;
    event.kind = kind;
    event.window = window;
    event.peer = peer;
    return event;
}

ImportedEvent collective(Kind kind,
                         OTF2_CollectiveOp op,
                         OTF2_CommRef communicator,
                         std::uint32_t root,
                         std::uint64_t request = 0) {
    ImportedEvent event = message(kind, root, communicator, 0, 0, request);
    event.op = op;
    if (root == OTF2_COLLECTIVE_ROOT_SELF) event.peer = model::kRoot;
    if (root == OTF2_COLLECTIVE_ROOT_THIS_GROUP) event.peer = model::kProcNull;
    return event;
}

OTF2_CallbackCode on_enter(MQI_EVENT, OTF2_AttributeList* attributes, OTF2_RegionRef region) {
    process_of(data).enter(time, region, attributes);
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_leave(MQI_EVENT, OTF2_AttributeList* attributes, OTF2_RegionRef region) {
    process_of(data).leave(time, region, attributes);
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_send(MQI_EVENT,
                          OTF2_AttributeList*,
                          std::uint32_t receiver,
                          OTF2_CommRef communicator,
                          std::uint32_t tag,
                          std::uint64_t bytes) {
    return add(data, time, message(Kind::Send, receiver, communicator, tag, bytes));
}

OTF2_CallbackCode on_isend(MQI_EVENT,
                           OTF2_AttributeList*,
                           std::uint32_t receiver,
                           OTF2_CommRef communicator,
                           std::uint32_t tag,
                           std::uint64_t bytes,
                           std::uint64_t request) {
    return add(data, time, message(Kind::Isend, receiver, communicator, tag, bytes, request));
}

OTF2_CallbackCode on_send_done(MQI_EVENT, OTF2_AttributeList*, std::uint64_t request) {
    return add(data, time, about(Kind::SendDone, request));
}

OTF2_CallbackCode on_cancelled(MQI_EVENT, OTF2_AttributeList*, std::uint64_t request) {
    return add(data, time, about(Kind::Cancelled, request));
}

OTF2_CallbackCode on_receive_asked(MQI_EVENT,
                                   OTF2_AttributeList* attributes,
                                   std::uint64_t request) {
    process_of(data).receive_asked(time, request, attributes);
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_tested(MQI_EVENT, OTF2_AttributeList*, std::uint64_t request) {
    return add(data, time, about(Kind::Tested, request));
}

OTF2_CallbackCode on_receive(MQI_EVENT,
                             OTF2_AttributeList* attributes,
                             std::uint32_t sender,
                             OTF2_CommRef communicator,
                             std::uint32_t tag,
                             std::uint64_t bytes) {
    process_of(data).received(
        time, message(Kind::Receive, sender, communicator, tag, bytes), attributes);
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_receive_done(MQI_EVENT,
                                  OTF2_AttributeList*,
                                  std::uint32_t sender,
                                  OTF2_CommRef communicator,
                                  std::uint32_t tag,
                                  std::uint64_t bytes,
                                  std::uint64_t request) {
    return add(data, time, message(Kind::ReceiveDone, sender, communicator, tag, bytes, request));
}

OTF2_CallbackCode on_collective(MQI_EVENT,
                                OTF2_AttributeList*,
                                OTF2_CollectiveOp op,
                                OTF2_CommRef communicator,
                                std::uint32_t root,
                                std::uint64_t,
                                std::uint64_t) {
    return add(data, time, collective(Kind::CollectiveEnd, op, communicator, root));
}

OTF2_CallbackCode on_collective_asked(MQI_EVENT,
                                      OTF2_AttributeList* attributes,
                                      std::uint64_t request) {
    process_of(data).collective_asked(time, request, attributes);
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_collective_done(MQI_EVENT,
                                     OTF2_AttributeList*,
                                     OTF2_CollectiveOp op,
                                     OTF2_CommRef communicator,
                                     std::uint32_t root,
                                     std::uint64_t,
                                     std::uint64_t,
                                     std::uint64_t request) {
    return add(data, time, collective(Kind::CollectiveDone, op, communicator, root, request));
}

OTF2_CallbackCode on_comm_create(MQI_EVENT, OTF2_AttributeList*, OTF2_CommRef communicator) {
    return add(data, time, message(Kind::CommCreate, 0, communicator, 0, 0));
}

OTF2_CallbackCode on_win_create(MQI_EVENT, OTF2_AttributeList*, OTF2_RmaWinRef window) {
    return add(data, time, at_window(Kind::WinCreate, window));
}

OTF2_CallbackCode on_win_destroy(MQI_EVENT, OTF2_AttributeList*, OTF2_RmaWinRef window) {
    return add(data, time, at_window(Kind::WinDestroy, window));
}

OTF2_CallbackCode on_window_collective(MQI_EVENT,
                                       OTF2_AttributeList*,
                                       OTF2_CollectiveOp,
                                       OTF2_RmaSyncLevel,
                                       OTF2_RmaWinRef window,
                                       std::uint32_t,
                                       std::uint64_t,
                                       std::uint64_t) {
    return add(data, time, at_window(Kind::WinCollectiveEnd, window));
}

OTF2_CallbackCode on_group_sync(MQI_EVENT,
                                OTF2_AttributeList*,
                                OTF2_RmaSyncLevel level,
                                OTF2_RmaWinRef window,
                                OTF2_GroupRef group) {
    ImportedEvent event = at_window(Kind::GroupSync, window);
    event.group = group;
    event.tag = level;
    return add(data, time, event);
}

OTF2_CallbackCode on_lock(MQI_EVENT,
                          OTF2_AttributeList*,
                          OTF2_RmaWinRef window,
                          std::uint32_t remote,
                          std::uint64_t,
                          OTF2_LockType type) {
    ImportedEvent event = at_window(Kind::Lock, window, remote);
    event.tag = type;
    return add(data, time, event);
}

OTF2_CallbackCode on_unlock(
    MQI_EVENT, OTF2_AttributeList*, OTF2_RmaWinRef window, std::uint32_t remote, std::uint64_t) {
    return add(data, time, at_window(Kind::Unlock, window, remote));
}

ImportedEvent access(Kind kind,
                     OTF2_RmaWinRef window,
                     std::uint64_t number,
                     std::uint32_t remote = 0) {
    ImportedEvent event = at_window(kind, window, remote);
    event.request = number;
    return event;
}

OTF2_CallbackCode on_access(MQI_EVENT,
                            OTF2_AttributeList* attributes,
                            OTF2_RmaWinRef window,
                            std::uint32_t remote,
                            std::uint64_t,
                            std::uint64_t number) {
    process_of(data).access(time, access(Kind::Access, window, number, remote), attributes);
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_atomic(MQI_EVENT,
                            OTF2_AttributeList* attributes,
                            OTF2_RmaWinRef window,
                            std::uint32_t remote,
                            OTF2_RmaAtomicType,
                            std::uint64_t,
                            std::uint64_t,
                            std::uint64_t number) {
    process_of(data).access(time, access(Kind::Access, window, number, remote), attributes);
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_access_done(MQI_EVENT,
                                 OTF2_AttributeList*,
                                 OTF2_RmaWinRef window,
                                 std::uint64_t number) {
    return add(data, time, access(Kind::AccessDone, window, number));
}

OTF2_CallbackCode on_parameter(MQI_EVENT,
                               OTF2_AttributeList* attributes,
                               OTF2_ParameterRef parameter,
                               OTF2_StringRef text) {
    process_of(data).tell(time, parameter, text, attributes);
    return OTF2_CALLBACK_SUCCESS;
}

// The first walk: how receives and collective operations will end.
OTF2_CallbackCode on_future_receive(MQI_EVENT,
                                    OTF2_AttributeList*,
                                    std::uint32_t sender,
                                    OTF2_CommRef communicator,
                                    std::uint32_t tag,
                                    std::uint64_t bytes,
                                    std::uint64_t request) {
    static_cast<void>(time);
    process_of(data).will_complete(
        request, message(Kind::ReceiveDone, sender, communicator, tag, bytes, request));
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_future_collective(MQI_EVENT,
                                       OTF2_AttributeList*,
                                       OTF2_CollectiveOp op,
                                       OTF2_CommRef communicator,
                                       std::uint32_t root,
                                       std::uint64_t,
                                       std::uint64_t,
                                       std::uint64_t request) {
    static_cast<void>(time);
    process_of(data).will_complete(
        request, collective(Kind::CollectiveDone, op, communicator, root, request));
    return OTF2_CALLBACK_SUCCESS;
}

#undef MQI_EVENT

Callbacks first_walk() {
    Callbacks callbacks(OTF2_EvtReaderCallbacks_New());
    OTF2_EvtReaderCallbacks* const set = callbacks.get();
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(set, on_future_receive);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(set, on_future_collective);
    return callbacks;
}

void set_window_callbacks(OTF2_EvtReaderCallbacks* set) {
    OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(set, on_win_create);
    OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(set, on_win_destroy);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(set, on_window_collective);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(set, on_group_sync);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(set, on_lock);
    OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(set, on_lock);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(set, on_unlock);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(set, on_access);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(set, on_access);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(set, on_atomic);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(set, on_access_done);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(set, on_access_done);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(set, on_access_done);
}

Callbacks second_walk() {
    Callbacks callbacks(OTF2_EvtReaderCallbacks_New());
    OTF2_EvtReaderCallbacks* const set = callbacks.get();
    OTF2_EvtReaderCallbacks_SetEnterCallback(set, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(set, on_leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(set, on_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(set, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(set, on_send_done);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(set, on_cancelled);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(set, on_tested);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(set, on_receive_asked);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(set, on_receive);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(set, on_receive_done);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(set, on_collective);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(set, on_collective_asked);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(set, on_collective_done);
    OTF2_EvtReaderCallbacks_SetCommCreateCallback(set, on_comm_create);
    OTF2_EvtReaderCallbacks_SetParameterStringCallback(set, on_parameter);
    set_window_callbacks(set);
    return callbacks;
}

bool walk(OTF2_Reader* reader,
          OTF2_LocationRef location,
          const Callbacks& callbacks,
          ProcessImport& process) {
    OTF2_EvtReader* const events = OTF2_Reader_GetEvtReader(reader, location);
    if (events == nullptr) return false;
    std::uint64_t count = 0;
    const bool good = OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks.get(), &process) ==
                          OTF2_SUCCESS &&
                      OTF2_Reader_ReadAllLocalEvents(reader, events, &count) == OTF2_SUCCESS;
    OTF2_Reader_CloseEvtReader(reader, events);
    return good;
}

}  // namespace

bool walk_events(OTF2_Reader* reader, OTF2_LocationRef location, ProcessImport& process) {
    return walk(reader, location, first_walk(), process) &&
           walk(reader, location, second_walk(), process);
}

}  // namespace mqinspect::trace_io
