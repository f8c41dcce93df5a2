#include "inspector/snapshot/arguments.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "include/mpich_handles.h"
#include "inspector/snapshot/mpi_signature.h"
#include "inspector/snapshot/open_mpi_call.h"

namespace mqinspect::snapshot {

namespace {

/// More requests in one Wait call than any program has; guards the allocation.
constexpr std::int64_t kMaxRequests = std::int64_t{1} << 24;

/// Names that MPICH gives to the requests a blocking call makes for itself
/// (src/binding/c/pt2pt, MPIR_Sendrecv_impl).
constexpr std::array<const char*, 5> kOwnRequestNames = {
    "request_ptr", "sreq", "rreq", "send_request_ptr", "recv_request_ptr"};

std::optional<std::int64_t> to_integer(const std::vector<std::byte>& bytes) {
    switch (bytes.size()) {
        case 4: {
            std::int32_t value = 0;
            std::memcpy(&value, bytes.data(), sizeof value);
            return value;
        }
        case 8: {
            std::int64_t value = 0;
            std::memcpy(&value, bytes.data(), sizeof value);
            return value;
        }
        default:
            return std::nullopt;
    }
}

/// How many frames below the binding still speak of the user's call.
constexpr std::size_t kDepth = 3;

/// The library hands most arguments on under the same name; where the binding
/// has dropped one, the functions below it may still have it. The nearest
/// ones only: deeper frames use the same names for parts of the work.
RawArgument find_argument(const FrameVariables& variables,
                          std::size_t frame,
                          const std::string& name) {
    RawArgument result{name, {}, {}, {}};
    for (std::size_t step = 0; step <= std::min(kDepth, frame); ++step) {
        result = variables.variable(frame - step, name);
        if (!result.type.empty()) break;
    }
    return result;
}

/// The library's compiler drops what it needs no more; the caller has put it there.
void add_passed(const FrameVariables& variables,
                const CallSite& site,
                std::vector<RawArgument>& arguments) {
    const auto is_missing = [](const RawArgument& argument) { return !argument.value; };
    if (std::ranges::none_of(arguments, is_missing)) return;
    bool fortran = false;
    const std::vector<RawArgument> passed = variables.passed(site, fortran);
    if (fortran) return;
    for (RawArgument& argument : arguments) {
        const auto found = std::ranges::find(passed, argument.name, &RawArgument::name);
        if (!argument.value && found != passed.end()) argument = *found;
    }
}

/// Wrappers of tools call their parameters as the standard does; our recorder keeps them.
void add_wrapped(const FrameVariables& variables,
                 const CallSite& site,
                 std::vector<RawArgument>& arguments) {
    if (!site.wrapper_frame) return;
    for (RawArgument& argument : arguments) {
        if (argument.value) continue;
        RawArgument found = variables.variable(*site.wrapper_frame, argument.name);
        if (found.value) argument = std::move(found);
    }
}

/// The handles of a Wait call: one behind `request`, or an array.
std::optional<std::vector<std::uint32_t>> read_requests(const RawCall& call,
                                                        const target::Memory& memory) {
    std::int64_t count = 1;
    auto address = call.value("request");
    if (call.site.function.call_class != model::CallClass::WaitOne) {
        address = call.value("array_of_requests");
        const auto named = call.value("count");
        const auto total = named ? named : call.value("incount");
        if (!total) return std::nullopt;
        count = *total;
    }
    if (!address || count < 0 || count > kMaxRequests) return std::nullopt;
    std::vector<std::uint32_t> handles(static_cast<std::size_t>(count));
    const auto where = target::Address{static_cast<std::uint64_t>(*address)};
    if (!memory.read(where, std::as_writable_bytes(std::span{handles}))) return std::nullopt;
    return handles;
}

bool is_wait(model::CallClass call_class) {
    using enum model::CallClass;
    return call_class == WaitOne || call_class == WaitAll || call_class == WaitAny ||
           call_class == WaitSome;
}

/// The library's array of request objects, from the binding or a frame below it.
std::vector<std::uint64_t> read_request_objects(const FrameVariables& variables,
                                                const RawCall& call,
                                                const target::Memory& memory) {
    if (!call.requests) return {};
    const std::size_t frame = call.site.binding_frame;
    for (std::size_t step = 0; step <= std::min(kDepth, frame); ++step) {
        if (call.site.function.call_class == model::CallClass::WaitOne) {
            const auto object = variables.variable(frame - step, "request_ptr").value;
            if (object) return {static_cast<std::uint64_t>(*object)};
            continue;
        }
        const auto array = variables.variable(frame - step, "request_ptrs").value;
        if (!array) continue;
        std::vector<std::uint64_t> objects(call.requests->size());
        const auto where = target::Address{static_cast<std::uint64_t>(*array)};
        if (memory.read(where, std::as_writable_bytes(std::span{objects}))) return objects;
    }
    return {};
}

/// MPIR_Request_is_complete of MPICH: the counter behind cc_ptr is zero.
std::vector<bool> read_completion(const target::DebugSymbols& symbols,
                                  const target::Memory& memory,
                                  const std::vector<std::uint64_t>& objects) {
    std::vector<bool> complete(objects.size(), false);
    const target::TypeLayout* type = objects.empty() ? nullptr : symbols.find_type("MPIR_Request");
    const std::int64_t offset = type != nullptr ? type->offset_of("cc_ptr") : -1;
    if (offset < 0) return complete;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (objects[i] == 0) continue;
        const auto field = target::Address{objects[i]} + static_cast<std::uint64_t>(offset);
        const auto counter = target::read_value<std::uint64_t>(memory, field);
        if (!counter) continue;
        const auto count = target::read_value<std::int32_t>(memory, target::Address{*counter});
        complete[i] = count && *count == 0;
    }
    return complete;
}

/// MPI_Win_free takes the address of the handle.
std::optional<std::uint32_t> read_window(const RawCall& call, const target::Memory& memory) {
    const auto found = std::ranges::find(call.arguments, "win", &RawArgument::name);
    if (found == call.arguments.end() || !found->value) return std::nullopt;
    if (!found->type.ends_with('*')) return static_cast<std::uint32_t>(*found->value);
    const auto where = target::Address{static_cast<std::uint64_t>(*found->value)};
    const auto handle = target::read_value<std::uint32_t>(memory, where);
    return handle ? std::optional(*handle) : std::nullopt;
}

/// ROMIO carries a collective operation on a file out with MPI calls on a communicator
/// of its own: the outermost of those that the rank is in names it.
std::optional<std::uint32_t> read_file_comm(const FrameVariables& variables, std::size_t frame) {
    while (frame > 0) {
        const RawArgument comm = variables.variable(--frame, "comm");
        if (comm.type == "MPI_Comm" && comm.value) return static_cast<std::uint32_t>(*comm.value);
    }
    return std::nullopt;
}

std::vector<std::uint64_t> read_own_requests(const FrameVariables& variables, std::size_t frame) {
    std::vector<std::uint64_t> requests;
    for (std::size_t step = 0; step <= std::min(kDepth, frame); ++step) {
        for (const char* name : kOwnRequestNames) {
            const auto value = variables.variable(frame - step, name).value;
            if (!value || *value == 0) continue;
            const auto address = static_cast<std::uint64_t>(*value);
            if (std::ranges::find(requests, address) == requests.end()) requests.push_back(address);
        }
    }
    return requests;
}

/// A call from Fortran has the address of each argument: of numbers and handles that of a
/// variable or constant.
std::optional<std::int64_t> fortran_argument(const target::Memory& memory,
                                             const std::string& type,
                                             std::uint64_t address) {
    if (type.ends_with('*')) return static_cast<std::int64_t>(address);
    const target::Address where{address};
    if (type == "MPI_Aint" || type == "MPI_Offset" || type == "MPI_Count") {
        const auto value = target::read_value<std::int64_t>(memory, where);
        return value ? std::optional(*value) : std::nullopt;
    }
    const auto value = target::read_value<std::int32_t>(memory, where);
    return value ? std::optional<std::int64_t>(*value) : std::nullopt;
}

/// The arguments of the binding as its caller has passed them. `fortran`: it is the Fortran
/// binding, of another name.
std::vector<RawArgument> passed_to_binding(const target::ProcessView& view,
                                           const target::UnwoundStack& stack,
                                           const target::Memory& memory,
                                           const CallSite& site,
                                           bool& fortran) {
    const std::vector<Parameter> parameters = parameters_of(site.function.name);
    const target::UnwoundFrame& entered = stack.frames[site.user_frame - 1];
    const target::Module* module = view.module_at(entered.pc);
    if (parameters.empty() || module == nullptr) return {};
    const auto function = module->image->function_at(module->linked(lookup_address(entered)));
    if (!function) return {};
    const std::string_view name = function->name;
    fortran = name != site.function.name && name != "P" + std::string(site.function.name);
    const auto values = target::passed_arguments(
        view, stack, site.user_frame, memory, module->loaded(function->address), parameters.size());
    std::vector<RawArgument> arguments;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        RawArgument argument{parameters[i].name, parameters[i].type, {}, {}};
        if (values[i] && fortran) {
            argument.value = fortran_argument(memory, argument.type, *values[i]);
        } else if (values[i]) {
            // Of an int the upper half of its register means nothing.
            argument.value = argument.type == "int" ? static_cast<std::int32_t>(*values[i])
                                                    : static_cast<std::int64_t>(*values[i]);
        }
        arguments.push_back(std::move(argument));
    }
    return arguments;
}

/// By the call frame information and DWARF of the shared images.
class UnwoundVariables final : public FrameVariables {
public:
    UnwoundVariables(const target::ProcessView& view,
                     const target::UnwoundStack& stack,
                     const target::Memory& memory)
        : view_(view), stack_(stack), memory_(memory) {}

    RawArgument variable(std::size_t frame, const std::string& name) const override {
        const auto variable = read_variable(view_, stack_, frame, memory_, name);
        if (!variable) return {name, {}, {}};
        return {name, variable->type, to_integer(variable->bytes)};
    }

    std::vector<std::string> parameters(std::size_t frame) const override {
        return target::parameter_names(view_, stack_.frames[frame]);
    }

    std::vector<RawArgument> passed(const CallSite& site, bool& fortran) const override {
        return passed_to_binding(view_, stack_, memory_, site, fortran);
    }

private:
    const target::ProcessView& view_;
    const target::UnwoundStack& stack_;
    const target::Memory& memory_;
};

std::string show_handle(const mpich::NamedHandle* begin,
                        const mpich::NamedHandle* end,
                        std::uint32_t handle) {
    const auto* row = std::find_if(begin, end, [&](const auto& r) { return r.handle == handle; });
    return row != end ? row->name : fmt::format("0x{:08x}", handle);
}

bool names_peer(std::string_view name) {
    return name == "source" || name == "dest" || name == "root";
}

bool names_tag(std::string_view name) {
    return name == "tag" || name == "sendtag" || name == "recvtag";
}

std::string show_peer(std::int64_t value) {
    switch (value) {
        case mpich::kAnySource:
            return "MPI_ANY_SOURCE";
        case mpich::kProcNull:
            return "MPI_PROC_NULL";
        case mpich::kRoot:
            return "MPI_ROOT";
        default:
            return fmt::format("{}", value);
    }
}

std::string show_pointer(const RawArgument& argument) {
    const auto address = static_cast<std::uint64_t>(*argument.value);
    if (argument.name.find("status") != std::string::npos && address == 1) {
        return argument.name == "status" ? "MPI_STATUS_IGNORE" : "MPI_STATUSES_IGNORE";
    }
    if (*argument.value == -1) return "MPI_IN_PLACE";
    return fmt::format("0x{:x}", address);
}

}  // namespace

std::optional<std::int64_t> RawCall::value(std::string_view name) const {
    const auto found = std::ranges::find(arguments, name, &RawArgument::name);
    return found != arguments.end() ? found->value : std::nullopt;
}

RawCall read_call(const target::DebugSymbols& symbols,
                  const FrameVariables& variables,
                  const target::Memory& memory,
                  const CallSite& site) {
    RawCall call;
    call.site = site;
    for (const std::string& name : variables.parameters(site.binding_frame)) {
        call.arguments.push_back(find_argument(variables, site.binding_frame, name));
    }
    if (call.arguments.empty()) {
        call.arguments = variables.passed(site, call.fortran_handles);
    } else {
        add_passed(variables, site, call.arguments);
    }
    const bool open_mpi = symbols.find_symbol("ompi_mpi_comm_world").has_value();
    // MPICH's handles are the same numbers in Fortran.
    if (!open_mpi || !call.fortran_handles) add_wrapped(variables, site, call.arguments);
    if (open_mpi) {
        translate_open_mpi(symbols, memory, call);
        return call;
    }
    using enum model::CallClass;
    const model::CallClass call_class = site.function.call_class;
    call.window = read_window(call, memory);
    // The name that tracer/generate.py gives it.
    if (site.wrapper_frame)
        call.moved_bytes = variables.variable(*site.wrapper_frame, "moved_bytes").value;
    if (call_class == FileAccess) call.file_comm = read_file_comm(variables, site.binding_frame);
    if (is_wait(call_class)) {
        call.requests = read_requests(call, memory);
        call.request_objects = read_request_objects(variables, call, memory);
        call.request_complete = read_completion(symbols, memory, call.request_objects);
    } else if (call_class == Send || call_class == Receive || call_class == Sendrecv) {
        call.own_requests = read_own_requests(variables, site.binding_frame);
    }
    return call;
}

RawCall read_call(const target::ProcessView& view,
                  const target::UnwoundStack& stack,
                  const target::Memory& memory,
                  const CallSite& site) {
    return read_call(view, UnwoundVariables(view, stack, memory), memory, site);
}

std::string show_argument(const RawArgument& argument) {
    if (!argument.text.empty()) return argument.text;
    if (!argument.value) return "?";
    const auto handle = static_cast<std::uint32_t>(*argument.value);
    if (argument.type == "MPI_Datatype") {
        return show_handle(std::begin(mpich::kDatatypes), std::end(mpich::kDatatypes), handle);
    }
    if (argument.type == "MPI_Op") {
        return show_handle(
            std::begin(mpich::kReductionOps), std::end(mpich::kReductionOps), handle);
    }
    if (argument.type.ends_with('*')) return show_pointer(argument);
    if (argument.type.starts_with("MPI_") && argument.type != "MPI_Aint" &&
        argument.type != "MPI_Count" && argument.type != "MPI_Offset") {
        return fmt::format("0x{:08x}", handle);
    }
    if (names_peer(argument.name)) return show_peer(*argument.value);
    if (argument.name == "lock_type" && *argument.value == mpich::kLockExclusive) {
        return "MPI_LOCK_EXCLUSIVE";
    }
    if (argument.name == "lock_type" && *argument.value == mpich::kLockShared) {
        return "MPI_LOCK_SHARED";
    }
    if (names_tag(argument.name) && *argument.value == mpich::kAnyTag) return "MPI_ANY_TAG";
    return fmt::format("{}", *argument.value);
}

}  // namespace mqinspect::snapshot
