/// A processor whose instructions are followed one by one, as far as its state is known.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "inspector/target/instruction.h"
#include "inspector/target/straight_code.h"

namespace mqinspect::target {

/// An instruction, and where it is.
struct Placed {
    std::uint64_t address = 0;
    Instruction instruction;
};

/// Registers and memory while a stretch of code is followed. What an instruction does
/// that is not known makes all registers unknown. Borrows the memory, which is only read.
class Machine {
public:
    explicit Machine(const Memory& memory) : memory_(memory) {}

    MachineRegisters registers;
    /// Words that were stored, by address.
    std::map<std::uint64_t, std::uint64_t> stored;
    /// By register: something has been written to it.
    std::array<bool, 16> written{};
    void run(const Placed& placed);

    /// Where a call goes; empty if it is no call or not known.
    std::optional<std::uint64_t> target_of(const Placed& placed);

private:
    using Value = std::optional<std::uint64_t>;
    void forget_all();
    void set_register(unsigned number, Value value);
    static std::size_t operand_bytes(const Instruction& in);
    static Value cut(Value value, std::size_t bytes);
    static Value extend(Value value, std::size_t bytes);
    Value address_of(const MemoryOperand& operand) const;
    Value load(const MemoryOperand& operand, std::size_t bytes) const;
    void store(const MemoryOperand& operand, Value value);
    Value read(const Instruction& in, std::size_t bytes) const;
    void write(unsigned number, Value value, std::size_t bytes);
    void write_operand(const Instruction& in, Value value, std::size_t bytes);
    static Value combine(unsigned operation, Value left, Value right, bool same);
    bool arithmetic(const Instruction& in);
    void forget_byte(unsigned number);
    bool byte_result(const Instruction& in);
    bool string_operation();
    bool with_immediate(const Instruction& in);
    bool shift(const Instruction& in, unsigned count);
    void push(Value value);
    void pop(unsigned number);
    bool divide(const Instruction& in);
    bool group_f7(const Instruction& in);
    bool group_ff(const Instruction& in);
    bool multiply(const Instruction& in, Value left, Value right);
    bool convert(const Instruction& in);
    bool one_byte(const Instruction& in);
    bool move(const Instruction& in, std::size_t bytes);
    bool compute(const Instruction& in, std::size_t bytes);
    bool two_byte(const Instruction& in);
    static bool is_vector_only(const Instruction& in);
    Value low_byte(const Instruction& in) const;

    const Memory& memory_;
    std::uint64_t next_ = 0;
};

}  // namespace mqinspect::target
