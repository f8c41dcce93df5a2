/// Functions of libraries that neither call MPI nor start threads of the program.
#pragma once

#include <string_view>

namespace mqinspect::thread_level {

/// Of the C, C++, Fortran and OpenMP run-time libraries, of the compiler, or of MPI itself.
bool is_harmless(std::string_view symbol);

/// Keeps the functions it is handed for a time when no thread of ours waits for it: the end of
/// the process, a signal.
bool keeps_callbacks(std::string_view symbol);

}  // namespace mqinspect::thread_level
