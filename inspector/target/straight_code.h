/// What a function has put into registers for a call, without debug information.
///
/// Follows the instructions of the caller (x86-64) from its entry to the call, forgets
/// everything wherever control may come from or go elsewhere, and so computes what the
/// last straight stretch before the call does: from constants, from the registers that
/// the call preserves, and from memory. Memory is read as it is now; the caller stands
/// in the call, so its own variables are as they were, unless the call or another
/// thread has changed them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "inspector/target/memory.h"
#include "inspector/target/stack.h"

namespace mqinspect::target {

/// Registers by their number in instructions: rax rcx rdx rbx rsp rbp rsi rdi r8 ... r15.
using MachineRegisters = std::array<std::optional<std::uint64_t>, 16>;

/// What is known at a call instruction.
struct CallSetup {
    MachineRegisters registers;
    /// Of the function called, through the table that links files if there is one;
    /// empty if it is not known.
    std::optional<std::uint64_t> callee;
    /// Words that the stretch has stored, by address.
    std::map<std::uint64_t, std::uint64_t> stored;
};

/// `code` is the caller from `start` up to, and without, the return address; the last
/// instruction in it must be the call. `frame` has the registers of the caller's frame.
/// Empty: the code cannot be followed (data between instructions, an instruction that
/// is not known).
std::optional<CallSetup> follow_to_call(std::span<const std::byte> code,
                                        std::uint64_t start,
                                        const FrameRegisters& frame,
                                        const Memory& memory);

/// Bytes of the first instruction, 0 if it is none that is known. For tests.
std::size_t instruction_length(std::span<const std::byte> code);

}  // namespace mqinspect::target
