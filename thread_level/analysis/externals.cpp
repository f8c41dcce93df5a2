#include "thread_level/analysis/externals.h"

#include "thread_level/facts/library_functions.h"
#include "thread_level/facts/strings.h"

namespace mqinspect::thread_level {
namespace {

// Words with a blank on both sides.

/// Of run-time libraries, MPI and its Fortran module procedures: what of them matters is a step of
/// its own kind wherever it is called.
constexpr std::string_view kPrefixes =
    " GOACC_ GOMP_ MPIR_ MPI_ PMPI_ __gthread_ __ieee754_ __ieee_ __isfinite __iso_c_ __mpi_ "
    "_dl_ acc_ cnd_ mtx_ omp_ ompi_ pthread_ sem_ thrd_ ";

constexpr std::string_view kKeepers = " __cxa_atexit at_quick_exit atexit sigaction signal ";

/// As Fortran calls it. In C, such a name is one of the program.
bool is_fortran_procedure(std::string_view symbol) {
    return symbol.ends_with('_') && (symbol.starts_with("mpi_") || symbol.starts_with("pmpi_"));
}

bool has_known_prefix(std::string_view symbol) {
    for (std::size_t at = 1; at < kPrefixes.size();) {
        const std::size_t end = kPrefixes.find(' ', at);
        if (symbol.starts_with(kPrefixes.substr(at, end - at))) return true;
        at = end + 1;
    }
    return false;
}

}  // namespace

bool is_harmless(std::string_view symbol) {
    return symbol.empty() || is_harmless_library_function(symbol) || has_known_prefix(symbol) ||
           is_fortran_procedure(symbol);
}

bool keeps_callbacks(std::string_view symbol) {
    return !symbol.empty() && has_word(kKeepers, symbol);
}

}  // namespace mqinspect::thread_level
