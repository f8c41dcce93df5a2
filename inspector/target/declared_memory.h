/// What an expression of the program's text declares, without a process: types of variables,
/// members and elements, and how much memory they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "inspector/target/image.h"
#include "model/declared_buffer.h"

namespace mqinspect::target {

/// The memory whose address an argument is, in the call at this instruction (as linked). Names
/// are looked up as the code sees them: variables of its scopes, members of `this`, variables of
/// Fortran modules, globals of the image.
///
/// Empty: the expression is none that is understood (a call of a function, a macro), names no
/// variable of the image, or is of a type that says nothing, such as void *. What is cast to
/// another type than char or void may hold anything, but is no longer for that. In Fortran
/// `room` is left out of what may go on beyond what is named, see has_own_storage().
std::optional<model::DeclaredBuffer> declared_memory(Image& image,
                                                     std::uint64_t address,
                                                     std::string_view expression);

/// Whether the code at the instruction (as linked) was written in Fortran.
bool is_fortran(Image& image, std::uint64_t address);

}  // namespace mqinspect::target
