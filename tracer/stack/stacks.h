/// Call stacks as numbers: DefinitionKind::Stack.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracer/log/definitions.h"
#include "tracer/log/site.h"

namespace mqinspect::tracer {

constexpr std::size_t kMostFrames = 64;

/// The id of the calling thread's stack, which has these return addresses, innermost first; defined
/// if it is new. Where the thread executes Python, its frames stand for those of the interpreter.
/// Thread-safe.
std::uint32_t stack_id(DefinitionsFile& definitions,
                       const std::uint64_t* addresses,
                       std::size_t count);
/// A number of its own for the same stack.
std::uint32_t further_stack_id(DefinitionsFile& definitions,
                               const std::uint64_t* addresses,
                               std::size_t count);
/// Of a call that goes on at `return_address`, where the stack pointer is `stack_pointer`.
std::uint32_t stack_of_call(std::uint64_t return_address, std::uint64_t stack_pointer);

}  // namespace mqinspect::tracer
