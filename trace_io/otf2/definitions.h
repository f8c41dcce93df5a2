/// The global definitions of an OTF2 archive, collected while its events are written.
#pragma once

#include <cstdint>
#include <map>
#include <otf2/otf2.h>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/pairing/call_kind.h"
#include "model/execution.h"
#include "model/job_snapshot.h"

#include "trace_io/otf2/status.h"

namespace mqinspect::trace_io {

/// Names of our own attributes; the importer looks for them.
inline constexpr const char* kStackAttribute = "call stack";
inline constexpr const char* kArgumentsAttribute = "arguments";
inline constexpr const char* kSourceAttribute = "source";
inline constexpr const char* kTagAttribute = "tag";
inline constexpr const char* kCommunicatorAttribute = "communicator";
inline constexpr const char* kBytesAttribute = "bytes";
inline constexpr const char* kResultsAttribute = "results";
inline constexpr const char* kOperationAttribute = "operation";
inline constexpr const char* kRootAttribute = "root";
inline constexpr const char* kRequestAttribute = "request";

inline constexpr OTF2_AttributeRef kStackRef = 0;
inline constexpr OTF2_AttributeRef kArgumentsRef = 1;
inline constexpr OTF2_AttributeRef kSourceRef = 2;
inline constexpr OTF2_AttributeRef kTagRef = 3;
inline constexpr OTF2_AttributeRef kCommunicatorRef = 4;
inline constexpr OTF2_AttributeRef kBytesRef = 5;
inline constexpr OTF2_AttributeRef kResultsRef = 6;
inline constexpr OTF2_AttributeRef kOperationRef = 7;
inline constexpr OTF2_AttributeRef kRootRef = 8;
inline constexpr OTF2_AttributeRef kRequestRef = 9;

/// Whether an argument must be among those that the attribute kArgumentsAttribute keeps: what
/// differs from call to call would make a text of its own for each.
constexpr bool is_kept(model::ParameterKind kind) {
    return kind != model::ParameterKind::Buffer && kind != model::ParameterKind::Count &&
           kind != model::ParameterKind::Datatype;
}

/// The parameter that tells what is neither a call nor an operation, and how its texts begin.
inline constexpr const char* kEventParameter = "event";
inline constexpr OTF2_ParameterRef kEventRef = 0;
inline constexpr std::string_view kErrorWord =
    "error";  ///< code, class, text: a handler was called
inline constexpr std::string_view kReturnedWord = "returned";  ///< code, class, text
inline constexpr std::string_view kExitWord = "exit";          ///< code
inline constexpr std::string_view kAbortWord = "abort";        ///< code
inline constexpr std::string_view kSignalWord = "signal";      ///< number, si_code, address

/// Numbers in our attributes are those of MPICH, whatever MPI library the run was recorded with.
inline constexpr std::int64_t kExclusiveLock = 234;
inline constexpr std::int64_t kSharedLock = 235;
inline constexpr std::pair<const char*, std::int64_t> kAssertions[] = {
    {"MPI_MODE_NOCHECK", 1024},
    {"MPI_MODE_NOSTORE", 2048},
    {"MPI_MODE_NOPUT", 4096},
    {"MPI_MODE_NOPRECEDE", 8192},
    {"MPI_MODE_NOSUCCEED", 16384}};

struct WrittenLocation {
    OTF2_LocationRef location = 0;
    int process = 0;
    int thread = 0;
    std::uint64_t events = 0;
};

/// A communicator has its number in Execution, a procedure too; functions of the user follow.
class OtfDefinitions {
public:
    OtfDefinitions(const model::Execution& execution,
                   const std::vector<analysis::CallKind>& kinds,
                   const std::vector<std::vector<model::Frame>>& stacks);

    OTF2_StringRef text(const std::string& text);
    /// OTF2_UNDEFINED_CALLING_CONTEXT: nothing is known of the stack.
    OTF2_CallingContextRef context(model::StackId stack) const;
    /// OTF2_UNDEFINED_COMM: not all of its members are known.
    OTF2_CommRef communicator(std::int64_t id) const;
    /// True: that it was made and freed is among the events.
    bool has_events(OTF2_CommRef communicator) const;
    /// Of processes, by number. OTF2_UNDEFINED_GROUP: not all of them are known.
    OTF2_GroupRef group(std::span<const std::int64_t> members);
    void add(const WrittenLocation& location) { locations_.push_back(location); }
    const std::vector<WrittenLocation>& locations() const { return locations_; }
    void write(OTF2_GlobalDefWriter* writer, std::uint64_t last_time, OtfStatus& status);

private:
    struct Context {
        OTF2_RegionRef region = 0;
        OTF2_SourceCodeLocationRef place = 0;
        OTF2_CallingContextRef parent = 0;

        friend bool operator<(const Context& left, const Context& right) {
            return std::tie(left.region, left.place, left.parent) <
                   std::tie(right.region, right.place, right.parent);
        }
    };

    void add_stack(const std::vector<model::Frame>& frames);
    OTF2_CallingContextRef add_context(const model::Frame& frame, OTF2_CallingContextRef parent);
    void write_all(std::uint64_t last_time);
    void write_places();
    void write_locations();
    void write_communicators();
    template <class Write, class... Arguments>
    void put(Write function, Arguments... arguments) {
        if (writer_ != nullptr) status_->take(function(writer_, arguments...));
    }
    OTF2_RegionRole role_of(std::size_t procedure) const;
    OTF2_GroupRef groups_of_communicators() const;

    const model::Execution& execution_;
    const std::vector<analysis::CallKind>& kinds_;
    OTF2_GroupRef first_group_;  ///< that is not of a communicator
    std::map<std::string, OTF2_StringRef> texts_;
    std::map<std::pair<std::string, std::string>, OTF2_RegionRef> functions_;  ///< name, file
    std::map<std::pair<std::string, int>, OTF2_SourceCodeLocationRef> places_;
    std::map<Context, OTF2_CallingContextRef> contexts_;
    std::vector<OTF2_CallingContextRef> of_stack_;
    std::vector<WrittenLocation> locations_;
    std::map<std::vector<std::uint64_t>, OTF2_GroupRef> groups_;  ///< of windows
    OTF2_GlobalDefWriter* writer_ = nullptr;
    OtfStatus* status_ = nullptr;
};

}  // namespace mqinspect::trace_io
