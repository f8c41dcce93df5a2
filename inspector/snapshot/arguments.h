/// The arguments of an MPI call, read from the frame of its C binding.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inspector/snapshot/call_site.h"
#include "inspector/target/debug_symbols.h"
#include "inspector/target/memory.h"
#include "inspector/target/stack.h"

namespace mqinspect::snapshot {

/// A parameter by its name in the MPI standard. Integers and handles are sign
/// extended, pointers are addresses.
struct RawArgument {
    std::string name;
    std::string type;  ///< "MPI_Comm", "int", "const void *"
    std::optional<std::int64_t> value;
    std::string text = {};  ///< as it is shown; empty: as its value says
};

/// A call with what its frames hold, before queues give it a meaning.
struct RawCall {
    CallSite site;
    std::vector<RawArgument> arguments;
    /// The caller is Fortran code, and handles are its numbers of them.
    bool fortran_handles = false;
    /// Addresses of the MPI library's request objects that the call itself waits
    /// for: a blocking send or receive has made them, the user never sees them.
    std::vector<std::uint64_t> own_requests;
    /// Wait calls: the handles they name, in order; empty if unreadable.
    std::optional<std::vector<std::uint32_t>> requests;
    /// Wait calls: the objects behind `requests`, 0 where there is none, as far as
    /// the library's frame still has them.
    std::vector<std::uint64_t> request_objects;
    /// By request_objects: MPICH's completion counter is zero, so that waiting for
    /// it returns at once (a persistent request that is not started, for one).
    std::vector<bool> request_complete;
    /// Open MPI, by request_objects: the communicator object of a nonblocking collective
    /// operation's request, else 0.
    std::vector<std::uint64_t> request_comms;
    /// By request_comms: the operation's number there (model::Operation::sequence), -1: unknown.
    std::vector<std::int64_t> request_numbers;

    /// The MPI_Win that it names. Collective operations on files: the communicator that
    /// the library uses for them at the moment.
    std::optional<std::uint32_t> window;
    std::optional<std::uint32_t> file_comm;
    std::optional<std::int64_t> moved_bytes;  ///< as model::Call has it

    std::optional<std::int64_t> value(std::string_view name) const;
};

/// The variables in the frames of one stack, whoever reads them.
class FrameVariables {
public:
    FrameVariables() = default;
    FrameVariables(const FrameVariables&) = delete;
    FrameVariables& operator=(const FrameVariables&) = delete;
    virtual ~FrameVariables() = default;

    /// Without a type: there is none of that name in the frame, or it cannot be read;
    /// without a value: it is neither an integer nor a pointer.
    virtual RawArgument variable(std::size_t frame, const std::string& name) const = 0;
    /// Names of the parameters of the frame's function, in order; empty if not known.
    virtual std::vector<std::string> parameters(std::size_t frame) const = 0;
    /// The arguments as the caller has passed them to the library; empty if not known.
    /// `fortran`: it is Fortran code, see RawCall::fortran_handles.
    virtual std::vector<RawArgument> passed(const CallSite& /*site*/, bool& /*fortran*/) const {
        return {};
    }
};

/// Reads what the frames of `site` hold or, where the library has no debug information,
/// what the caller has passed. Never fails: what cannot be read is left empty.
RawCall read_call(const target::DebugSymbols& symbols,
                  const FrameVariables& variables,
                  const target::Memory& memory,
                  const CallSite& site);
RawCall read_call(const target::ProcessView& view,
                  const target::UnwoundStack& stack,
                  const target::Memory& memory,
                  const CallSite& site);

/// An argument as the report shows it: "MPI_ANY_SOURCE", "MPI_INT", "0x7ffc1230".
/// Communicators are the caller's to name.
std::string show_argument(const RawArgument& argument);

}  // namespace mqinspect::snapshot
