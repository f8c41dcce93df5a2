/// The calls of one recorded process as OTF2 events.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <otf2/otf2.h>
#include <string>
#include <string_view>
#include <utility>
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
            CommCreate,
            CommDestroy,
            WindowCreate,
            WindowDestroy,
            WindowCollectiveEnd,
            WindowGroupSync,
            WindowLock,
            WindowUnlock,
            AccessComplete,
            AccessCompleteRemote,
        } kind = Kind::Receive;
        std::uint32_t peer = 0;  ///< a rank
        OTF2_CommRef communicator = OTF2_UNDEFINED_COMM;
        std::uint32_t tag = 0;
        std::uint64_t bytes = 0;
        std::uint64_t received = 0;
        std::int64_t source = 0;  ///< of a receive: what it asked for
        std::int64_t asked_tag = 0;
        bool wildcard = false;
        std::uint64_t request = 0;  ///< of an access its number
        OTF2_RmaWinRef window = OTF2_UNDEFINED_RMA_WIN;
        OTF2_GroupRef group = OTF2_UNDEFINED_GROUP;
        OTF2_RmaSyncLevel level = OTF2_RMA_SYNC_LEVEL_PROCESS;
        OTF2_CollectiveOp op = OTF2_COLLECTIVE_OP_BARRIER;
    };
    struct OpenCall {
        OTF2_RegionRef region = 0;
        std::uint64_t leave = 0;
        bool returned = false;
        std::uint64_t leave_event = 0;
        OTF2_StringRef refused = OTF2_UNDEFINED_STRING;  ///< what MPI says of the call
        OTF2_StringRef results = OTF2_UNDEFINED_STRING;  ///< an attribute of the return
        std::vector<Item> items;
    };
    struct Thread {
        OTF2_EvtWriter* writer = nullptr;
        WrittenLocation location;
        std::uint64_t last = 0;
        std::vector<OpenCall> open;
        std::deque<const model::RecordedEvent*> events;  ///< that are not written
    };
    struct Request {
        bool send = false;
        bool receive = false;
        bool persistent = false;
        bool collective = false;
        std::optional<std::uint64_t> access;          ///< of MPI_Rput and its kin its number
        OTF2_StringRef name = OTF2_UNDEFINED_STRING;  ///< of a collective operation
        std::int64_t root = 0;
        Item operation;  ///< a send, or a collective one
        Item asked;      ///< a receive
    };
    /// An operation of one-sided communication that is not complete.
    struct Access {
        std::uint64_t number = 0;
        std::int64_t target = 0;
        bool complete = false;  ///< at the origin
    };
    struct Window {
        std::vector<Access> accesses;
        OTF2_GroupRef started = OTF2_UNDEFINED_GROUP;
        OTF2_GroupRef posted = OTF2_UNDEFINED_GROUP;
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
    void write_events(Thread& thread, std::uint64_t before);
    void write_text(Thread& thread, OTF2_StringRef text);
    std::string text_of(std::string_view word, std::int64_t code, const std::string& text) const;
    OTF2_StringRef refused(const model::RecordedCall& call);
    void write(Thread& thread, const Item& item);
    void write_window(Thread& thread, const Item& item);
    void enter(Thread& thread, const Context& context);
    void message(Thread& thread, const Context& context, OpenCall& open);
    void send(Thread& thread, const Context& context, std::int64_t tag);
    void start(Thread& thread, std::int64_t id, const Request& request);
    void describe_send(const Context& context, Request& request) const;
    void describe_receive(const Context& context, Request& request);
    static std::uint64_t number_of_receive(std::int64_t id, const Request& request);
    void completion(const Context& context, OpenCall& open);
    void tested(const Context& context, OpenCall& open) const;
    void collective(Thread& thread, const Context& context, OpenCall& open);
    void nonblocking(Thread& thread, const Context& context, const Item& operation);
    void end_of_communicator(const Context& context, const Item& end, OpenCall& open) const;
    void matched(const Context& context, Item& item);
    void access(Thread& thread, const Context& context);
    void write_access(Thread& thread, const Context& context, const Access& access);
    void window_collective(Thread& thread, const Context& context, OpenCall& open);
    void synchronize(Thread& thread, const Context& context, OpenCall& open);
    void group_sync(const Context& context, OpenCall& open);
    void complete_accesses(const Context& context, OpenCall& open);
    void complete_access(const Item& completion);
    Item received(const Context& context, const std::int64_t* status) const;
    static bool keeps_arguments(const Context& context);
    void append(std::string& text,
                const model::Parameter& parameter,
                const model::Value& value) const;
    std::pair<std::int64_t, std::int64_t> known_request(std::int64_t id) const;
    OTF2_StringRef arguments(const Context& context);
    OTF2_StringRef results(const Context& context);
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
    std::map<std::int64_t, OTF2_CommRef> messages_;  ///< where matched probes have found them
    std::map<OTF2_RmaWinRef, Window> windows_;
    std::uint64_t next_access_ = 0;
};

}  // namespace mqinspect::trace_io
