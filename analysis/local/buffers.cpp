#include "analysis/local/buffers.h"

#include <algorithm>

#include "analysis/datatypes/checked.h"

namespace mqinspect::analysis {

namespace {

using model::DatatypeId;
using model::Role;

constexpr std::string_view kBufferName = "buffer";
constexpr std::string_view kSendName = "send buffer";
constexpr std::string_view kReceiveName = "receive buffer";

/// What a process does in a collective operation with a root.
struct Part {
    bool root = false;
    bool other = false;  ///< of the root's peers; in an intracommunicator the root is both
};

Part part_of(const CallView& view, const CommunicatorShape& shape) {
    const std::int64_t root = view.number(Role::Root);
    if (!shape.inter) return {root == shape.rank && shape.rank >= 0, true};
    if (root == model::kRoot) return {true, false};
    return {false, root != model::kProcNull};
}

class AccessCollector {
public:
    AccessCollector(const CallView& view,
                    const CommunicatorShape& shape,
                    const model::Execution& execution,
                    const Footprints& footprints,
                    std::vector<Access>& accesses)
        : view_(view),
          shape_(shape),
          execution_(execution),
          footprints_(footprints),
          accesses_(accesses) {}

    void collect() {
        using enum BufferRule;
        const bool sends_nothing = is_nobody(Role::Destination) || is_nobody(Role::TargetRank);
        const bool receives_nothing = is_nobody(Role::Source);
        if (view_.local.buffers == SendReceive) {
            if (!sends_nothing) sends(1);
            if (!receives_nothing) receives(1);
            return;
        }
        if (sends_nothing && view_.local.buffers != SendReceiveReplace) return;
        if (receives_nothing && view_.local.buffers != SendReceiveReplace) return;
        switch (view_.local.buffers) {
            case None:
                return;
            case Send:
            case FileWrite:
                return buffer(false, kBufferName);
            case Pack:
                return pack("incount", false);
            case Unpack:
                return pack("outcount", true);
            case Put:
            case Accumulate:
                return buffer(false, "origin buffer");
            case Get:
                return buffer(true, "origin buffer");
            case Receive:
            case SendReceiveReplace:
            case FileRead:
                return buffer(true, kBufferName);
            case PartitionedSend:
                return buffer(false, kBufferName, partitions());
            case PartitionedReceive:
                return buffer(true, kBufferName, partitions());
            case GetAccumulate:
            case FetchAndOp:
            case CompareAndSwap:
                return fetch();
            default:
                return collective();
        }
    }

private:
    /// MPI_PROC_NULL: nothing is sent there, or received from there.
    bool is_nobody(Role role) const {
        const model::Value* const value = view_.in(role);
        return value != nullptr && value->number == model::kProcNull;
    }

    /// MPI_Pack and MPI_Unpack: `count` is of elements of the datatype, the other buffer is of
    /// bytes.
    void pack(std::string_view count, bool unpacks) {
        const model::Value* const elements = view_.named(count);
        const model::Value* const out = view_.named("outbuf");
        if (elements == nullptr || out == nullptr) return;
        const std::int64_t typed = unpacks ? out->number : view_.number(Role::Buffer);
        add(typed,
            elements->number,
            view_.number(Role::Datatype, -1),
            unpacks,
            unpacks ? "output buffer" : "input buffer");
    }

    std::int64_t partitions() const { return view_.number(Role::Partitions); }

    void add(std::int64_t address,
             std::int64_t count,
             std::int64_t type,
             bool writes,
             std::string_view name) {
        if (address == model::kInPlace || count <= 0 || type < 0 || type > INT32_MAX) return;
        const DatatypeId id{static_cast<int>(type)};
        const auto hull = footprints_.hull(address, count, id);
        if (!hull || hull->empty()) return;
        accesses_.push_back({*hull, address, count, id, writes, name});
    }

    void add_times(Role buffer,
                   std::int64_t count,
                   std::int64_t times,
                   Role type,
                   bool writes,
                   std::string_view name) {
        if (const auto all = checked_product(count, times))
            add(view_.number(buffer), *all, view_.number(type, -1), writes, name);
    }

    void buffer(bool writes, std::string_view name, std::int64_t times = 1) {
        add_times(Role::Buffer, view_.number(Role::Count, 1), times, Role::Datatype, writes, name);
    }

    /// `peers`: from or to how many processes, each of the same count.
    void sends(std::int64_t peers) {
        if (!view_.local.is(Role::SendDisplacements)) {
            return add_times(Role::SendBuffer,
                             view_.number(Role::SendCount),
                             peers,
                             Role::SendDatatype,
                             false,
                             kSendName);
        }
        parts(Role::SendBuffer,
              Role::SendCount,
              Role::SendDisplacements,
              Role::SendDatatype,
              false,
              "part of the send buffer");
    }

    void receives(std::int64_t peers) {
        if (!view_.local.is(Role::ReceiveDisplacements)) {
            return add_times(Role::ReceiveBuffer,
                             view_.number(Role::ReceiveCount),
                             peers,
                             Role::ReceiveDatatype,
                             true,
                             kReceiveName);
        }
        parts(Role::ReceiveBuffer,
              Role::ReceiveCount,
              Role::ReceiveDisplacements,
              Role::ReceiveDatatype,
              true,
              "part of the receive buffer");
    }

    /// Counts and displacements for each peer; with a list of datatypes displacements are bytes.
    void parts(Role buffer,
               Role counts,
               Role displacements,
               Role types,
               bool writes,
               std::string_view name) {
        const std::int64_t address = view_.number(buffer);
        const auto count_list = view_.in(counts)->list;
        const auto places = view_.in(displacements)->list;
        const model::Value& type_value = *view_.in(types);
        const bool one_type = type_value.list.empty();
        if (address == model::kInPlace || count_list.size() != places.size()) return;
        if (!one_type && type_value.list.size() != count_list.size()) return;
        std::int64_t unit = 1;
        if (one_type) {
            const model::RecordedDatatype* const type = execution_.datatype(type_value.number);
            if (type == nullptr) return;
            unit = type->extent;
        }
        for (std::size_t i = 0; i < count_list.size(); ++i) {
            const auto start = checked_step(address, places[i], unit);
            if (!start) continue;
            add(*start,
                count_list[i],
                one_type ? type_value.number : type_value.list[i],
                writes,
                name);
        }
    }

    void fetch() {
        const bool counted = view_.local.buffers == BufferRule::GetAccumulate;
        const auto extra = [this](std::string_view name, std::int64_t otherwise) {
            const model::Value* const value = view_.named(name);
            return value != nullptr ? value->number : otherwise;
        };
        const std::int64_t type = view_.number(Role::Datatype, -1);
        if (!ignores_origin(view_, execution_)) buffer(false, "origin buffer");
        add(view_.number(Role::ResultBuffer),
            counted ? extra("result_count", 0) : 1,
            counted ? extra("result_datatype", -1) : type,
            true,
            "result buffer");
        if (view_.local.buffers == BufferRule::CompareAndSwap)
            add(extra("compare_addr", 0), 1, type, false, "compare buffer");
    }

    void collective() {
        using enum BufferRule;
        switch (view_.local.buffers) {
            case Broadcast:
                return broadcast();
            case Gather: {
                const Part part = part_of(view_, shape_);
                if (part.other) sends(1);
                if (part.root) receives(shape_.peers());
                return;
            }
            case Scatter: {
                const Part part = part_of(view_, shape_);
                if (part.root) sends(shape_.peers());
                if (part.other) receives(1);
                return;
            }
            case Allgather:
                sends(1);
                return receives(shape_.peers());
            case Alltoall:
                sends(shape_.peers());
                return receives(shape_.peers());
            case NeighborAllgather:
                sends(shape_.destinations > 0 ? 1 : 0);
                return receives(shape_.sources);
            case NeighborAlltoall:
                sends(shape_.destinations);
                return receives(shape_.sources);
            default:
                return reduction();
        }
    }

    void broadcast() {
        const Part part = part_of(view_, shape_);
        if (part.root || part.other) buffer(!part.root, kBufferName);
    }

    void reduction() {
        using enum BufferRule;
        std::int64_t sent = view_.number(Role::Count);
        std::int64_t received = sent;
        bool sending = true;
        bool receiving = true;
        if (view_.local.buffers == Reduce) {
            const Part part = part_of(view_, shape_);
            sending = part.other;
            receiving = part.root;
        } else if (view_.local.buffers == ReduceScatterBlock) {
            received = view_.number(Role::ReceiveCount);
            const auto all = checked_product(received, shape_.size);
            if (!all) return;
            sent = *all;
        } else if (view_.local.buffers == ReduceScatter) {
            const auto counts = view_.in(Role::ReceiveCount)->list;
            if (shape_.rank < 0 || static_cast<std::size_t>(shape_.rank) >= counts.size()) return;
            received = counts[static_cast<std::size_t>(shape_.rank)];
            for (const std::int64_t count : counts) {
                const auto sum = checked_sum(sent, count);
                if (!sum) return;
                sent = *sum;
            }
        } else if (view_.local.buffers == ReduceLocal) {
            buffer(false, "input buffer");
            const model::Value* const both = view_.named("inoutbuf");
            if (both == nullptr) return;
            return add(both->number,
                       sent,
                       view_.number(Role::Datatype, -1),
                       true,
                       "input and output buffer");
        }
        if (view_.number(Role::SendBuffer) == model::kInPlace) received = std::max(sent, received);
        if (sending) add_times(Role::SendBuffer, sent, 1, Role::Datatype, false, kSendName);
        if (receiving)
            add_times(Role::ReceiveBuffer, received, 1, Role::Datatype, true, kReceiveName);
    }

    const CallView& view_;
    const CommunicatorShape& shape_;
    const model::Execution& execution_;
    const Footprints& footprints_;
    std::vector<Access>& accesses_;
};

}  // namespace

std::optional<std::size_t> buffer_parameter(const CallView& view, const Access& access) {
    const model::Procedure& procedure = *view.local.procedure;
    int at = -1;
    if (access.name.ends_with(kSendName)) at = subscript_of(procedure, Role::SendBuffer);
    if (access.name.ends_with(kReceiveName)) at = subscript_of(procedure, Role::ReceiveBuffer);
    if (at >= 0) return static_cast<std::size_t>(at);
    for (std::size_t i = 0; i < view.call.before.size(); ++i) {
        if (procedure.parameters[i].kind == model::ParameterKind::Buffer &&
            view.call.before[i].number == access.address)
            return i;
    }
    return std::nullopt;
}

namespace {

/// What is packed takes as many bytes as it has, as all processes have the same kind of memory; so
/// does "external32", but for a few types.
std::optional<GivenMemory> packed_memory(const CallView& view, const model::Execution& execution) {
    const bool packs = view.local.buffers == BufferRule::Pack;
    const model::Value* const elements = view.named(packs ? "incount" : "outcount");
    const model::Value* const position = view.named("position");
    const model::RecordedDatatype* const type =
        execution.datatype(view.number(Role::Datatype, model::kNullHandle));
    if (elements == nullptr || position == nullptr || type == nullptr) return std::nullopt;
    const auto end = checked_step(position->number, elements->number, type->size);
    const std::string_view name = packs ? "outbuf" : "inbuf";
    const auto& parameters = view.local.procedure->parameters;
    const auto buffer = std::ranges::find(parameters, name, &model::Parameter::name);
    if (!end || elements->number <= 0 || position->number < 0 || buffer == parameters.end())
        return std::nullopt;
    return GivenMemory{
        static_cast<std::size_t>(buffer - parameters.begin()), *end, packs, " needs "};
}

}  // namespace

std::optional<GivenMemory> given_memory(const CallView& view, const model::Execution& execution) {
    if (view.local.buffers == BufferRule::Pack || view.local.buffers == BufferRule::Unpack)
        return packed_memory(view, execution);
    if (!view.local.lent) return std::nullopt;
    const model::Value* const size = view.named("size");
    if (size == nullptr || size->number <= 0) return std::nullopt;
    return GivenMemory{*view.local.lent, size->number, false, " is given "};
}

bool may_be_shorter(const CallView& view, const Access& access) {
    return access.writes && (view.local.buffers == BufferRule::Receive ||
                             view.local.buffers == BufferRule::SendReceive);
}

bool ignores_origin(const CallView& view, const model::Execution& execution) {
    const BufferRule rule = view.local.buffers;
    if (rule != BufferRule::GetAccumulate && rule != BufferRule::FetchAndOp) return false;
    const std::int64_t op = view.number(Role::Operator, model::kNullHandle);
    const auto at = static_cast<std::size_t>(op);
    return op >= 0 && at < execution.operators.size() &&
           execution.operators[at].name == "MPI_NO_OP";
}

const CommunicatorShape& CommunicatorShapes::of(std::int64_t communicator) {
    if (last_shape_ != nullptr && communicator == last_) return *last_shape_;
    const auto [entry, added] = shapes_.try_emplace(communicator);
    CommunicatorShape& shape = entry->second;
    last_ = communicator;
    last_shape_ = &shape;
    if (!added || communicator < 0 ||
        static_cast<std::size_t>(communicator) >= execution_.communicators.size())
        return shape;
    const auto& found = execution_.communicators[static_cast<std::size_t>(communicator)];
    shape.inter = found.inter;
    shape.size = static_cast<std::int64_t>(found.members.size());
    shape.remote_size = static_cast<std::int64_t>(found.remote_members.size());
    // `members` are the one group, whichever of them the process is in.
    const std::vector<model::ProcessId>* own = &found.members;
    auto place = std::find(own->begin(), own->end(), process_);
    if (place == own->end() && found.inter) {
        std::swap(shape.size, shape.remote_size);
        own = &found.remote_members;
        place = std::find(own->begin(), own->end(), process_);
    }
    if (place == own->end()) return shape;
    const auto rank = static_cast<std::size_t>(place - own->begin());
    shape.rank = static_cast<std::int64_t>(rank);
    if (rank < found.sources.size() && rank < found.destinations.size()) {
        shape.sources = static_cast<std::int64_t>(found.sources[rank].size());
        shape.destinations = static_cast<std::int64_t>(found.destinations[rank].size());
        shape.topology = shape.sources + shape.destinations > 0;
    }
    return shape;
}

void collect_accesses(const CallView& view,
                      const CommunicatorShape& shape,
                      const model::Execution& execution,
                      const Footprints& footprints,
                      std::vector<Access>& accesses) {
    AccessCollector(view, shape, execution, footprints, accesses).collect();
}

}  // namespace mqinspect::analysis
