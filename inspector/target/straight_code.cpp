#include "inspector/target/straight_code.h"

#include <algorithm>
#include <set>
#include <vector>

#include "inspector/target/instruction.h"

namespace mqinspect::target {
namespace {

constexpr unsigned kRax = 0;
constexpr unsigned kRcx = 1;
constexpr unsigned kRdx = 2;
constexpr unsigned kRsp = 4;
constexpr unsigned kRsi = 6;
constexpr unsigned kRdi = 7;
/// DWARF's number of each register, see FrameRegisters.
constexpr std::array<unsigned, 16> kDwarfNumber{
    0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};

struct Placed {
    std::uint64_t address = 0;
    Instruction instruction;
};

bool is_branch(const Instruction& in) {
    if (in.map == 2) return !in.vector && in.opcode >= 0x80 && in.opcode <= 0x8F;
    if (in.map != 1) return false;
    return (in.opcode >= 0x70 && in.opcode <= 0x7F) || (in.opcode >= 0xE0 && in.opcode <= 0xE3) ||
           in.opcode == 0xE9 || in.opcode == 0xEB;
}

/// After it, control is elsewhere or has been.
bool breaks_stretch(const Instruction& in) {
    if (is_branch(in)) return true;
    if (in.map == 2) return in.opcode == 0x05 || in.opcode == 0x0B;  // syscall, ud2
    if (in.map != 1) return false;
    const bool indirect = in.opcode == 0xFF && in.extension >= 2 && in.extension <= 5;
    return indirect || in.opcode == 0xE8 || in.opcode == 0xC3 || in.opcode == 0xC2 ||
           in.opcode == 0xCC || in.opcode == 0xF4;
}

// The last stretch that control enters at its first instruction only, as far as direct
// jumps show it; the call comes last.
std::optional<std::vector<Placed>> last_stretch(std::span<const std::byte> code,
                                                std::uint64_t start) {
    std::vector<Placed> all;
    std::set<std::uint64_t> targets;
    for (std::size_t at = 0; at < code.size();) {
        const auto instruction = decode_instruction(code.subspan(at));
        if (!instruction) return std::nullopt;
        const std::uint64_t next = start + at + instruction->length;
        if (is_branch(*instruction)) {
            targets.insert(next + static_cast<std::uint64_t>(instruction->immediate));
        }
        all.push_back({start + at, *instruction});
        at += instruction->length;
    }
    if (all.empty() || !breaks_stretch(all.back().instruction)) return std::nullopt;
    const auto last_break =
        std::find_if(std::next(all.rbegin()), all.rend(), [&](const Placed& placed) {
            return breaks_stretch(placed.instruction);
        });
    all.erase(all.begin(), last_break.base());
    const auto last_target = std::find_if(all.rbegin(), all.rend(), [&](const Placed& placed) {
        return targets.count(placed.address) > 0;
    });
    // What is before a place that others jump to was not always executed.
    if (last_target != all.rend()) all.erase(all.begin(), std::prev(last_target.base()));
    return all;
}

/// Registers and memory while a stretch is followed.
class Machine {
public:
    explicit Machine(const Memory& memory) : memory_(memory) {}

    MachineRegisters registers;
    std::map<std::uint64_t, std::uint64_t> stored;
    /// All that an unknown instruction has left: nothing of the registers.
    std::array<bool, 16> written{};

    void run(const Placed& placed) {
        next_ = placed.address + placed.instruction.length;
        if (placed.instruction.map == 1 && one_byte(placed.instruction)) return;
        if (placed.instruction.map == 2 && two_byte(placed.instruction)) return;
        forget_all();
    }

    /// Where a call goes; empty if it is no call or not known.
    std::optional<std::uint64_t> target_of(const Placed& placed) {
        const Instruction& in = placed.instruction;
        next_ = placed.address + in.length;
        if (in.map != 1) return std::nullopt;
        if (in.opcode == 0xE8) return next_ + static_cast<std::uint64_t>(in.immediate);
        return in.opcode == 0xFF && in.extension == 2 ? read(in, 8) : std::nullopt;
    }

private:
    using Value = std::optional<std::uint64_t>;

    void forget_all() {
        for (unsigned i = 0; i < registers.size(); ++i)
            set_register(i, std::nullopt);
        stored.clear();
    }

    void set_register(unsigned number, Value value) {
        registers[number] = value;
        written[number] = true;
    }

    static std::size_t operand_bytes(const Instruction& in) {
        return in.wide ? 8 : in.word ? 2 : 4;
    }

    static Value cut(Value value, std::size_t bytes) {
        if (!value || bytes >= sizeof(std::uint64_t)) return value;
        return *value & ((std::uint64_t{1} << (8 * bytes)) - 1);
    }
    static Value extend(Value value, std::size_t bytes) {
        if (!value || bytes >= sizeof(std::uint64_t)) return value;
        const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
        return ((*value & (2 * sign - 1)) ^ sign) - sign;
    }

    Value address_of(const MemoryOperand& operand) const {
        if (operand.segment) return std::nullopt;
        Value address = static_cast<std::uint64_t>(operand.displacement);
        if (operand.rip_relative) *address += next_;
        if (operand.base) {
            if (!registers[*operand.base]) return std::nullopt;
            *address += *registers[*operand.base];
        }
        if (operand.index) {
            if (!registers[*operand.index]) return std::nullopt;
            *address += *registers[*operand.index] * operand.scale;
        }
        return address;
    }

    Value load(const MemoryOperand& operand, std::size_t bytes) const {
        const Value address = address_of(operand);
        if (!address) return std::nullopt;
        const auto own = stored.find(*address);
        if (own != stored.end()) return cut(own->second, bytes);
        std::uint64_t value = 0;
        const std::span destination{reinterpret_cast<std::byte*>(&value), bytes};
        if (!memory_.read(Address{*address}, destination)) return std::nullopt;
        return value;
    }

    void store(const MemoryOperand& operand, Value value) {
        const Value address = address_of(operand);
        // It may have gone anywhere, also where a known word is.
        if (!address) {
            stored.clear();
            return;
        }
        if (value) {
            stored[*address] = *value;
        } else {
            stored.erase(*address);
        }
    }

    Value read(const Instruction& in, std::size_t bytes) const {
        return in.rm ? cut(registers[*in.rm], bytes) : load(*in.memory, bytes);
    }

    // A write of 32 bits clears the upper half of a register; of 16, it keeps the rest.
    void write(unsigned number, Value value, std::size_t bytes) {
        if (bytes < 4 && value) {
            const Value old = registers[number];
            const std::uint64_t mask = (std::uint64_t{1} << (8 * bytes)) - 1;
            value = old ? Value((*old & ~mask) | (*value & mask)) : std::nullopt;
        }
        set_register(number, bytes == 4 ? cut(value, 4) : value);
    }
    void write_operand(const Instruction& in, Value value, std::size_t bytes) {
        if (in.rm) {
            write(*in.rm, value, bytes);
        } else {
            store(*in.memory, cut(value, bytes));
        }
    }

    static Value combine(unsigned operation, Value left, Value right, bool same) {
        // xor and sub of a register with itself.
        if (same && (operation == 6 || operation == 5)) return 0;
        if (!left || !right) return std::nullopt;
        switch (operation) {
            case 0:
                return *left + *right;
            case 1:
                return *left | *right;
            case 4:
                return *left & *right;
            case 5:
                return *left - *right;
            case 6:
                return *left ^ *right;
            default:
                return std::nullopt;  // with carry
        }
    }

    bool arithmetic(const Instruction& in) {
        const unsigned operation = in.opcode >> 3U;
        const unsigned form = in.opcode & 7U;
        const std::size_t bytes = operand_bytes(in);
        if (operation == 7) return true;  // cmp
        if (form == 4) {
            forget_byte(kRax);
            return true;
        }
        if (form == 2) {
            forget_byte(in.reg);
            return true;
        }
        if (form == 0) return byte_result(in);
        if (form == 5) {
            const auto immediate = static_cast<std::uint64_t>(in.immediate);
            write(kRax, combine(operation, registers[kRax], immediate, false), bytes);
            return true;
        }
        const bool same = in.rm && *in.rm == in.reg;
        const Value other = read(in, bytes);
        const Value own = cut(registers[in.reg], bytes);
        if (form == 1) {
            write_operand(in, combine(operation, other, own, same), bytes);
        } else {
            write(in.reg, combine(operation, own, other, same), bytes);
        }
        return true;
    }

    // Numbers 4 to 7 may mean ah, ch, dh and bh.
    void forget_byte(unsigned number) {
        set_register(number, std::nullopt);
        if (number >= kRsp && number <= kRdi) set_register(number - kRsp, std::nullopt);
    }

    bool byte_result(const Instruction& in) {
        if (in.rm) {
            forget_byte(*in.rm);
        } else {
            store(*in.memory, std::nullopt);
        }
        return true;
    }

    bool string_operation() {
        for (const unsigned number : {kRcx, kRsi, kRdi})
            set_register(number, std::nullopt);
        stored.clear();
        return true;
    }

    bool with_immediate(const Instruction& in) {
        if (in.extension == 7) return true;  // cmp
        const std::size_t bytes = operand_bytes(in);
        const auto immediate = static_cast<std::uint64_t>(in.immediate);
        write_operand(in, combine(in.extension, read(in, bytes), immediate, false), bytes);
        return true;
    }

    bool shift(const Instruction& in, unsigned count) {
        const std::size_t bytes = operand_bytes(in);
        const Value value = read(in, bytes);
        count &= in.wide ? 63U : 31U;
        Value result;
        if (value && in.extension == 4) result = *value << count;
        if (value && in.extension == 5) result = *value >> count;
        if (value && in.extension == 7) {
            result = static_cast<std::uint64_t>(static_cast<std::int64_t>(*extend(value, bytes)) >>
                                                count);
        }
        write_operand(in, cut(result, bytes), bytes);
        return true;
    }

    void push(Value value) {
        const Value top = registers[kRsp];
        if (!top) return;
        set_register(kRsp, *top - 8);
        store({.base = kRsp, .index = {}}, value);
    }

    void pop(unsigned number) {
        const Value value = load({.base = kRsp, .index = {}}, 8);
        const Value top = registers[kRsp];
        set_register(kRsp, top ? Value(*top + 8) : std::nullopt);
        set_register(number, value);
    }

    bool divide(const Instruction& in) {
        const std::size_t bytes = operand_bytes(in);
        const Value divisor = extend(read(in, bytes), bytes);
        const Value dividend = extend(cut(registers[kRax], bytes), bytes);
        const Value upper = extend(cut(registers[kRdx], bytes), bytes);
        set_register(kRax, std::nullopt);
        set_register(kRdx, std::nullopt);
        // A dividend that does not fit its lower half is not followed.
        const bool sign = dividend && static_cast<std::int64_t>(*dividend) < 0;
        const std::uint64_t expected = sign ? ~std::uint64_t{0} : 0;
        if (!divisor || !dividend || !upper || *divisor == 0 || *upper != expected) return true;
        if (*divisor == ~std::uint64_t{0}) return true;  // may overflow
        const auto left = static_cast<std::int64_t>(*dividend);
        const auto right = static_cast<std::int64_t>(*divisor);
        write(kRax, static_cast<std::uint64_t>(left / right), bytes);
        write(kRdx, static_cast<std::uint64_t>(left % right), bytes);
        return true;
    }

    bool group_f7(const Instruction& in) {
        const std::size_t bytes = operand_bytes(in);
        const Value value = read(in, bytes);
        switch (in.extension) {
            case 0:
            case 1:
                return true;  // test
            case 2:
                write_operand(in, value ? Value(~*value) : std::nullopt, bytes);
                return true;
            case 3:
                write_operand(in, value ? Value(0 - *value) : std::nullopt, bytes);
                return true;
            case 7:
                return divide(in);
            default:
                set_register(kRax, std::nullopt);
                set_register(kRdx, std::nullopt);
                return true;
        }
    }

    bool group_ff(const Instruction& in) {
        const std::size_t bytes = operand_bytes(in);
        if (in.extension == 6) {
            push(read(in, 8));
            return true;
        }
        if (in.extension > 1) return false;
        const Value value = read(in, bytes);
        const std::uint64_t step = in.extension == 0 ? 1 : ~std::uint64_t{0};
        write_operand(in, value ? Value(*value + step) : std::nullopt, bytes);
        return true;
    }

    bool multiply(const Instruction& in, Value left, Value right) {
        const std::size_t bytes = operand_bytes(in);
        write(in.reg, left && right ? cut(*left * *right, bytes) : std::nullopt, bytes);
        return true;
    }

    bool convert(const Instruction& in) {
        const Value rax = registers[kRax];
        if (in.opcode == 0x98) {  // cdqe, cwde
            write(kRax, in.wide ? extend(rax, 4) : cut(extend(rax, 2), 4), in.wide ? 8 : 4);
            return !in.word;
        }
        const std::size_t bytes = operand_bytes(in);  // cqo, cdq
        const Value whole = extend(cut(rax, bytes), bytes);
        const bool negative = whole && static_cast<std::int64_t>(*whole) < 0;
        write(kRdx, whole ? Value(negative ? ~std::uint64_t{0} : 0) : std::nullopt, bytes);
        return true;
    }

    bool one_byte(const Instruction& in) {
        const std::size_t bytes = operand_bytes(in);
        const unsigned opcode = in.opcode;
        if (opcode < 0x40) return arithmetic(in);
        if (opcode >= 0x50 && opcode <= 0x57) {
            push(registers[in.low]);
            return true;
        }
        if (opcode >= 0x58 && opcode <= 0x5F) {
            pop(in.low);
            return true;
        }
        if (opcode >= 0xB0 && opcode <= 0xB7) {
            forget_byte(in.low);
            return true;
        }
        if (opcode >= 0xB8 && opcode <= 0xBF) {
            write(in.low, static_cast<std::uint64_t>(in.immediate), bytes);
            return true;
        }
        return move(in, bytes) || compute(in, bytes);
    }

    // False: it is none of these. The same for `compute`.
    bool move(const Instruction& in, std::size_t bytes) {
        switch (in.opcode) {
            case 0x63:  // movsxd
                write(in.reg, extend(read(in, 4), 4), bytes);
                return true;
            case 0x68:
            case 0x6A:
                push(static_cast<std::uint64_t>(in.immediate));
                return true;
            case 0x88:
            case 0xC6:
                return byte_result(in);
            case 0x8A:
                forget_byte(in.reg);
                return true;
            case 0xA4:
            case 0xA5:
            case 0xAA:
            case 0xAB:
                return string_operation();
            case 0x89:
                write_operand(in, registers[in.reg], bytes);
                return true;
            case 0x8B:
                write(in.reg, read(in, bytes), bytes);
                return true;
            case 0x8D:
                if (!in.memory) return false;
                write(in.reg, address_of(*in.memory), bytes);
                return true;
            case 0xC7:
                if (in.extension != 0) return false;
                write_operand(in, static_cast<std::uint64_t>(in.immediate), bytes);
                return true;
            default:
                return false;
        }
    }

    bool compute(const Instruction& in, std::size_t bytes) {
        switch (in.opcode) {
            case 0x69:
            case 0x6B:
                return multiply(in, read(in, bytes), static_cast<std::uint64_t>(in.immediate));
            case 0x81:
            case 0x83:
                return with_immediate(in);
            case 0x84:
            case 0x85:
            case 0x90:
            case 0xA8:
            case 0xA9:
                return true;  // test, nop
            case 0x80:
                return in.extension == 7 || byte_result(in);
            case 0xFE:
                return byte_result(in);
            case 0x98:
            case 0x99:
                return convert(in);
            case 0xC1:
                return shift(in, static_cast<unsigned>(in.immediate));
            case 0xD1:
                return shift(in, 1);
            case 0xF7:
                return group_f7(in);
            case 0xFF:
                return group_ff(in);
            default:
                return false;
        }
    }

    bool two_byte(const Instruction& in) {
        const std::size_t bytes = operand_bytes(in);
        if (in.vector) return false;
        if (in.opcode >= 0x40 && in.opcode <= 0x4F) {  // cmov
            set_register(in.reg, std::nullopt);
            return true;
        }
        if (in.opcode >= 0x90 && in.opcode <= 0x9F) return byte_result(in);  // set
        if (is_vector_only(in)) {
            if (in.memory) stored.clear();
            return true;
        }
        switch (in.opcode) {
            case 0x1E:
            case 0x1F:
                return true;  // endbr64, nop
            case 0xAF:
                return multiply(in, cut(registers[in.reg], bytes), read(in, bytes));
            case 0xB6:
                write(in.reg, in.rm ? low_byte(in) : read(in, 1), bytes);
                return true;
            case 0xB7:
                write(in.reg, read(in, 2), bytes);
                return true;
            case 0xBE:
                write(in.reg, extend(in.rm ? low_byte(in) : read(in, 1), 1), bytes);
                return true;
            case 0xBF:
                write(in.reg, extend(read(in, 2), 2), bytes);
                return true;
            default:
                return false;
        }
    }

    // Moves and arithmetic of vector registers that write no other register (SSE2).
    static bool is_vector_only(const Instruction& in) {
        const unsigned opcode = in.opcode;
        return (opcode >= 0x10 && opcode <= 0x17) || (opcode >= 0x28 && opcode <= 0x2B) ||
               opcode == 0x2E || opcode == 0x2F || opcode == 0x51 ||
               (opcode >= 0x54 && opcode <= 0x6F) || opcode == 0x70 || opcode == 0x7F ||
               opcode == 0xC6 || opcode == 0xD6 || opcode == 0xE6 || opcode == 0xE7 ||
               opcode == 0xEF || opcode == 0xFE || (in.rep && opcode == 0x7E);
    }

    // Without REX, numbers 4 to 7 mean ah to bh: not followed, whatever the prefix.
    Value low_byte(const Instruction& in) const {
        const bool may_be_high = *in.rm >= kRsp && *in.rm <= kRdi;
        return may_be_high ? std::nullopt : cut(registers[*in.rm], 1);
    }

    const Memory& memory_;
    std::uint64_t next_ = 0;
};

/// By a move or by arithmetic with another register.
bool writes_stack_pointer(const Instruction& in) {
    const bool arithmetic = in.opcode < 0x38;
    const unsigned form = in.opcode & 7U;
    if (in.rm && *in.rm == kRsp) {
        return in.opcode == 0x89 || in.opcode == 0xC7 || (arithmetic && form == 1);
    }
    const bool to_register = in.opcode == 0x8B || in.opcode == 0x8D || (arithmetic && form == 3);
    return in.reg == kRsp && to_register;
}

/// Bytes that the stretch moves the stack pointer by; empty: in a way that is not
/// followed.
std::optional<std::uint64_t> stack_change(const std::vector<Placed>& stretch) {
    std::uint64_t change = 0;
    for (const Placed& placed : stretch) {
        const Instruction& in = placed.instruction;
        if (in.map != 1) continue;
        const bool on_rsp = in.rm && *in.rm == kRsp;
        if ((in.opcode >= 0x50 && in.opcode <= 0x57) || in.opcode == 0x68 || in.opcode == 0x6A ||
            (in.opcode == 0xFF && in.extension == 6)) {
            change -= 8;
        } else if (in.opcode >= 0x58 && in.opcode <= 0x5F) {
            change += 8;
        } else if ((in.opcode == 0x81 || in.opcode == 0x83) && on_rsp) {
            if (in.extension != 0 && in.extension != 5) return std::nullopt;
            const auto step = static_cast<std::uint64_t>(in.immediate);
            change += in.extension == 0 ? step : 0 - step;
        } else if (writes_stack_pointer(in)) {
            return std::nullopt;
        }
    }
    return change;
}

/// The function behind the entry of a linkage table: endbr64, jmp *slot(%rip).
std::uint64_t behind_linkage(std::uint64_t address, const Memory& memory) {
    std::array<std::byte, 16> code{};
    if (!memory.read(Address{address}, code)) return address;
    std::size_t at = 0;
    auto instruction = decode_instruction(code);
    if (instruction && instruction->map == 2 && instruction->opcode == 0x1E) {
        at = instruction->length;
        instruction = decode_instruction(std::span(code).subspan(at));
    }
    const bool jumps = instruction && instruction->map == 1 && instruction->opcode == 0xFF &&
                       instruction->extension == 4 && instruction->memory &&
                       instruction->memory->rip_relative;
    if (!jumps) return address;
    const std::uint64_t slot = address + at + instruction->length +
                               static_cast<std::uint64_t>(instruction->memory->displacement);
    return read_value<std::uint64_t>(memory, Address{slot}).value_or(address);
}

}  // namespace

std::size_t instruction_length(std::span<const std::byte> code) {
    const auto instruction = decode_instruction(code);
    return instruction ? instruction->length : 0;
}

std::optional<CallSetup> follow_to_call(std::span<const std::byte> code,
                                        std::uint64_t start,
                                        const FrameRegisters& frame,
                                        const Memory& memory) {
    auto stretch = last_stretch(code, start);
    if (!stretch || stretch->empty()) return std::nullopt;
    const Placed call = stretch->back();
    stretch->pop_back();
    const auto change = stack_change(*stretch);

    // A register that the call preserves and the stretch does not write is in the
    // frame as it was all along.
    Machine scan(memory);
    for (const Placed& placed : *stretch)
        scan.run(placed);
    Machine machine(memory);
    constexpr std::array<unsigned, 6> preserved{3, 5, 12, 13, 14, 15};
    for (const unsigned number : preserved) {
        if (!scan.written[number]) machine.registers[number] = frame[kDwarfNumber[number]];
    }
    const auto top = frame[kDwarfNumber[kRsp]];
    if (top && change) machine.registers[kRsp] = *top - *change;
    for (const Placed& placed : *stretch)
        machine.run(placed);
    auto callee = machine.target_of(call);
    if (callee) callee = behind_linkage(*callee, memory);
    return CallSetup{machine.registers, callee, std::move(machine.stored)};
}

}  // namespace mqinspect::target
