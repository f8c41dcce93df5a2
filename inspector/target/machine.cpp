#include "inspector/target/machine.h"

#include <span>

namespace mqinspect::target {
namespace {

constexpr unsigned kRax = 0;
constexpr unsigned kRcx = 1;
constexpr unsigned kRdx = 2;
constexpr unsigned kRsp = 4;
constexpr unsigned kRsi = 6;
constexpr unsigned kRdi = 7;

}  // namespace

void Machine::run(const Placed& placed) {
    next_ = placed.address + placed.instruction.length;
    if (placed.instruction.map == 1 && one_byte(placed.instruction)) return;
    if (placed.instruction.map == 2 && two_byte(placed.instruction)) return;
    forget_all();
}

std::optional<std::uint64_t> Machine::target_of(const Placed& placed) {
    const Instruction& in = placed.instruction;
    next_ = placed.address + in.length;
    if (in.map != 1) return std::nullopt;
    if (in.opcode == 0xE8) return next_ + static_cast<std::uint64_t>(in.immediate);
    return in.opcode == 0xFF && in.extension == 2 ? read(in, 8) : std::nullopt;
}

void Machine::forget_all() {
    for (unsigned i = 0; i < registers.size(); ++i)
        set_register(i, std::nullopt);
    stored.clear();
}

void Machine::set_register(unsigned number, Value value) {
    registers[number] = value;
    written[number] = true;
}

std::size_t Machine::operand_bytes(const Instruction& in) {
    return in.wide ? 8 : in.word ? 2 : 4;
}

Machine::Value Machine::cut(Value value, std::size_t bytes) {
    if (!value || bytes >= sizeof(std::uint64_t)) return value;
    return *value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

Machine::Value Machine::extend(Value value, std::size_t bytes) {
    if (!value || bytes >= sizeof(std::uint64_t)) return value;
    const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
    return ((*value & (2 * sign - 1)) ^ sign) - sign;
}

Machine::Value Machine::address_of(const MemoryOperand& operand) const {
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

Machine::Value Machine::load(const MemoryOperand& operand, std::size_t bytes) const {
    const Value address = address_of(operand);
    if (!address) return std::nullopt;
    const auto own = stored.find(*address);
    if (own != stored.end()) return cut(own->second, bytes);
    std::uint64_t value = 0;
    const std::span destination{reinterpret_cast<std::byte*>(&value), bytes};
    if (!memory_.read(Address{*address}, destination)) return std::nullopt;
    return value;
}

void Machine::store(const MemoryOperand& operand, Value value) {
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

Machine::Value Machine::read(const Instruction& in, std::size_t bytes) const {
    return in.rm ? cut(registers[*in.rm], bytes) : load(*in.memory, bytes);
}

// A write of 32 bits clears the upper half of a register; of 16, it keeps the rest.
void Machine::write(unsigned number, Value value, std::size_t bytes) {
    if (bytes < 4 && value) {
        const Value old = registers[number];
        const std::uint64_t mask = (std::uint64_t{1} << (8 * bytes)) - 1;
        value = old ? Value((*old & ~mask) | (*value & mask)) : std::nullopt;
    }
    set_register(number, bytes == 4 ? cut(value, 4) : value);
}

void Machine::write_operand(const Instruction& in, Value value, std::size_t bytes) {
    if (in.rm) {
        write(*in.rm, value, bytes);
    } else {
        store(*in.memory, cut(value, bytes));
    }
}

Machine::Value Machine::combine(unsigned operation, Value left, Value right, bool same) {
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

bool Machine::arithmetic(const Instruction& in) {
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
void Machine::forget_byte(unsigned number) {
    set_register(number, std::nullopt);
    if (number >= kRsp && number <= kRdi) set_register(number - kRsp, std::nullopt);
}

bool Machine::byte_result(const Instruction& in) {
    if (in.rm) {
        forget_byte(*in.rm);
    } else {
        store(*in.memory, std::nullopt);
    }
    return true;
}

bool Machine::string_operation() {
    for (const unsigned number : {kRcx, kRsi, kRdi})
        set_register(number, std::nullopt);
    stored.clear();
    return true;
}

bool Machine::with_immediate(const Instruction& in) {
    if (in.extension == 7) return true;  // cmp
    const std::size_t bytes = operand_bytes(in);
    const auto immediate = static_cast<std::uint64_t>(in.immediate);
    write_operand(in, combine(in.extension, read(in, bytes), immediate, false), bytes);
    return true;
}

bool Machine::shift(const Instruction& in, unsigned count) {
    const std::size_t bytes = operand_bytes(in);
    const Value value = read(in, bytes);
    count &= in.wide ? 63U : 31U;
    Value result;
    if (value && in.extension == 4) result = *value << count;
    if (value && in.extension == 5) result = *value >> count;
    if (value && in.extension == 7) {
        result =
            static_cast<std::uint64_t>(static_cast<std::int64_t>(*extend(value, bytes)) >> count);
    }
    write_operand(in, cut(result, bytes), bytes);
    return true;
}

void Machine::push(Value value) {
    const Value top = registers[kRsp];
    if (!top) return;
    set_register(kRsp, *top - 8);
    store({.base = kRsp, .index = {}}, value);
}

void Machine::pop(unsigned number) {
    const Value value = load({.base = kRsp, .index = {}}, 8);
    const Value top = registers[kRsp];
    set_register(kRsp, top ? Value(*top + 8) : std::nullopt);
    set_register(number, value);
}

bool Machine::divide(const Instruction& in) {
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

bool Machine::group_f7(const Instruction& in) {
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

bool Machine::group_ff(const Instruction& in) {
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

bool Machine::multiply(const Instruction& in, Value left, Value right) {
    const std::size_t bytes = operand_bytes(in);
    write(in.reg, left && right ? cut(*left * *right, bytes) : std::nullopt, bytes);
    return true;
}

bool Machine::convert(const Instruction& in) {
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

bool Machine::one_byte(const Instruction& in) {
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
bool Machine::move(const Instruction& in, std::size_t bytes) {
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

bool Machine::compute(const Instruction& in, std::size_t bytes) {
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

bool Machine::two_byte(const Instruction& in) {
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
bool Machine::is_vector_only(const Instruction& in) {
    const unsigned opcode = in.opcode;
    return (opcode >= 0x10 && opcode <= 0x17) || (opcode >= 0x28 && opcode <= 0x2B) ||
           opcode == 0x2E || opcode == 0x2F || opcode == 0x51 ||
           (opcode >= 0x54 && opcode <= 0x6F) || opcode == 0x70 || opcode == 0x7F ||
           opcode == 0xC6 || opcode == 0xD6 || opcode == 0xE6 || opcode == 0xE7 || opcode == 0xEF ||
           opcode == 0xFE || (in.rep && opcode == 0x7E);
}

// Without REX, numbers 4 to 7 mean ah to bh: not followed, whatever the prefix.
Machine::Value Machine::low_byte(const Instruction& in) const {
    const bool may_be_high = *in.rm >= kRsp && *in.rm <= kRdi;
    return may_be_high ? std::nullopt : cut(registers[*in.rm], 1);
}

}  // namespace mqinspect::target
