/// Functions of the libraries that programs are made of.
#pragma once

#include <string_view>

namespace mqinspect::thread_level {

/// Whether a function that is not part of the program can do none of: call MPI, make or end
/// threads, take OpenMP's locks, wait for a team. That it may call back what it is handed is for
/// the caller to see: `qsort` is harmless. `symbol` is an assembler name of libc, libm, libgcc,
/// libgomp (what only asks), libstdc++, libgfortran, libquadmath, or a builtin of GCC.
bool is_harmless_library_function(std::string_view symbol);
/// A function of the C++ library, by assembler name. Units have the bodies of many.
bool is_of_standard_library(std::string_view symbol);
/// A constructor or destructor of the program, by assembler name, as far as that tells; the C++
/// library calls those of the classes that it makes objects of.
bool makes_or_ends_object(std::string_view symbol);

/// How calls of a std::packaged_task are matched by what such are made of, in place of a slot of
/// virtual functions: the symbol of its operator(), without "_Z".
inline bool is_task_slot(std::string_view slot) {
    return slot.starts_with("NSt13packaged_taskI");
}
/// Whether it is where C, C++ or gfortran begin a program.
inline bool is_main_program(std::string_view symbol) {
    return symbol == "main" || symbol == "MAIN__";
}
/// Whether it has the name of a function of libc or libm, which a program may well have, too.
bool has_name_of_c_library(std::string_view symbol);

}  // namespace mqinspect::thread_level
