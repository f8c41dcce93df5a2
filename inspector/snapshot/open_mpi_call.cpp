#include "inspector/snapshot/open_mpi_call.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "include/mpich_handles.h"
#include "inspector/mqs_host/open_mpi.h"

namespace mqinspect::snapshot {

namespace {

using mqs_host::kFirstNonblockingTag;
using target::Address;

// mpi.h of Open MPI.
constexpr std::int64_t kAnySource = -1;
constexpr std::int64_t kProcNull = -2;
constexpr std::int64_t kRoot = -4;
constexpr std::int64_t kInPlace = 1;

constexpr std::int32_t kInactive = 1;    // OMPI_REQUEST_INACTIVE
constexpr std::int32_t kCollective = 4;  // OMPI_REQUEST_COLL
constexpr std::uint64_t kCompleted = 1;  // REQUEST_COMPLETED
constexpr std::size_t kMaxNameBytes = 64;
/// Where a request of a nonblocking collective operation has what of its own, in words behind the
/// part that all requests have, and the tag's place behind the communicator, in bytes
/// (ompi_coll_libnbc_request_t of Open MPI 4, which is in no header that is installed).
constexpr std::size_t kOwnWords = 16;
constexpr std::size_t kTagBehindComm = 20;
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

struct FortranTable {
    std::string_view type;
    std::string_view symbol;
};

constexpr std::array kFortranTables{FortranTable{"MPI_Comm", "ompi_comm_f_to_c_table"},
                                    FortranTable{"MPI_Datatype", "ompi_datatype_f_to_c_table"},
                                    FortranTable{"MPI_Op", "ompi_op_f_to_c_table"}};

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
            if (argument.value && call_.fortran_handles) find_object(argument);
            if (argument.value) translate(argument);
        }
    }

private:
    bool is_symbol(std::int64_t value, std::string_view name) const {
        const auto symbol = view_.find_symbol(name);
        return symbol && target::to_integer(*symbol) == static_cast<std::uint64_t>(value);
    }

    /// Fortran's handles are subscripts of tables of the library's objects.
    void find_object(RawArgument& argument) const {
        for (const auto& [type, table] : kFortranTables) {
            if (argument.type == type) argument.value = object_in(table, *argument.value);
        }
    }

    std::optional<std::int64_t> object_in(std::string_view table, std::int64_t subscript) const {
        const auto symbol = view_.find_symbol(table);
        const target::TypeLayout* type = view_.find_type("opal_pointer_array_t");
        if (!symbol || type == nullptr || subscript < 0) return std::nullopt;
        const std::int64_t size = type->offset_of("size");
        const std::int64_t items = type->offset_of("addr");
        if (size < 0 || items < 0) return std::nullopt;
        const auto count =
            target::read_value<std::int32_t>(memory_, *symbol + static_cast<std::uint64_t>(size));
        const auto first =
            target::read_value<std::uint64_t>(memory_, *symbol + static_cast<std::uint64_t>(items));
        if (!count || !first || subscript >= *count) return std::nullopt;
        const auto object = target::read_value<std::uint64_t>(
            memory_, Address{*first} + static_cast<std::uint64_t>(subscript) * sizeof(*first));
        return object && *object != 0 ? std::optional(static_cast<std::int64_t>(*object))
                                      : std::nullopt;
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
        call_.request_comms.clear();
        std::int64_t count = 1;
        if (!one) {
            const auto named = call_.value("count");
            const auto total = named ? named : call_.value("incount");
            if (!total) return;
            count = *total;
        }
        const auto address = call_.value(one ? "request" : "array_of_requests");
        if (!address || count < 0 || count > kMaxRequests) return;
        const auto objects = read_objects(Address{static_cast<std::uint64_t>(*address)},
                                          static_cast<std::size_t>(count));
        if (objects.size() != static_cast<std::size_t>(count)) return;
        call_.requests.emplace();
        for (const std::uint64_t object : objects) {
            call_.requests->push_back(handle_of(object));
            call_.request_complete.push_back(is_over(object));
            call_.request_objects.push_back(object);
            call_.request_comms.push_back(collective_comm(object));
            call_.request_numbers.push_back(collective_number(object, call_.request_comms.back()));
        }
    }

    /// Fewer than `count` if they cannot be read.
    std::vector<std::uint64_t> read_objects(Address where, std::size_t count) const {
        std::vector<std::uint64_t> objects;
        if (!call_.fortran_handles) {
            objects.resize(count);
            if (!memory_.read(where, std::as_writable_bytes(std::span{objects}))) objects.clear();
            return objects;
        }
        std::vector<std::int32_t> handles(count);
        if (!memory_.read(where, std::as_writable_bytes(std::span{handles}))) return objects;
        for (const std::int32_t handle : handles) {
            const auto object = object_in("ompi_request_f_to_c_table", handle);
            if (!object) break;
            objects.push_back(static_cast<std::uint64_t>(*object));
        }
        return objects;
    }

    std::uint32_t handle_of(std::uint64_t object) const {
        const auto value = static_cast<std::int64_t>(object);
        if (is_symbol(value, "ompi_request_null")) return mpich::kRequestNull;
        if (is_symbol(value, "ompi_request_empty")) return kFinishedRequest;
        // An address has no bits that mean something in MPICH's handles.
        return kObjectHandle | static_cast<std::uint32_t>(object >> 4U & 0x3FFFFFFFU);
    }

    /// The communicator's address, if the request is one of a nonblocking collective operation.
    std::uint64_t collective_comm(std::uint64_t object) const {
        const target::TypeLayout* type = view_.find_type("ompi_request_t");
        if (type == nullptr) return 0;
        const std::int64_t kind = type->offset_of("req_type");
        const std::int64_t comm = type->offset_of("req_mpi_object");
        if (kind < 0 || comm < 0) return 0;
        const auto value = target::read_value<std::int32_t>(
            memory_, Address{object} + static_cast<std::uint64_t>(kind));
        if (!value || *value != kCollective) return 0;
        return target::read_value<std::uint64_t>(memory_,
                                                 Address{object} + static_cast<std::uint64_t>(comm))
            .value_or(0);
    }

    /// The operation's number on the communicator `comm`, by its tag; -1: not known.
    std::int64_t collective_number(std::uint64_t object, std::uint64_t comm) const {
        if (comm == 0) return -1;
        const Address own = Address{object} + view_.find_type("ompi_request_t")->size;
        std::array<std::uint64_t, kOwnWords> words{};
        if (!memory_.read(own, std::as_writable_bytes(std::span{words}))) return -1;
        const auto place = std::ranges::find(words, comm);
        if (place == words.end()) return -1;
        const auto behind = static_cast<std::uint64_t>(place - words.begin()) * sizeof comm;
        const auto tag = target::read_value<std::int32_t>(memory_, own + behind + kTagBehindComm);
        if (!tag || *tag > kFirstNonblockingTag) return -1;
        return std::int64_t{kFirstNonblockingTag} - *tag;
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
