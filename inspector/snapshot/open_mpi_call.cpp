#include "inspector/snapshot/open_mpi_call.h"

#include <array>
#include <string_view>

#include "include/mpich_handles.h"

namespace mqinspect::snapshot {

namespace {

using target::Address;

// mpi.h of Open MPI.
constexpr std::int64_t kAnySource = -1;
constexpr std::int64_t kProcNull = -2;
constexpr std::int64_t kRoot = -4;
constexpr std::int64_t kInPlace = 1;

constexpr std::int32_t kInactive = 1;    // OMPI_REQUEST_INACTIVE
constexpr std::uint64_t kCompleted = 1;  // REQUEST_COMPLETED
constexpr std::size_t kMaxNameBytes = 64;
constexpr std::int64_t kMaxRequests = std::int64_t{1} << 24;
/// What MPICH hands out for a request that is finished already.
constexpr std::uint32_t kFinishedRequest = 0x6c000000;
/// The bits of a handle of MPICH's that names an object (HandleKind::Direct).
constexpr std::uint32_t kObjectHandle = 0x80000000;

struct NamedObject {
    const char* symbol;
    const char* name;
};

constexpr std::array kReductionOps{NamedObject{"ompi_mpi_op_max", "MPI_MAX"},
                                   NamedObject{"ompi_mpi_op_min", "MPI_MIN"},
                                   NamedObject{"ompi_mpi_op_sum", "MPI_SUM"},
                                   NamedObject{"ompi_mpi_op_prod", "MPI_PROD"},
                                   NamedObject{"ompi_mpi_op_land", "MPI_LAND"},
                                   NamedObject{"ompi_mpi_op_band", "MPI_BAND"},
                                   NamedObject{"ompi_mpi_op_lor", "MPI_LOR"},
                                   NamedObject{"ompi_mpi_op_bor", "MPI_BOR"},
                                   NamedObject{"ompi_mpi_op_lxor", "MPI_LXOR"},
                                   NamedObject{"ompi_mpi_op_bxor", "MPI_BXOR"},
                                   NamedObject{"ompi_mpi_op_maxloc", "MPI_MAXLOC"},
                                   NamedObject{"ompi_mpi_op_minloc", "MPI_MINLOC"},
                                   NamedObject{"ompi_mpi_op_replace", "MPI_REPLACE"},
                                   NamedObject{"ompi_mpi_op_no_op", "MPI_NO_OP"}};

class Translation {
public:
    Translation(const target::DebugSymbols& view, const target::Memory& memory, RawCall& call)
        : view_(view), memory_(memory), call_(call) {}

    void run() {
        using enum model::CallClass;
        const model::CallClass call_class = call_.site.function.call_class;
        if (call_class == WaitOne || call_class == WaitAll || call_class == WaitAny ||
            call_class == WaitSome) {
            read_requests(call_class == WaitOne);
        }
        for (RawArgument& argument : call_.arguments) {
            if (argument.value) translate(argument);
        }
    }

private:
    bool is_symbol(std::int64_t value, std::string_view name) const {
        const auto symbol = view_.find_symbol(name);
        return symbol && target::to_integer(*symbol) == static_cast<std::uint64_t>(value);
    }

    void translate(RawArgument& argument) const {
        const std::int64_t value = *argument.value;
        if (argument.name == "source" || argument.name == "dest" || argument.name == "root") {
            argument.value = peer(value);
        } else if (argument.type == "MPI_Comm") {
            if (is_symbol(value, "ompi_mpi_comm_null")) argument.value = mpich::kCommNull;
        } else if (argument.type == "MPI_Datatype") {
            argument.text = datatype(value);
        } else if (argument.type == "MPI_Op") {
            argument.text = reduction(value);
        } else if (argument.type.ends_with('*')) {
            const bool status = argument.name.find("status") != std::string::npos;
            if (status && value == 0) argument.value = 1;
            if (!status && value == kInPlace) argument.value = -1;
        }
    }

    static std::int64_t peer(std::int64_t value) {
        switch (value) {
            case kAnySource:
                return mpich::kAnySource;
            case kProcNull:
                return mpich::kProcNull;
            case kRoot:
                return mpich::kRoot;
            default:
                return value;
        }
    }

    std::string datatype(std::int64_t value) const {
        const target::TypeLayout* type = view_.find_type("ompi_datatype_t");
        const std::int64_t offset = type == nullptr ? -1 : type->offset_of("name");
        if (offset < 0 || value == 0) return {};
        const Address name =
            Address{static_cast<std::uint64_t>(value)} + static_cast<std::uint64_t>(offset);
        return target::read_string(memory_, name, kMaxNameBytes).value_or(std::string{});
    }

    std::string reduction(std::int64_t value) const {
        for (const NamedObject& op : kReductionOps) {
            if (is_symbol(value, op.symbol)) return op.name;
        }
        return {};
    }

    void read_requests(bool one) {
        call_.requests.reset();
        call_.request_objects.clear();
        call_.request_complete.clear();
        std::int64_t count = 1;
        if (!one) {
            const auto named = call_.value("count");
            const auto total = named ? named : call_.value("incount");
            if (!total) return;
            count = *total;
        }
        const auto address = call_.value(one ? "request" : "array_of_requests");
        if (!address || count < 0 || count > kMaxRequests) return;
        std::vector<std::uint64_t> objects(static_cast<std::size_t>(count));
        const Address where{static_cast<std::uint64_t>(*address)};
        if (!memory_.read(where, std::as_writable_bytes(std::span{objects}))) return;
        call_.requests.emplace();
        for (std::uint64_t& object : objects) {
            call_.requests->push_back(handle_of(object));
            call_.request_complete.push_back(is_over(object));
            call_.request_objects.push_back(object);
        }
    }

    std::uint32_t handle_of(std::uint64_t object) const {
        const auto value = static_cast<std::int64_t>(object);
        if (is_symbol(value, "ompi_request_null")) return mpich::kRequestNull;
        if (is_symbol(value, "ompi_request_empty")) return kFinishedRequest;
        // An address has no bits that mean something in MPICH's handles.
        return kObjectHandle | static_cast<std::uint32_t>(object >> 4U & 0x3FFFFFFFU);
    }

    /// Finished, or persistent and not started: no wait waits for it.
    bool is_over(std::uint64_t object) const {
        const target::TypeLayout* type = view_.find_type("ompi_request_t");
        if (type == nullptr) return false;
        const std::int64_t completed = type->offset_of("req_complete");
        const std::int64_t state = type->offset_of("req_state");
        if (completed < 0 || state < 0) return false;
        const auto mark = target::read_value<std::uint64_t>(
            memory_, Address{object} + static_cast<std::uint64_t>(completed));
        const auto phase = target::read_value<std::int32_t>(
            memory_, Address{object} + static_cast<std::uint64_t>(state));
        return (mark && *mark == kCompleted) || (phase && *phase == kInactive);
    }

    const target::DebugSymbols& view_;
    const target::Memory& memory_;
    RawCall& call_;
};

}  // namespace

void translate_open_mpi(const target::DebugSymbols& view,
                        const target::Memory& memory,
                        RawCall& call) {
    Translation(view, memory, call).run();
}

}  // namespace mqinspect::snapshot
