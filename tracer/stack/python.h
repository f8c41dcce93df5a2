/// The frames of a program in Python, which all have one machine code: the interpreter's.
///
/// An interpreter whose memory layout is known (include/cpython_frames.h) and that is there when
/// the recording starts. Its frames take the place of those of its machine code in call stacks;
/// each function is a DefinitionKind::Image with its source file as path.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracer/log/definitions.h"

namespace mqinspect::tracer {

/// There is such an interpreter in this process.
extern bool python_runs;

void look_for_python();

/// What the calling thread executes: another number at another instruction or with other callers;
/// 0: it is none of Python's.
std::uint64_t python_place();

/// The calling thread's stack as the program's source has it. `addresses`: of its machine code,
/// innermost first; `out` takes up to `most`, those of Python as script_address(). Returns how
/// many.
std::size_t with_python_frames(DefinitionsFile& definitions,
                               const std::uint64_t* addresses,
                               std::size_t count,
                               std::uint64_t* out,
                               std::size_t most);

}  // namespace mqinspect::tracer
