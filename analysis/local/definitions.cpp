#include "analysis/local/definitions.h"

#include <algorithm>
#include <vector>

#include "analysis/datatypes/checked.h"

namespace mqinspect::analysis {

namespace {

using model::Role;

std::string text(std::int64_t number) {
    return std::to_string(number);
}

std::int64_t named_number(const CallView& view, std::string_view name, std::int64_t otherwise) {
    const model::Value* const value = view.named(name);
    return value != nullptr ? value->number : otherwise;
}

std::span<const std::int64_t> named_list(const CallView& view, std::string_view name) {
    const model::Value* const value = view.named(name);
    return value != nullptr ? value->list : std::span<const std::int64_t>{};
}

std::string wrong_color(const CallView& view, const model::Execution& execution) {
    const std::int64_t color = named_number(view, "color", 0);
    const bool undefined =
        color == model::kUndefined || color == execution.constant("MPI_UNDEFINED", -32766);
    return color >= 0 || undefined ? "" : "a negative color (" + text(color) + ")";
}

std::string wrong_members(const CallView& view) {
    const model::Value* const group = view.in(Role::Group);
    if (group == nullptr) return {};
    const auto size = static_cast<std::int64_t>(group->list.size());
    const auto given = named_list(view, "ranks");
    std::vector<std::int64_t> ranks(given.begin(), given.end());
    std::sort(ranks.begin(), ranks.end());
    const auto outside = std::find_if(
        ranks.begin(), ranks.end(), [size](std::int64_t rank) { return rank < 0 || rank >= size; });
    if (outside != ranks.end()) {
        return "rank " + text(*outside) + " of a group that has " + text(size) +
               (size == 1 ? " member" : " members");
    }
    const auto twice = std::adjacent_find(ranks.begin(), ranks.end());
    return twice == ranks.end() ? "" : "rank " + text(*twice) + " twice";
}

/// How many processes a grid of these dimensions has.
std::int64_t processes_of(std::span<const std::int64_t> dimensions) {
    std::int64_t processes = 1;
    for (const std::int64_t dimension : dimensions)
        processes = checked_product(processes, dimension).value_or(INT64_MAX);
    return processes;
}

/// One that has no processes; empty: there is none.
std::string wrong_dimension(std::span<const std::int64_t> dimensions) {
    const auto found =
        std::ranges::find_if(dimensions, [](std::int64_t dimension) { return dimension < 1; });
    return found == dimensions.end() ? "" : "a dimension of " + text(*found) + " processes";
}

std::string wrong_grid(const CallView& view, const CommunicatorShape& shape) {
    const auto dimensions = named_list(view, "dims");
    if (std::string wrong = wrong_dimension(dimensions); !wrong.empty()) return wrong;
    const std::int64_t processes = processes_of(dimensions);
    if (shape.size == 0 || processes <= shape.size) return {};
    return "a grid of " + text(processes) + " processes, but its communicator has " +
           text(shape.size);
}

/// MPI_Type_create_darray (MPI 4.0, 5.1.4).
std::string wrong_distribution(const CallView& view) {
    const std::int64_t size = named_number(view, "size", 0);
    const std::int64_t rank = named_number(view, "rank", 0);
    const auto dimensions = named_list(view, "array_of_psizes");
    if (std::string wrong = wrong_dimension(dimensions); !wrong.empty()) return wrong;
    const std::int64_t processes = processes_of(dimensions);
    if (processes != size)
        return "a grid of " + text(processes) + " processes, but a size of " + text(size);
    return rank < 0 || rank >= size ? "rank " + text(rank) + " of " + text(size) : "";
}

/// MPI_File_open (MPI 4.0, 14.2.1).
std::string wrong_file_mode(const CallView& view, const model::Execution& execution) {
    const std::int64_t mode = named_number(view, "amode", 0);
    const auto has = [&](std::string_view name) {
        return (mode & execution.constant(name, 0)) != 0;
    };
    const bool reads = has("MPI_MODE_RDONLY");
    const bool both = has("MPI_MODE_RDWR");
    const int accesses = (reads ? 1 : 0) + (both ? 1 : 0) + (has("MPI_MODE_WRONLY") ? 1 : 0);
    if (execution.constant("MPI_MODE_RDONLY", 0) == 0) return {};
    const std::string given = "access mode " + text(mode);
    if (accesses != 1) {
        return given +
               ", where exactly one of MPI_MODE_RDONLY, MPI_MODE_RDWR and "
               "MPI_MODE_WRONLY is needed";
    }
    if (reads && (has("MPI_MODE_CREATE") || has("MPI_MODE_EXCL")))
        return given + ", MPI_MODE_RDONLY with MPI_MODE_CREATE or MPI_MODE_EXCL";
    if (both && has("MPI_MODE_SEQUENTIAL"))
        return given + ", MPI_MODE_RDWR with MPI_MODE_SEQUENTIAL";
    return {};
}

std::string wrong_topology(const CallView& view,
                           const model::Execution& execution,
                           std::string_view wanted) {
    const std::int64_t id = view.number(Role::Communicator, model::kNullHandle);
    const auto at = static_cast<std::size_t>(id);
    if (id < 0 || at >= execution.communicators.size()) return {};
    const model::RecordedCommunicator& communicator = execution.communicators[at];
    const bool right =
        wanted.empty() ? !communicator.topology.empty() : communicator.topology == wanted;
    if (right || communicator.inter) return {};
    const std::string kind = wanted.empty() ? "a" : "a " + std::string{wanted};
    return "a communicator that has no" + kind.substr(1) + " topology";
}

std::string wrong_neighbor(const CallView& view, const CommunicatorShape& shape) {
    if (shape.size == 0) return {};
    for (const std::string_view name : {"sources", "destinations"}) {
        for (const std::int64_t rank : named_list(view, name)) {
            if (rank != model::kProcNull && (rank < 0 || rank >= shape.size)) {
                return "rank " + text(rank) + " as neighbor, but its communicator has " +
                       text(shape.size) + (shape.size == 1 ? " rank" : " ranks");
            }
        }
    }
    for (const std::string_view name : {"weights", "sourceweights", "destweights"}) {
        const auto weights = named_list(view, name);
        const bool unweighted = weights.size() == 1 && weights[0] == model::kUnweighted;
        for (const std::int64_t weight : weights)
            if (weight < 0 && !unweighted) return "a negative weight (" + text(weight) + ")";
    }
    return {};
}

/// Nodes are numbered from 0, and `indx` counts the edges of all nodes up to each (MPI 4.0, 8.5.3).
std::string wrong_graph(const CallView& view, const CommunicatorShape& shape) {
    const std::int64_t nodes = named_number(view, "nnodes", 0);
    if (shape.size > 0 && nodes > shape.size) {
        return "a graph of " + text(nodes) + " nodes, but its communicator has " +
               text(shape.size) + (shape.size == 1 ? " rank" : " ranks");
    }
    std::int64_t before = 0;
    for (const std::int64_t edges : named_list(view, "indx")) {
        if (edges < before) {
            return "numbers of edges that do not grow from node to node (" + text(edges) +
                   " behind " + text(before) + ")";
        }
        before = edges;
    }
    for (const std::int64_t node : named_list(view, "edges")) {
        if (node < 0 || node >= nodes) {
            return "an edge to node " + text(node) + " of a graph that has " + text(nodes) +
                   (nodes == 1 ? " node" : " nodes");
        }
    }
    return {};
}

std::string wrong_subarray(const CallView& view) {
    const auto sizes = named_list(view, "array_of_sizes");
    const auto parts = named_list(view, "array_of_subsizes");
    const auto starts = named_list(view, "array_of_starts");
    if (sizes.size() != parts.size() || sizes.size() != starts.size()) return {};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto end = checked_sum(starts[i], parts[i]);
        const bool inside = parts[i] >= 1 && starts[i] >= 0 && end && *end <= sizes[i];
        if (!inside) {
            return "a part of " + text(parts[i]) + " elements from " + text(starts[i]) +
                   " on in a dimension of " + text(sizes[i]);
        }
    }
    return {};
}

std::string wrong_thread_level(const CallView& view, const model::Execution& execution) {
    const std::int64_t required = named_number(view, "required", 0);
    for (const char* const level : {"MPI_THREAD_SINGLE",
                                    "MPI_THREAD_FUNNELED",
                                    "MPI_THREAD_SERIALIZED",
                                    "MPI_THREAD_MULTIPLE"})
        if (execution.constant(level, required) == required) return {};
    return "the thread level " + text(required) + ", which does not exist";
}

std::string wrong_window(const CallView& view) {
    const std::int64_t size = named_number(view, "size", 0);
    const std::int64_t unit = named_number(view, "disp_unit", 1);
    if (size < 0) return "a negative size (" + text(size) + ")";
    if (unit < 1) return "a displacement unit of " + text(unit);
    const bool created = view.name().starts_with("MPI_Win_create");
    if (created && size > 0 && named_number(view, "base", 1) == 0)
        return "a null pointer as the memory of a window of " + text(size) + " bytes";
    return {};
}

std::string wrong_kind_of_window(const CallView& view, const model::Execution& execution) {
    const std::int64_t id = view.number(Role::Window, model::kNullHandle);
    if (id < 0 || static_cast<std::size_t>(id) >= execution.windows.size()) return {};
    const model::RecordedWindow& window = execution.windows[static_cast<std::size_t>(id)];
    if (window.kind.empty() || window.is_dynamic()) return {};
    return "a window of " + window.kind + ", where it needs one of MPI_Win_create_dynamic";
}

/// What MPI_Type_create_f90_real and its kin give is predefined (MPI 4.0, 19.1.5).
std::string wrong_freed_datatype(const CallView& view, const model::Execution& execution) {
    const model::RecordedDatatype* const type =
        execution.datatype(view.number(Role::Datatype, model::kNullHandle));
    if (type == nullptr || !type->combiner.starts_with("MPI_COMBINER_F90_")) return {};
    return "a datatype of a procedure for Fortran's kinds, which is predefined";
}

/// MPI_Pack and MPI_Unpack: the bytes of the packed buffer from `position` on. A packed element
/// takes no less than its size.
std::string wrong_packing(const CallView& view, const model::Execution& execution) {
    const bool packs = view.local.buffers == BufferRule::Pack;
    const std::int64_t bytes = named_number(view, packs ? "outsize" : "insize", 0);
    const std::int64_t position = named_number(view, "position", 0);
    const std::int64_t count = named_number(view, packs ? "incount" : "outcount", 0);
    const model::RecordedDatatype* const type =
        execution.datatype(view.number(Role::Datatype, model::kNullHandle));
    if (count < 0) return "a negative count (" + text(count) + ")";
    if (type == nullptr) return {};
    const auto end = checked_step(position, count, type->size);
    if (!end || *end <= bytes) return {};
    return "a packed buffer of " + text(bytes) + " bytes, but " + text(*end) + " are needed";
}

/// Room for less than MPI_Type_get_envelope tells (MPI 4.0, 5.1.13).
std::string wrong_contents(const CallView& view, const model::Execution& execution) {
    const std::int64_t id = view.number(Role::Datatype, model::kNullHandle);
    const bool large = view.name() != "MPI_Type_get_contents";
    if (large || id < 0 || static_cast<std::size_t>(id) >= execution.datatypes.size()) return {};
    const model::RecordedDatatype& type = execution.datatypes[static_cast<std::size_t>(id)];
    const auto lacks = [&](std::string_view name, std::size_t number, std::string_view what) {
        const auto needed = static_cast<std::int64_t>(number);
        const std::int64_t room = named_number(view, name, needed);
        if (room >= needed) return std::string{};
        return "room for " + text(room) + " " + std::string{what} +
               ", but the datatype was made from " + text(needed);
    };
    std::string wrong = lacks("max_integers", type.integers.size(), "integers");
    if (wrong.empty()) wrong = lacks("max_addresses", type.addresses.size(), "addresses");
    if (wrong.empty()) wrong = lacks("max_datatypes", type.types.size(), "datatypes");
    return wrong;
}

std::string null_handle(const CallView& view,
                        const model::Execution& execution,
                        std::string_view parameter,
                        std::string_view null,
                        std::string_view noun) {
    const model::Value* const value = view.named(parameter);
    const auto known = execution.constants.find(null);
    if (value == nullptr || known == execution.constants.end() || value->number != known->second)
        return {};
    return std::string{null} + " where it needs an " + std::string{noun};
}

}  // namespace

std::string wrong_definition(const CallView& view,
                             const CommunicatorShape& shape,
                             const model::Execution& execution) {
    switch (view.local.definition) {
        case DefinitionRule::None:
        case DefinitionRule::FreedMemory:
        case DefinitionRule::FileView:
            return {};
        case DefinitionRule::Color:
            return wrong_color(view, execution);
        case DefinitionRule::Intercommunicator:
            return shape.size > 0 && !shape.inter ? "an intracommunicator, which has one group"
                                                  : "";
        case DefinitionRule::Members:
            return wrong_members(view);
        case DefinitionRule::Grid:
            return wrong_grid(view, shape);
        case DefinitionRule::DistributedArray:
            return wrong_distribution(view);
        case DefinitionRule::FileMode:
            return wrong_file_mode(view, execution);
        case DefinitionRule::Neighbors:
            return wrong_neighbor(view, shape);
        case DefinitionRule::Graph:
            return wrong_graph(view, shape);
        case DefinitionRule::OfCartesian:
            return wrong_topology(view, execution, "cartesian");
        case DefinitionRule::OfGraph:
            return wrong_topology(view, execution, "graph");
        case DefinitionRule::OfDistributedGraph:
            return wrong_topology(view, execution, "distributed graph");
        case DefinitionRule::OfAnyTopology:
            return wrong_topology(view, execution, "");
        case DefinitionRule::Subarray:
            return wrong_subarray(view);
        case DefinitionRule::ThreadLevel:
            return wrong_thread_level(view, execution);
        case DefinitionRule::WindowMemory:
            return wrong_window(view);
        case DefinitionRule::DynamicWindow:
            return wrong_kind_of_window(view, execution);
        case DefinitionRule::FreedDatatype:
            return wrong_freed_datatype(view, execution);
        case DefinitionRule::Contents:
            return wrong_contents(view, execution);
        case DefinitionRule::Packing:
            return wrong_packing(view, execution);
        case DefinitionRule::Info:
            return null_handle(view, execution, "info", "MPI_INFO_NULL", "info object");
        case DefinitionRule::ErrorHandler:
            return null_handle(
                view, execution, "errhandler", "MPI_ERRHANDLER_NULL", "error handler");
    }
    return {};
}

}  // namespace mqinspect::analysis
