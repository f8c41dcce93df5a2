#include "trace_io/otf2/event_import.h"

#include <algorithm>
#include <utility>

#include "model/execution.h"

#include "trace_io/otf2/collectives.h"
#include "trace_io/otf2/definitions.h"

namespace mqinspect::trace_io {
namespace {

using model::DefinitionKind;
using Kind = ImportedEvent::Kind;

// Accesses whose targets are remembered: archives need not say when they are complete.
constexpr std::size_t kMostAccesses = 1 << 16;

OTF2_AttributeRef find_attribute(const ReadDefinitions& definitions, std::string_view name) {
    for (const auto& [self, text] : definitions.attributes)
        if (definitions.text(text) == name) return self;
    return OTF2_UNDEFINED_ATTRIBUTE;
}

/// OTF2_UNDEFINED_STRING: the event has none.
OTF2_StringRef text_of(OTF2_AttributeList* attributes, OTF2_AttributeRef attribute) {
    OTF2_StringRef text = OTF2_UNDEFINED_STRING;
    const bool has = attribute != OTF2_UNDEFINED_ATTRIBUTE &&
                     OTF2_AttributeList_GetStringRef(attributes, attribute, &text) == OTF2_SUCCESS;
    return has ? text : OTF2_UNDEFINED_STRING;
}

}  // namespace

std::int64_t ImportedFrames::number(const ImportedFrame& frame) {
    return numbers_.emplace(frame, static_cast<std::int64_t>(numbers_.size())).first->second;
}

std::vector<ImportedFrame> ImportedFrames::all() const {
    std::vector<ImportedFrame> frames(numbers_.size());
    for (const auto& [frame, number] : numbers_)
        frames[static_cast<std::size_t>(number)] = frame;
    return frames;
}

ImportedAttributes::ImportedAttributes(const ReadDefinitions& definitions)
    : stack(find_attribute(definitions, kStackAttribute)),
      arguments(find_attribute(definitions, kArgumentsAttribute)),
      source(find_attribute(definitions, kSourceAttribute)),
      tag(find_attribute(definitions, kTagAttribute)),
      communicator(find_attribute(definitions, kCommunicatorAttribute)),
      bytes(find_attribute(definitions, kBytesAttribute)),
      results(find_attribute(definitions, kResultsAttribute)),
      operation(find_attribute(definitions, kOperationAttribute)),
      root(find_attribute(definitions, kRootAttribute)),
      request(find_attribute(definitions, kRequestAttribute)) {}

ProcessImport::ProcessImport(const ReadDefinitions& definitions,
                             const ImportedAttributes& attributes,
                             const std::vector<OTF2_LocationRef>& ranks,
                             std::int64_t rank,
                             ImportedFrames& frames,
                             const std::string& path)
    : definitions_(definitions),
      attributes_(attributes),
      ranks_(ranks),
      rank_(rank),
      frames_(frames),
      log_(path, static_cast<std::uint64_t>(rank) + 1, kImportStart) {
    for (const auto& [self, name] : definitions.parameters)
        says_ends_ = says_ends_ || definitions.text(name) == kEventParameter;
    define_process();
    define_communicators();
    define_windows();
    define_stack({});
}

std::int64_t ProcessImport::communicator(OTF2_CommRef self) const {
    const auto found = communicators_.find(self);
    return found == communicators_.end() ? -1 : found->second;
}

std::int64_t ProcessImport::window(OTF2_RmaWinRef self) const {
    const auto found = windows_.find(self);
    return found == windows_.end() ? model::kNullHandle : found->second;
}

std::uint64_t ProcessImport::nanoseconds(std::uint64_t time) const {
    const std::uint64_t ticks = time < definitions_.offset ? 0 : time - definitions_.offset;
    const std::uint64_t seconds = ticks / definitions_.resolution;
    const long double rest =
        static_cast<long double>(ticks % definitions_.resolution) / definitions_.resolution;
    return seconds * 1'000'000'000 + static_cast<std::uint64_t>(rest * 1e9L);
}

void ProcessImport::begin_thread(std::uint32_t thread) {
    thread_ = thread;
    last_ns_ = 0;
    regions_.clear();
    calls_.clear();
    left_out_ = 0;
    completions_.clear();
    log_.define(DefinitionKind::Thread,
                LogFields().number(thread).number(thread).number(thread == 0 ? 1 : 0));
}

void ProcessImport::enter(std::uint64_t time,
                          OTF2_RegionRef region,
                          OTF2_AttributeList* attributes) {
    last_ns_ = std::max(last_ns_, nanoseconds(time));
    const auto found = definitions_.regions.find(region);
    const std::string_view name = found == definitions_.regions.end()
                                      ? std::string_view()
                                      : definitions_.text(found->second.name);
    if (name.starts_with("MPI_") && !is_call_of_user(name)) ++left_out_;
    if (name.starts_with("MPI_") && left_out_ == 0) {
        Call& call = calls_.emplace_back();
        call.name = name;
        call.enter = last_ns_;
        call.stack = stack_of(attributes);
        call.arguments = text_of(attributes, attributes_.arguments);
    }
    regions_.push_back(region);
}

// Not of the MPI library itself, nor once more by another tool.
bool ProcessImport::is_call_of_user(std::string_view name) const {
    const auto is_same = [name](const Call& call) { return call.name == name; };
    const bool starts_or_ends =
        !calls_.empty() &&
        (calls_.front().name.starts_with("MPI_Init") || calls_.front().name == "MPI_Finalize" ||
         calls_.front().name.starts_with("MPI_Session_"));
    return left_out_ == 0 && !starts_or_ends && std::ranges::none_of(calls_, is_same);
}

void ProcessImport::leave(std::uint64_t time,
                          OTF2_RegionRef region,
                          OTF2_AttributeList* attributes) {
    last_ns_ = std::max(last_ns_, nanoseconds(time));
    const auto found = definitions_.regions.find(region);
    const bool is_mpi = found != definitions_.regions.end() &&
                        definitions_.text(found->second.name).starts_with("MPI_");
    if (!regions_.empty()) regions_.pop_back();
    if (!is_mpi || calls_.empty()) return;
    if (left_out_ > 0) {
        --left_out_;
        return;
    }
    calls_.back().returned = true;
    calls_.back().results = text_of(attributes, attributes_.results);
    end_call();
}

// It is written with the outermost one.
void ProcessImport::end_call() {
    Call call = std::move(calls_.back());
    calls_.pop_back();
    call.leave = last_ns_;
    if (calls_.empty()) {
        write(std::move(call), last_ns_);
    } else {
        calls_.back().inside.push_back(std::move(call));
    }
}

void ProcessImport::will_complete(std::uint64_t request, const ImportedEvent& event) {
    completions_[request].push_back(event);
}

void ProcessImport::add(std::uint64_t time, ImportedEvent event) {
    last_ns_ = std::max(last_ns_, nanoseconds(time));
    if (!calls_.empty()) {
        calls_.back().events.push_back(event);
    } else {
        Call call;
        call.stack = define_stack({});
        write_event(call, event, last_ns_);
    }
}

std::optional<ImportedEvent> ProcessImport::take_completion(std::uint64_t request, Kind kind) {
    const auto found = completions_.find(request);
    if (found == completions_.end() || found->second.empty() || found->second.front().kind != kind)
        return std::nullopt;
    const ImportedEvent event = found->second.front();
    found->second.pop_front();
    if (found->second.empty()) completions_.erase(found);
    return event;
}

// What it asked for, if the archive says; else what it got; else it may be anything.
void ProcessImport::receive_asked(std::uint64_t time,
                                  std::uint64_t request,
                                  OTF2_AttributeList* attributes) {
    ImportedEvent event;
    event.kind = Kind::ReceiveAsked;
    event.request = request;
    event.peer = model::kAnySource;
    event.tag = model::kAnyTag;
    event.bytes = kMostMessageBytes;
    if (const auto completion = take_completion(request, Kind::ReceiveDone)) {
        event = *completion;
        event.kind = Kind::ReceiveAsked;
    }
    std::int64_t source = 0;
    std::int64_t tag = 0;
    OTF2_CommRef communicator = OTF2_UNDEFINED_COMM;
    std::uint64_t bytes = 0;
    const bool told =
        attributes_.source != OTF2_UNDEFINED_ATTRIBUTE &&
        OTF2_AttributeList_GetInt64(attributes, attributes_.source, &source) == OTF2_SUCCESS &&
        OTF2_AttributeList_GetInt64(attributes, attributes_.tag, &tag) == OTF2_SUCCESS &&
        OTF2_AttributeList_GetCommRef(attributes, attributes_.communicator, &communicator) ==
            OTF2_SUCCESS &&
        OTF2_AttributeList_GetUint64(attributes, attributes_.bytes, &bytes) == OTF2_SUCCESS;
    if (told) {
        event.peer = source;
        event.tag = tag;
        event.communicator = communicator;
        event.bytes = bytes;
    }
    add(time, event);
}

// Of a blocking receive.
void ProcessImport::received(std::uint64_t time,
                             ImportedEvent event,
                             OTF2_AttributeList* attributes) {
    std::int64_t source = 0;
    std::int64_t tag = 0;
    const bool told =
        attributes_.source != OTF2_UNDEFINED_ATTRIBUTE &&
        OTF2_AttributeList_GetInt64(attributes, attributes_.source, &source) == OTF2_SUCCESS &&
        OTF2_AttributeList_GetInt64(attributes, attributes_.tag, &tag) == OTF2_SUCCESS;
    if (told) event.asked = {source, tag};
    add(time, event);
}

// What it is, if the archive says, or when it is complete; else nobody knows.
void ProcessImport::collective_asked(std::uint64_t time,
                                     std::uint64_t request,
                                     OTF2_AttributeList* attributes) {
    ImportedEvent event;
    event.kind = Kind::CollectiveAsked;
    event.request = request;
    if (const auto completion = take_completion(request, Kind::CollectiveDone)) {
        event = *completion;
        event.kind = Kind::CollectiveAsked;
    }
    const OTF2_StringRef operation = text_of(attributes, attributes_.operation);
    const auto op = collective_op(definitions_.text(operation));
    std::int64_t root = 0;
    OTF2_CommRef communicator = OTF2_UNDEFINED_COMM;
    const bool told =
        op && OTF2_AttributeList_GetInt64(attributes, attributes_.root, &root) == OTF2_SUCCESS &&
        OTF2_AttributeList_GetCommRef(attributes, attributes_.communicator, &communicator) ==
            OTF2_SUCCESS;
    if (told) {
        event.op = *op;
        event.peer = root;
        event.communicator = communicator;
    }
    add(time, event);
}

// Of MPI_Rput and its kin our own export says which request it has.
void ProcessImport::access(std::uint64_t time,
                           ImportedEvent event,
                           OTF2_AttributeList* attributes) {
    if (targets_.size() >= kMostAccesses) targets_.clear();
    targets_[event.request] = event.peer;
    std::uint64_t request = 0;
    if (attributes_.request != OTF2_UNDEFINED_ATTRIBUTE &&
        OTF2_AttributeList_GetUint64(attributes, attributes_.request, &request) == OTF2_SUCCESS)
        access_requests_[event.request] = request;
    add(time, event);
}

void ProcessImport::end_thread() {
    while (!calls_.empty())
        end_call();
    left_out_ = 0;
}

// A tool that has no region for MPI_Finalize in the archive does not follow it.
Result<Done> ProcessImport::finish() {
    const bool tells_ends = std::ranges::any_of(definitions_.regions, [this](const auto& region) {
        return definitions_.text(region.second.name) == "MPI_Finalize";
    });
    if (!tells_ends && !says_ends_)
        log_.event(0, model::EventKind::Limit, last_ns_, LogFields().text("the end of processes"));
    return log_.finish();
}

}  // namespace mqinspect::trace_io
