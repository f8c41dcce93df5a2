/// The OTF2 events of one process as calls of a record log.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <otf2/otf2.h>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "trace_io/log_writer.h"
#include "trace_io/otf2/archive_reader.h"

namespace mqinspect::trace_io {

/// A function of the user, or a place in one; numbered for the whole archive.
struct ImportedFrame {
    std::string function;
    std::string file;
    std::int64_t line = 0;

    friend bool operator<(const ImportedFrame& left, const ImportedFrame& right) {
        return std::tie(left.function, left.file, left.line) <
               std::tie(right.function, right.file, right.line);
    }
};

/// Of what an archive may say; a receive of which nothing is known has room for that.
inline constexpr std::uint64_t kMostMessageBytes = std::uint64_t{1} << 40;

using ImportedParameter = std::tuple<const char*, model::ParameterKind, model::Direction>;
using ImportedParameters = std::vector<ImportedParameter>;

/// Of messages of which not even the size is known.
inline constexpr std::int64_t kUnknownDatatype = 1;

/// When an imported run begins, in nanoseconds of the epoch: archives need not say.
inline constexpr std::uint64_t kImportStart = 1'000'000'000;

class ImportedFrames {
public:
    std::int64_t number(const ImportedFrame& frame);
    /// By number.
    std::vector<ImportedFrame> all() const;

private:
    std::map<ImportedFrame, std::int64_t> numbers_;
};

/// Our attributes, as the archive numbers them.
struct ImportedAttributes {
    explicit ImportedAttributes(const ReadDefinitions& definitions);

    OTF2_AttributeRef stack = OTF2_UNDEFINED_ATTRIBUTE;
    OTF2_AttributeRef arguments = OTF2_UNDEFINED_ATTRIBUTE;
    OTF2_AttributeRef source = OTF2_UNDEFINED_ATTRIBUTE;
    OTF2_AttributeRef tag = OTF2_UNDEFINED_ATTRIBUTE;
    OTF2_AttributeRef communicator = OTF2_UNDEFINED_ATTRIBUTE;
    OTF2_AttributeRef bytes = OTF2_UNDEFINED_ATTRIBUTE;
    OTF2_AttributeRef results = OTF2_UNDEFINED_ATTRIBUTE;
    OTF2_AttributeRef operation = OTF2_UNDEFINED_ATTRIBUTE;
    OTF2_AttributeRef root = OTF2_UNDEFINED_ATTRIBUTE;
    OTF2_AttributeRef request = OTF2_UNDEFINED_ATTRIBUTE;
};

/// An event of an operation inside of a call.
struct ImportedEvent {
    enum class Kind {
        Send,
        Isend,
        SendDone,
        ReceiveAsked,
        Receive,
        ReceiveDone,
        Cancelled,
        Tested,
        CollectiveEnd,
        CollectiveAsked,
        CollectiveDone,
        CommCreate,
        WinCreate,
        WinDestroy,
        WinCollectiveEnd,
        GroupSync,
        Lock,
        Unlock,
        Access,
        AccessDone,
    };
    Kind kind = Kind::Send;
    std::int64_t peer = 0;  ///< of a collective operation its root
    OTF2_CommRef communicator = OTF2_UNDEFINED_COMM;
    std::int64_t tag = 0;  ///< of Lock the OTF2_LockType, of GroupSync the OTF2_RmaSyncLevel
    std::uint64_t bytes = 0;
    std::uint64_t request = 0;  ///< of Access and AccessDone the matching id
    OTF2_RmaWinRef window = OTF2_UNDEFINED_RMA_WIN;
    OTF2_GroupRef group = OTF2_UNDEFINED_GROUP;
    OTF2_CollectiveOp op = OTF2_COLLECTIVE_OP_BARRIER;
    /// Of a receive that is complete: the source and the tag that it asked for, if they are told.
    std::optional<std::pair<std::int64_t, std::int64_t>> asked = std::nullopt;
};

class ProcessImport {
public:
    ProcessImport(const ReadDefinitions& definitions,
                  const ImportedAttributes& attributes,
                  const std::vector<OTF2_LocationRef>& ranks,
                  std::int64_t rank,
                  ImportedFrames& frames,
                  const std::string& path);

    void begin_thread(std::uint32_t thread);
    /// In the order of time; OTF2's timestamps.
    void enter(std::uint64_t time, OTF2_RegionRef region, OTF2_AttributeList* attributes);
    void leave(std::uint64_t time, OTF2_RegionRef region, OTF2_AttributeList* attributes);
    void add(std::uint64_t time, ImportedEvent event);
    void receive_asked(std::uint64_t time, std::uint64_t request, OTF2_AttributeList* attributes);
    void collective_asked(std::uint64_t time,
                          std::uint64_t request,
                          OTF2_AttributeList* attributes);
    void received(std::uint64_t time, ImportedEvent event, OTF2_AttributeList* attributes);
    /// What our own export has told by a parameter.
    void tell(std::uint64_t time,
              OTF2_ParameterRef parameter,
              OTF2_StringRef text,
              OTF2_AttributeList* attributes);
    void access(std::uint64_t time, ImportedEvent event, OTF2_AttributeList* attributes);
    /// Of a first walk through the events of the thread: how an operation will end.
    void will_complete(std::uint64_t request, const ImportedEvent& event);
    void end_thread();
    Result<Done> finish();

private:
    struct ToldEvent {
        std::uint64_t time = 0;
        OTF2_StringRef text = OTF2_UNDEFINED_STRING;
        std::int64_t stack = 0;
    };
    struct Call {
        std::string name;
        std::uint64_t enter = 0;
        std::int64_t stack = 0;
        std::vector<ImportedEvent> events;
        OTF2_StringRef arguments = OTF2_UNDEFINED_STRING;  ///< as our own export keeps them
        OTF2_StringRef results = OTF2_UNDEFINED_STRING;
        bool returned = false;
        std::uint64_t leave = 0;  ///< if it has returned
        std::vector<ToldEvent> told;
        std::vector<Call> inside;  ///< that a function of the user's has made during this one
    };
    struct Completion {
        std::int64_t request = 0;
        LoggedList status;
    };
    using Values = std::map<std::string, LoggedValue, std::less<>>;

    void define_process();
    void define_communicators();
    void define_communicator(std::int64_t id, OTF2_CommRef self, const ReadCommunicator& read);
    void define_windows();
    std::int64_t communicator(OTF2_CommRef self) const;
    std::int64_t window(OTF2_RmaWinRef self) const;
    std::int64_t procedure(const std::string& name, const ImportedParameters& parameters);
    std::int64_t stack_of(OTF2_AttributeList* attributes);
    std::int64_t define_stack(const std::vector<std::int64_t>& frames);
    std::uint64_t nanoseconds(std::uint64_t time) const;
    bool is_call_of_user(std::string_view name) const;
    void end_call();
    void write(Call call, std::uint64_t leave);
    void write(const Call& call,
               const std::string& name,
               const ImportedParameters& parameters,
               const Values& values,
               std::uint64_t leave);
    static bool leaves_handle(const Values& values);
    bool knows_communicators(const Call& call) const;
    bool write_message(Call& call, std::string_view name, std::uint64_t leave);
    void write_blocking_send(Call& call, std::uint64_t leave);
    bool write_nonblocking_send(Call& call, std::uint64_t leave);
    bool write_receive(Call& call, bool nonblocking, std::uint64_t leave);
    void write_exchange(Call& call, bool replaces, std::uint64_t leave);
    bool write_completion(Call& call, std::string_view name, std::uint64_t leave);
    std::optional<Completion> completed_by(const ImportedEvent& event);
    void write_completed(const Call& call,
                         std::string_view name,
                         std::span<const Completion> completions,
                         std::uint64_t leave);
    void write_fruitless(const Call& call,
                         std::string_view name,
                         LoggedList tested,
                         std::uint64_t leave);
    bool write_collective(const Call& call, std::string_view name, std::uint64_t leave);
    bool write_nonblocking_collective(Call& call, std::uint64_t leave);
    bool write_window(const Call& call, std::string_view name, std::uint64_t leave);
    bool write_access(const Call& call, std::string_view name, std::uint64_t leave);
    bool take_window(const Call& call, std::string_view name, Values& values) const;
    bool take_group(const ImportedEvent& event, Values& values) const;
    bool write_told(Call& call, std::string_view name, std::uint64_t leave);
    std::int64_t write_told(const ToldEvent& event);
    bool take_told(const ImportedParameters& parameters, OTF2_StringRef told, Values& values) const;
    void take_results(const ImportedParameters& parameters, OTF2_StringRef told, Values& values);
    std::int64_t define_file(std::int64_t exported, const Values& arguments);
    void take_sizes(const Call& call, Values& values);
    bool write_unfinished(Call& call, std::string_view name);
    std::optional<std::int64_t> number_of(model::ParameterKind kind, std::int64_t exported) const;
    void write_event(const Call& call, const ImportedEvent& event, std::uint64_t time);
    void take_send(Values& values, const ImportedEvent& event, const char* tag);
    void take_receive(Values& values, const ImportedEvent& event, const char* tag);
    std::int64_t new_request(std::uint64_t request);
    std::int64_t buffer(std::uint64_t bytes);
    std::optional<ImportedEvent> take_event(Call& call, ImportedEvent::Kind kind) const;
    std::optional<ImportedEvent> take_completion(std::uint64_t request, ImportedEvent::Kind kind);

    const ReadDefinitions& definitions_;
    const ImportedAttributes& attributes_;
    const std::vector<OTF2_LocationRef>& ranks_;
    std::int64_t rank_;
    ImportedFrames& frames_;
    LogWriter log_;
    std::map<OTF2_CommRef, std::int64_t> communicators_;
    std::map<OTF2_RmaWinRef, std::int64_t> windows_;
    std::map<std::pair<std::string, std::size_t>, std::int64_t> procedures_;  ///< parameters
    std::map<std::vector<std::int64_t>, std::int64_t> stacks_;
    std::map<OTF2_CallingContextRef, std::int64_t> context_stacks_;  ///< known already
    std::map<std::uint64_t, std::int64_t> requests_;  ///< open ones, by the archive's number
    std::map<std::uint64_t, std::deque<ImportedEvent>> completions_;  ///< in their order
    std::map<std::uint64_t, std::int64_t> messages_;                  ///< of matched probes
    std::map<std::int64_t, std::int64_t> files_;                      ///< by the archive's number
    std::map<std::uint64_t, std::int64_t> targets_;           ///< of accesses, by matching id
    std::map<std::uint64_t, std::uint64_t> access_requests_;  ///< of MPI_Rput, by matching id
    bool untold_epochs_ = false;  ///< the archive does not say when windows may be accessed
    std::int64_t next_request_ = 0;
    std::int64_t next_buffer_ = std::int64_t{1} << 40;
    std::uint64_t last_ns_ = 0;
    std::set<std::int64_t> error_codes_;  ///< that are defined
    bool says_ends_ = false;              ///< how a process ends is among the events
    bool initialized_ = false;
    // Of the thread that is being read.
    std::uint32_t thread_ = 0;
    std::vector<OTF2_RegionRef> regions_;  ///< of the user, and of MPI inside of MPI
    std::vector<Call> calls_;              ///< open ones, the outermost first
    std::size_t left_out_ = 0;             ///< regions of MPI that are open inside of the last one
    std::vector<Call> inside_;             ///< of the call that is being written
};

}  // namespace mqinspect::trace_io
