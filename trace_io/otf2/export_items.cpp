// The events that belong to the return of a call.
#include "trace_io/otf2/event_export.h"

namespace mqinspect::trace_io {

void EventExport::write(Thread& thread, const Item& item) {
    using Kind = Item::Kind;
    OTF2_EvtWriter* const out = thread.writer;
    const std::uint64_t time = thread.last;
    switch (item.kind) {
        case Kind::Receive:
            if (item.wildcard) {
                status_.take(OTF2_AttributeList_AddInt64(attributes_, kSourceRef, item.source));
                status_.take(OTF2_AttributeList_AddInt64(attributes_, kTagRef, item.asked_tag));
            }
            status_.take(OTF2_EvtWriter_MpiRecv(
                out, attributes_, time, item.peer, item.communicator, item.tag, item.bytes));
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
        case Kind::CommCreate:
            status_.take(OTF2_EvtWriter_CommCreate(out, nullptr, time, item.communicator));
            break;
        case Kind::CommDestroy:
            status_.take(OTF2_EvtWriter_CommDestroy(out, nullptr, time, item.communicator));
            break;
        default:
            write_window(thread, item);
            break;
    }
}

}  // namespace mqinspect::trace_io
