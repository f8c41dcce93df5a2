/// Where on a stack the user's code ends and the MPI library begins.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "inspector/target/process_view.h"
#include "inspector/target/stack.h"
#include "model/mpi_function.h"

namespace mqinspect::snapshot {

/// The MPI call that a thread is in. Frame numbers count from the innermost.
struct CallSite {
    model::MpiFunction function;
    /// The C binding of `function`: the frame whose parameters are C values. For a
    /// Fortran caller the wrapper mpi_recv_ is one frame further out.
    std::size_t binding_frame = 0;
    /// The caller: the first frame outside the MPI library and outside wrappers
    /// that tools put around MPI_* with the profiling interface.
    std::size_t user_frame = 0;
    /// The outermost wrapper of a tool: another function of the procedure's own name, with its
    /// parameters.
    std::optional<std::size_t> wrapper_frame = std::nullopt;
};

/// What the search for the call has to know of a frame.
struct FrameIdentity {
    std::string_view function;    ///< as the symbol is named, empty if unknown
    bool of_mpi_library = false;  ///< its file is one of the MPI library
    bool of_program = false;      ///< its file is the program
};

/// The MPI call of a stack of `count` frames. Empty: the thread is in none. A stack that
/// ends inside the library (it could not be unwound further) gives a user_frame past its
/// end.
std::optional<CallSite> find_call_site(
    std::size_t count, const std::function<FrameIdentity(std::size_t)>& identity_of);

/// Recognises the MPI library's files and functions; remembers per image, so that
/// ranks share the work. Borrows the images.
class CallSiteFinder {
public:
    /// As find_call_site.
    std::optional<CallSite> find(const target::ProcessView& view,
                                 const std::vector<target::UnwoundFrame>& frames);

    /// True for the files of the MPI library: one that defines PMPI_Init or the
    /// Fortran binding mpi_init_, and Open MPI's other libraries and components.
    bool is_mpi_library(const target::Module& module);

private:
    FrameIdentity identity_of(const target::ProcessView& view, const target::UnwoundFrame& frame);

    std::unordered_map<const target::Image*, bool> is_mpi_library_;
};

/// The address to look a frame up by: inside the call, not after it.
target::Address lookup_address(const target::UnwoundFrame& frame);

}  // namespace mqinspect::snapshot
