/// The OTF2 events of one process as calls of a record log.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <otf2/otf2.h>
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

using ImportedParameters =
    std::vector<std::tuple<const char*, model::ParameterKind, model::Direction>>;

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
};

/// An event of a message or a collective operation inside of a call.
struct ImportedEvent {
    enum class Kind { Send, Isend, SendDone, ReceiveAsked, Receive, ReceiveDone, Cancelled, End };
    Kind kind = Kind::Send;
    std::int64_t peer = 0;
    OTF2_CommRef communicator = OTF2_UNDEFINED_COMM;
    std::int64_t tag = 0;
    std::uint64_t bytes = 0;
    std::uint64_t request = 0;
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
    void leave(std::uint64_t time, OTF2_RegionRef region);
    void add(std::uint64_t time, ImportedEvent event);
    void receive_asked(std::uint64_t time, std::uint64_t request, OTF2_AttributeList* attributes);
    /// Of a first walk through the events of the thread: how a receive will end.
    void will_complete(std::uint64_t request, const ImportedEvent& event);
    void end_thread();
    Result<Done> finish();

private:
    struct Call {
        std::string name;
        std::uint64_t enter = 0;
        std::int64_t stack = 0;
        std::vector<ImportedEvent> events;
        std::string arguments;  ///< of one that has not returned
        bool returned = false;
    };
    using Values = std::map<std::string, LoggedValue, std::less<>>;

    void define_process();
    void define_communicators();
    void define_communicator(std::int64_t id, OTF2_CommRef self, const ReadCommunicator& read);
    std::int64_t communicator(OTF2_CommRef self) const;
    std::int64_t procedure(const std::string& name, const ImportedParameters& parameters);
    std::int64_t stack_of(OTF2_AttributeList* attributes);
    std::int64_t define_stack(const std::vector<std::int64_t>& frames);
    std::uint64_t nanoseconds(std::uint64_t time) const;
    void write(Call call, std::uint64_t leave);
    void write(const Call& call,
               const std::string& name,
               const ImportedParameters& parameters,
               const Values& values,
               std::uint64_t leave);
    bool write_message(Call& call, std::string_view name, std::uint64_t leave);
    void write_blocking_send(Call& call, std::uint64_t leave);
    bool write_nonblocking_send(Call& call, std::uint64_t leave);
    bool write_receive(Call& call, bool nonblocking, std::uint64_t leave);
    void write_exchange(Call& call, std::uint64_t leave);
    bool write_completion(Call& call, std::string_view name, std::uint64_t leave);
    bool write_collective(const Call& call, std::string_view name, std::uint64_t leave);
    bool write_unfinished(const Call& call, std::string_view name);
    std::int64_t number_of(model::ParameterKind kind, std::int64_t exported) const;
    void write_event(const Call& call, const ImportedEvent& event, std::uint64_t time);
    void take_send(Values& values, const ImportedEvent& event, const char* tag);
    void take_receive(Values& values, const ImportedEvent& event, const char* tag);
    std::int64_t new_request(std::uint64_t request);
    std::int64_t buffer(std::uint64_t bytes);
    std::optional<ImportedEvent> take_event(Call& call, ImportedEvent::Kind kind) const;

    const ReadDefinitions& definitions_;
    const ImportedAttributes& attributes_;
    const std::vector<OTF2_LocationRef>& ranks_;
    std::int64_t rank_;
    ImportedFrames& frames_;
    LogWriter log_;
    std::map<OTF2_CommRef, std::int64_t> communicators_;
    std::map<std::string, std::int64_t> procedures_;
    std::map<std::vector<std::int64_t>, std::int64_t> stacks_;
    std::map<OTF2_CallingContextRef, std::int64_t> context_stacks_;  ///< known already
    std::map<std::uint64_t, std::int64_t> requests_;  ///< open ones, by the archive's number
    std::map<std::uint64_t, std::deque<ImportedEvent>> completions_;  ///< in their order
    std::int64_t next_request_ = 0;
    std::int64_t next_buffer_ = std::int64_t{1} << 40;
    std::uint64_t last_ns_ = 0;
    bool initialized_ = false;
    // Of the thread that is being read.
    std::uint32_t thread_ = 0;
    std::vector<OTF2_RegionRef> regions_;  ///< of the user, and of MPI inside of MPI
    std::size_t inside_ = 0;               ///< regions of MPI that are open
    Call call_;
};

}  // namespace mqinspect::trace_io
