/// One x86-64 instruction, taken apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace mqinspect::target {

/// A memory operand: base + index * scale + displacement; for one that is relative to
/// the instruction pointer `rip_relative` is set.
struct MemoryOperand {
    std::optional<unsigned> base;
    std::optional<unsigned> index;
    unsigned scale = 1;
    std::int64_t displacement = 0;
    bool rip_relative = false;
    bool segment = false;  ///< relative to fs or gs: no plain address
};

struct Instruction {
    std::size_t length = 0;
    unsigned map = 1;  ///< 1: one-byte opcodes, 2: after 0F, 3 and 4: after 0F 38, 0F 3A
    unsigned opcode = 0;
    bool wide = false;       ///< REX.W: 64-bit operands
    bool word = false;       ///< 66: 16-bit operands
    bool rep = false;        ///< F2 or F3
    bool vector = false;     ///< VEX or EVEX
    unsigned reg = 0;        ///< register of ModRM, or the opcode's extension in it
    unsigned extension = 0;  ///< the same without REX: what a group of opcodes goes by
    /// The other operand: a register, else memory. Neither without ModRM.
    std::optional<unsigned> rm;
    std::optional<MemoryOperand> memory;
    unsigned low = 0;  ///< register in the opcode's low bits
    std::int64_t immediate = 0;
};

/// Empty: no instruction that this knows, or it does not end in `code`.
/// Follows the opcode maps of the Intel SDM, volume 2, appendix A.
std::optional<Instruction> decode_instruction(std::span<const std::byte> code);

}  // namespace mqinspect::target
