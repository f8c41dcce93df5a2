#include "trace_io/otf2/definitions.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "trace_io/otf2/collectives.h"

namespace mqinspect::trace_io {
namespace {

using analysis::Action;
using analysis::Pattern;

bool is_known(const std::vector<model::ProcessId>& members) {
    return std::ranges::none_of(members, [](model::ProcessId each) { return each.value < 0; });
}

std::vector<std::uint64_t> numbers_of(const std::vector<model::ProcessId>& members) {
    std::vector<std::uint64_t> numbers;
    numbers.reserve(members.size());
    for (const model::ProcessId each : members)
        numbers.push_back(each.index());
    return numbers;
}

/// The keys of a map from things to their numbers, by number: readers want definitions in order.
template <class Key, class Number>
std::vector<const Key*> in_order(const std::map<Key, Number>& numbers, Number first = 0) {
    std::vector<const Key*> keys(numbers.size());
    for (const auto& [key, number] : numbers)
        keys[number - first] = &key;
    return keys;
}

}  // namespace

OtfDefinitions::OtfDefinitions(const model::Execution& execution,
                               const std::vector<analysis::CallKind>& kinds,
                               const std::vector<std::vector<model::Frame>>& stacks)
    : execution_(execution), kinds_(kinds), first_group_(groups_of_communicators()) {
    text("");
    for (const auto& stack : stacks)
        add_stack(stack);
}

OTF2_StringRef OtfDefinitions::text(const std::string& text) {
    return texts_.emplace(text, static_cast<OTF2_StringRef>(texts_.size())).first->second;
}

OTF2_CallingContextRef OtfDefinitions::add_context(const model::Frame& frame,
                                                   OTF2_CallingContextRef parent) {
    const std::string name = frame.function.empty() ? "??" : frame.function;
    text(name);
    text(frame.location.file);
    const auto first_function = static_cast<OTF2_RegionRef>(execution_.procedures.size());
    const auto region =
        functions_
            .emplace(std::pair(name, frame.location.file),
                     first_function + static_cast<OTF2_RegionRef>(functions_.size()))
            .first->second;
    OTF2_SourceCodeLocationRef place = OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
    if (frame.location.line > 0) {
        place = places_
                    .emplace(std::pair(frame.location.file, frame.location.line),
                             static_cast<OTF2_SourceCodeLocationRef>(places_.size()))
                    .first->second;
    }
    return contexts_
        .emplace(Context{region, place, parent},
                 static_cast<OTF2_CallingContextRef>(contexts_.size()))
        .first->second;
}

void OtfDefinitions::add_stack(const std::vector<model::Frame>& frames) {
    OTF2_CallingContextRef context = OTF2_UNDEFINED_CALLING_CONTEXT;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
        context = add_context(*frame, context);
    of_stack_.push_back(context);
}

OTF2_CallingContextRef OtfDefinitions::context(model::StackId stack) const {
    return stack.value >= 0 && stack.index() < of_stack_.size() ? of_stack_[stack.index()]
                                                                : OTF2_UNDEFINED_CALLING_CONTEXT;
}

OTF2_CommRef OtfDefinitions::communicator(std::int64_t id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= execution_.communicators.size())
        return OTF2_UNDEFINED_COMM;
    const auto& communicator = execution_.communicators[static_cast<std::size_t>(id)];
    const bool known = is_known(communicator.members) && is_known(communicator.remote_members);
    return known ? static_cast<OTF2_CommRef>(id) : OTF2_UNDEFINED_COMM;
}

bool OtfDefinitions::has_events(OTF2_CommRef communicator) const {
    if (communicator == OTF2_UNDEFINED_COMM) return false;
    const std::string_view maker = execution_.communicators[communicator].constructor;
    return maker.starts_with("MPI_") &&
           collective_op(maker.substr(4)) == OTF2_COLLECTIVE_OP_CREATE_HANDLE;
}

// That of all locations, then one or two of each communicator.
OTF2_GroupRef OtfDefinitions::groups_of_communicators() const {
    OTF2_GroupRef groups = 1;
    for (const model::RecordedCommunicator& each : execution_.communicators) {
        if (communicator(each.id.value) == OTF2_UNDEFINED_COMM) continue;
        groups += each.inter ? 2 : 1;
    }
    return groups;
}

OTF2_GroupRef OtfDefinitions::group(std::span<const std::int64_t> members) {
    std::vector<std::uint64_t> known;
    for (const std::int64_t member : members) {
        if (member < 0) return OTF2_UNDEFINED_GROUP;
        known.push_back(static_cast<std::uint64_t>(member));
    }
    const auto next = first_group_ + static_cast<OTF2_GroupRef>(groups_.size());
    return groups_.emplace(std::move(known), next).first->second;
}

OTF2_RegionRole OtfDefinitions::role_of(std::size_t procedure) const {
    const analysis::CallKind& kind = kinds_[procedure];
    switch (kind.action) {
        case Action::Send:
        case Action::Receive:
        case Action::SendReceive:
        case Action::SendReceiveReplace:
        case Action::MatchedReceive:
            return OTF2_REGION_ROLE_POINT2POINT;
        case Action::Collective:
            break;
        default:
            return OTF2_REGION_ROLE_FUNCTION;
    }
    if (kind.name == "Barrier" || kind.name == "Ibarrier") return OTF2_REGION_ROLE_BARRIER;
    switch (kind.pattern) {
        case Pattern::Broadcast:
        case Pattern::Scatter:
        case Pattern::Scatterv:
            return OTF2_REGION_ROLE_COLL_ONE2ALL;
        case Pattern::Gather:
        case Pattern::Gatherv:
            return OTF2_REGION_ROLE_COLL_ALL2ONE;
        case Pattern::Reduce:
            return kind.rooted ? OTF2_REGION_ROLE_COLL_ALL2ONE : OTF2_REGION_ROLE_COLL_ALL2ALL;
        case Pattern::None:
        case Pattern::Neighbor:
            return OTF2_REGION_ROLE_COLL_OTHER;
        default:
            return OTF2_REGION_ROLE_COLL_ALL2ALL;
    }
}

void OtfDefinitions::write_places() {
    const auto region = [&](OTF2_RegionRef self,
                            const std::string& name,
                            const std::string& file,
                            OTF2_RegionRole role,
                            OTF2_Paradigm paradigm) {
        put(OTF2_GlobalDefWriter_WriteRegion,
            self,
            text(name),
            text(name),
            text(""),
            role,
            paradigm,
            OTF2_REGION_FLAG_NONE,
            text(file),
            0U,
            0U);
    };
    for (std::size_t at = 0; at < execution_.procedures.size(); ++at) {
        region(static_cast<OTF2_RegionRef>(at),
               execution_.procedures[at].name,
               "",
               role_of(at),
               OTF2_PARADIGM_MPI);
    }
    auto next = static_cast<OTF2_RegionRef>(execution_.procedures.size());
    for (const auto* function : in_order(functions_, next)) {
        region(next++,
               function->first,
               function->second,
               OTF2_REGION_ROLE_FUNCTION,
               OTF2_PARADIGM_COMPILER);
    }
    OTF2_SourceCodeLocationRef place = 0;
    for (const auto* each : in_order(places_)) {
        put(OTF2_GlobalDefWriter_WriteSourceCodeLocation,
            place++,
            text(each->first),
            static_cast<std::uint32_t>(each->second));
    }
    OTF2_CallingContextRef context = 0;
    for (const Context* each : in_order(contexts_)) {
        put(OTF2_GlobalDefWriter_WriteCallingContext,
            context++,
            each->region,
            each->place,
            each->parent);
    }
}

void OtfDefinitions::write_locations() {
    std::map<std::string, OTF2_SystemTreeNodeRef> hosts;
    put(OTF2_GlobalDefWriter_WriteSystemTreeNode,
        OTF2_SystemTreeNodeRef{0},
        text("job"),
        text("machine"),
        OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (const model::RecordedProcess& process : execution_.processes) {
        const auto node = static_cast<OTF2_SystemTreeNodeRef>(hosts.size() + 1);
        if (hosts.emplace(process.host, node).second) {
            put(OTF2_GlobalDefWriter_WriteSystemTreeNode,
                node,
                text(process.host),
                text("node"),
                OTF2_SystemTreeNodeRef{0});
        }
        const bool several = execution_.processes.back().world != 0;
        const std::string world = several ? " of world " + std::to_string(process.world) : "";
        put(OTF2_GlobalDefWriter_WriteLocationGroup,
            static_cast<OTF2_LocationGroupRef>(process.id.value),
            text("MPI Rank " + std::to_string(process.rank.value) + world),
            OTF2_LOCATION_GROUP_TYPE_PROCESS,
            hosts[process.host],
            OTF2_UNDEFINED_LOCATION_GROUP);
    }
    for (const WrittenLocation& location : locations_) {
        put(OTF2_GlobalDefWriter_WriteLocation,
            location.location,
            text(location.thread == 0 ? "Master thread"
                                      : "Thread " + std::to_string(location.thread)),
            OTF2_LOCATION_TYPE_CPU_THREAD,
            location.events,
            static_cast<OTF2_LocationGroupRef>(location.process));
    }
}

void OtfDefinitions::write_communicators() {
    OTF2_GroupRef groups = 0;
    const auto group = [&](OTF2_GroupType type, const std::vector<std::uint64_t>& members) {
        put(OTF2_GlobalDefWriter_WriteGroup,
            groups,
            text(""),
            type,
            OTF2_PARADIGM_MPI,
            OTF2_GROUP_FLAG_NONE,
            static_cast<std::uint32_t>(members.size()),
            members.data());
        return groups++;
    };
    std::vector<std::uint64_t> main_threads;
    for (const model::RecordedProcess& process : execution_.processes)
        main_threads.push_back(process.id.index());
    group(OTF2_GROUP_TYPE_COMM_LOCATIONS, main_threads);
    for (const model::RecordedCommunicator& communicator : execution_.communicators) {
        const OTF2_CommRef self = this->communicator(communicator.id.value);
        if (self == OTF2_UNDEFINED_COMM) continue;
        const OTF2_CommRef parent = communicator.parent
                                        ? this->communicator(communicator.parent->value)
                                        : OTF2_UNDEFINED_COMM;
        const OTF2_CommFlag flags =
            has_events(self) ? OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS : OTF2_COMM_FLAG_NONE;
        const OTF2_GroupRef members =
            group(OTF2_GROUP_TYPE_COMM_GROUP, numbers_of(communicator.members));
        if (!communicator.inter) {
            put(OTF2_GlobalDefWriter_WriteComm,
                self,
                text(communicator.name),
                members,
                parent,
                flags);
            continue;
        }
        const OTF2_GroupRef remote =
            group(OTF2_GROUP_TYPE_COMM_GROUP, numbers_of(communicator.remote_members));
        put(OTF2_GlobalDefWriter_WriteInterComm,
            self,
            text(communicator.name),
            members,
            remote,
            OTF2_UNDEFINED_COMM,
            flags);
    }
    for (const auto* members : in_order(groups_, groups))
        group(OTF2_GROUP_TYPE_COMM_GROUP, *members);
    for (std::size_t at = 0; at < execution_.windows.size(); ++at) {
        put(OTF2_GlobalDefWriter_WriteRmaWin,
            static_cast<OTF2_RmaWinRef>(at),
            text(execution_.windows[at].kind),
            communicator(execution_.windows[at].communicator.value),
            OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
    }
}

void OtfDefinitions::write_all(std::uint64_t last_time) {
    constexpr std::uint64_t nanoseconds = 1'000'000'000;
    put(OTF2_GlobalDefWriter_WriteClockProperties,
        nanoseconds,
        std::uint64_t{0},
        last_time + 1,
        OTF2_UNDEFINED_TIMESTAMP);
    put(OTF2_GlobalDefWriter_WriteParadigm,
        OTF2_PARADIGM_MPI,
        text("MPI"),
        OTF2_PARADIGM_CLASS_PROCESS);
    const auto attribute = [&](OTF2_AttributeRef self, const char* name, OTF2_Type type) {
        put(OTF2_GlobalDefWriter_WriteAttribute, self, text(name), text(""), type);
    };
    attribute(kStackRef, kStackAttribute, OTF2_TYPE_CALLING_CONTEXT);
    attribute(kArgumentsRef, kArgumentsAttribute, OTF2_TYPE_STRING);
    attribute(kSourceRef, kSourceAttribute, OTF2_TYPE_INT64);
    attribute(kTagRef, kTagAttribute, OTF2_TYPE_INT64);
    attribute(kCommunicatorRef, kCommunicatorAttribute, OTF2_TYPE_COMM);
    attribute(kBytesRef, kBytesAttribute, OTF2_TYPE_UINT64);
    attribute(kResultsRef, kResultsAttribute, OTF2_TYPE_STRING);
    attribute(kOperationRef, kOperationAttribute, OTF2_TYPE_STRING);
    attribute(kRootRef, kRootAttribute, OTF2_TYPE_INT64);
    attribute(kRequestRef, kRequestAttribute, OTF2_TYPE_UINT64);
    put(OTF2_GlobalDefWriter_WriteParameter,
        kEventRef,
        text(kEventParameter),
        OTF2_PARAMETER_TYPE_STRING);
    write_places();
    write_locations();
    write_communicators();
}

void OtfDefinitions::write(OTF2_GlobalDefWriter* writer,
                           std::uint64_t last_time,
                           OtfStatus& status) {
    // Readers want to know each text before its first use: the first pass only collects them.
    status_ = &status;
    write_all(last_time);
    writer_ = writer;
    OTF2_StringRef self = 0;
    for (const std::string* each : in_order(texts_))
        put(OTF2_GlobalDefWriter_WriteString, self++, each->c_str());
    write_all(last_time);
}

}  // namespace mqinspect::trace_io
