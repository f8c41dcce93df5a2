// The events that belong to the return of a call.
#include "trace_io/otf2/event_export.h"

namespace mqinspect::trace_io {

void EventExport::write(Thread& thread, const Item& item) {
    using Kind = Item::Kind;
    OTF2_EvtWriter* const out = thread.writer;
    const std::uint64_t time = thread.last;
    switch (item.kind) {
        case Kind::Receive:
            status_.take(OTF2_EvtWriter_MpiRecv(
                out, nullptr, time, item.peer, item.communicator, item.tag, item.bytes));
            break;
        case Kind::SendComplete:
            status_.take(OTF2_EvtWriter_MpiIsendComplete(out, nullptr, time, item.request));
            break;
        case Kind::ReceiveComplete:
            status_.take(OTF2_EvtWriter_MpiIrecv(out,
                                                 nullptr,
                                                 time,
                                                 item.peer,
                                                 item.communicator,
                                                 item.tag,
                                                 item.bytes,
                                                 item.request));
            break;
        case Kind::CollectiveComplete:
            status_.take(OTF2_EvtWriter_NonBlockingCollectiveComplete(out,
                                                                      nullptr,
                                                                      time,
                                                                      item.op,
                                                                      item.communicator,
                                                                      item.peer,
                                                                      item.bytes,
                                                                      item.received,
                                                                      item.request));
            break;
        case Kind::Cancelled:
            status_.take(OTF2_EvtWriter_MpiRequestCancelled(out, nullptr, time, item.request));
            break;
        case Kind::Tested:
            status_.take(OTF2_EvtWriter_MpiRequestTest(out, nullptr, time, item.request));
            break;
        case Kind::CollectiveEnd:
            status_.take(OTF2_EvtWriter_MpiCollectiveEnd(out,
                                                         nullptr,
                                                         time,
                                                         item.op,
                                                         item.communicator,
                                                         item.peer,
                                                         item.bytes,
                                                         item.received));
            break;
        default:
            write_window(thread, item);
            break;
    }
}

void EventExport::write_window(Thread& thread, const Item& item) {
    using Kind = Item::Kind;
    OTF2_EvtWriter* const out = thread.writer;
    const std::uint64_t time = thread.last;
    const auto win = static_cast<OTF2_RmaWinRef>(item.request);
    switch (item.kind) {
        case Kind::WindowCreate:
            status_.take(OTF2_EvtWriter_RmaWinCreate(out, nullptr, time, win));
            break;
        case Kind::WindowDestroy:
            status_.take(OTF2_EvtWriter_RmaWinDestroy(out, nullptr, time, win));
            break;
        case Kind::WindowCollectiveEnd:
            status_.take(OTF2_EvtWriter_RmaCollectiveEnd(
                out,
                nullptr,
                time,
                OTF2_COLLECTIVE_OP_BARRIER,
                OTF2_RMA_SYNC_LEVEL_MEMORY | OTF2_RMA_SYNC_LEVEL_PROCESS,
                win,
                OTF2_COLLECTIVE_ROOT_NONE,
                0,
                0));
            break;
        case Kind::WindowLock:
            status_.take(OTF2_EvtWriter_RmaAcquireLock(
                out,
                nullptr,
                time,
                win,
                item.peer,
                0,
                item.tag != 0 ? OTF2_LOCK_SHARED : OTF2_LOCK_EXCLUSIVE));
            break;
        case Kind::WindowUnlock:
            status_.take(OTF2_EvtWriter_RmaReleaseLock(out, nullptr, time, win, item.peer, 0));
            break;
        case Kind::AccessComplete:
            status_.take(OTF2_EvtWriter_RmaOpCompleteBlocking(out, nullptr, time, win, item.bytes));
            break;
        default:
            break;
    }
}

}  // namespace mqinspect::trace_io
