/// Where on a stack the user's code ends and the MPI library begins.
#pragma once

#include <cstddef>
#include <optional>
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
};

/// Recognises the MPI library's files and functions; remembers per image, so that
/// ranks share the work. Borrows the images.
class CallSiteFinder {
public:
    /// Empty: the thread is in no MPI call. A stack that ends inside the library
    /// (it could not be unwound further) gives a user_frame past its end.
    std::optional<CallSite> find(const target::ProcessView& view,
                                 const std::vector<target::UnwoundFrame>& frames);

    /// True for the files of the MPI library: one that defines PMPI_Init or the
    /// Fortran binding mpi_init_, and Open MPI's other libraries and components.
    bool is_mpi_library(const target::Module& module);

private:
    /// What one frame is, by its function and file.
    struct Role {
        bool in_library = false;
        std::optional<model::MpiFunction> function;
        /// A function that carries out a procedure for a binding without a frame.
        std::optional<model::MpiFunction> stand_in;
    };
    Role role_of(const target::ProcessView& view, const target::UnwoundFrame& frame);

    std::unordered_map<const target::Image*, bool> is_mpi_library_;
};

/// The address to look a frame up by: inside the call, not after it.
target::Address lookup_address(const target::UnwoundFrame& frame);

}  // namespace mqinspect::snapshot
