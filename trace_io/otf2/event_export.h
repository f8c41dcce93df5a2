/// The calls of one recorded process as OTF2 events.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <otf2/otf2.h>
#include <string>
#include <vector>

#include "analysis/pairing/call_kind.h"
#include "model/execution.h"

#include "trace_io/otf2/definitions.h"
#include "trace_io/otf2/status.h"

namespace mqinspect::trace_io {

/// Takes the calls in the order of the stream. A call's entry is written at once; what belongs to
/// its return waits until the next call of its thread, for calls can be nested. A call that has
/// not returned is a region that is never left.
class EventExport {
public:
    EventExport(const model::Execution& execution,
                const std::vector<analysis::CallKind>& kinds,
                OtfDefinitions& definitions,
                OTF2_Archive* archive,
                model::ProcessId process,
                OtfStatus& status);
    EventExport(const EventExport&) = delete;
    EventExport& operator=(const EventExport&) = delete;
    ~EventExport();

    void feed(const model::RecordedCall& call);
    /// Writes what is left and closes the files; returns the time of the last event.
    std::uint64_t finish();

private:
    /// An event at a return.
    struct Item {
        enum class Kind {
            Receive,
            SendComplete,
            ReceiveComplete,
            CollectiveComplete,
            Cancelled,
            Tested,
            CollectiveEnd,
            WindowCreate,
            WindowDestroy,
            WindowCollectiveEnd,
            WindowLock,
            WindowUnlock,
            AccessComplete,
        } kind = Kind::Receive;
        std::uint32_t peer = 0;  ///< a rank
        OTF2_CommRef communicator = OTF2_UNDEFINED_COMM;
        std::uint32_t tag = 0;
        std::uint64_t bytes = 0;
        std::uint64_t received = 0;
        std::uint64_t request = 0;
        OTF2_CollectiveOp op = OTF2_COLLECTIVE_OP_BARRIER;
    };
    struct OpenCall {
        OTF2_RegionRef region = 0;
        std::uint64_t leave = 0;
        bool returned = false;
        std::vector<Item> items;
    };
    struct Thread {
        OTF2_EvtWriter* writer = nullptr;
        WrittenLocation location;
        std::uint64_t last = 0;
        std::vector<OpenCall> open;
    };
    struct Request {
        bool send = false;
        bool receive = false;
        bool persistent = false;
        bool collective = false;
        Item operation;  ///< of a send its destination; of a receive what was asked for
    };
    struct Context {
        const model::RecordedCall& call;
        const model::Procedure& procedure;
        const analysis::CallKind& kind;

        bool is(model::Role role, model::Direction direction) const;
        std::int64_t in(model::Role role, std::int64_t otherwise = 0) const;
        std::int64_t out(model::Role role, std::int64_t otherwise = 0) const;
        std::uint64_t bytes(const model::Execution& execution,
                            model::Role count,
                            model::Role type) const;
    };

    Thread& thread(int number);
    void leave_until(Thread& thread, std::uint64_t time);
    void write(Thread& thread, const Item& item);
    void write_window(Thread& thread, const Item& item);
    void enter(Thread& thread, const Context& context);
    void message(Thread& thread, const Context& context, OpenCall& open);
    void send(Thread& thread, const Context& context, std::int64_t tag);
    void start(Thread& thread, std::int64_t id, const Request& request);
    void receive_asked(Thread& thread, const Context& context, std::uint64_t id);
    void completion(const Context& context, OpenCall& open);
    void collective(Thread& thread, const Context& context, OpenCall& open);
    void access(Thread& thread, const Context& context, OpenCall& open);
    void synchronize(Thread& thread, const Context& context, OpenCall& open);
    Item received(const Context& context, const std::int64_t* status) const;
    std::string arguments(const Context& context) const;
    OTF2_RmaWinRef window(std::int64_t id) const;

    const model::Execution& execution_;
    const std::vector<analysis::CallKind>& kinds_;
    OtfDefinitions& definitions_;
    OTF2_Archive* archive_;
    model::ProcessId process_;
    OtfStatus& status_;
    OTF2_AttributeList* attributes_;
    std::map<int, Thread> threads_;
    std::map<std::int64_t, Request> requests_;
    std::map<std::int64_t, std::vector<std::uint64_t>> accesses_;  ///< by window, open ones
    std::uint64_t next_access_ = 0;
};

}  // namespace mqinspect::trace_io
