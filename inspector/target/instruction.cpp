#include "inspector/target/instruction.h"

#include <cstring>

namespace mqinspect::target {
namespace {

constexpr std::size_t kMaxLength = 15;

// Takes bytes off the front; after the end everything is zero and `ok` false.
class Bytes {
public:
    explicit Bytes(std::span<const std::byte> bytes) : bytes_(bytes) {}

    unsigned peek() const {
        return at_ < bytes_.size() ? std::to_integer<unsigned>(bytes_[at_]) : 0;
    }
    unsigned next() {
        const unsigned value = peek();
        ok_ = ok_ && at_ < bytes_.size();
        ++at_;
        return value;
    }
    std::int64_t number(std::size_t size) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < size; ++i)
            value |= std::uint64_t{next()} << (8 * i);
        if (size == 0 || size >= sizeof value) return static_cast<std::int64_t>(value);
        const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
        return static_cast<std::int64_t>((value ^ sign) - sign);
    }
    std::size_t taken() const { return at_; }
    bool ok() const { return ok_ && at_ <= kMaxLength; }

private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
    bool ok_ = true;
};

struct Prefixes {
    unsigned rex = 0;
    bool segment = false;
};

bool has_modrm_one_byte(unsigned opcode) {
    if (opcode < 0x40) return (opcode & 7U) < 4;
    if (opcode >= 0x80 && opcode <= 0x8F) return true;
    if (opcode >= 0xD8 && opcode <= 0xDF) return true;
    switch (opcode) {
        case 0x63:
        case 0x69:
        case 0x6B:
        case 0xC0:
        case 0xC1:
        case 0xC6:
        case 0xC7:
        case 0xD0:
        case 0xD1:
        case 0xD2:
        case 0xD3:
        case 0xF6:
        case 0xF7:
        case 0xFE:
        case 0xFF:
            return true;
        default:
            return false;
    }
}

bool has_modrm_two_byte(unsigned opcode) {
    const bool without = opcode == 0x05 || opcode == 0x06 || opcode == 0x08 || opcode == 0x09 ||
                         opcode == 0x0B || (opcode >= 0x30 && opcode <= 0x37) || opcode == 0x77 ||
                         (opcode >= 0x80 && opcode <= 0x8F) || (opcode >= 0xA0 && opcode <= 0xA2) ||
                         (opcode >= 0xA8 && opcode <= 0xAA) || (opcode >= 0xC8 && opcode <= 0xCF);
    return !without;
}

bool has_byte_immediate_two_byte(unsigned opcode) {
    return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xA4 || opcode == 0xAC ||
           opcode == 0xBA || opcode == 0xC2 || (opcode >= 0xC4 && opcode <= 0xC6);
}

// Undefined in 64-bit mode: met only where data is taken for code.
bool is_undefined_one_byte(unsigned opcode) {
    const unsigned column = opcode & 7U;
    if (opcode < 0x40 && column >= 6 && opcode != 0x0F && opcode != 0x26 && opcode != 0x2E &&
        opcode != 0x36 && opcode != 0x3E) {
        return true;
    }
    switch (opcode) {
        case 0x60:
        case 0x61:
        case 0x82:
        case 0x9A:
        case 0xCE:
        case 0xD4:
        case 0xD5:
        case 0xD6:
        case 0xEA:
            return true;
        default:
            return false;
    }
}

std::size_t immediate_one_byte(const Instruction& instruction) {
    const unsigned opcode = instruction.opcode;
    const std::size_t full = instruction.word ? 2 : 4;
    if (opcode < 0x40) {
        if ((opcode & 7U) == 4) return 1;
        return (opcode & 7U) == 5 ? full : 0;
    }
    if (opcode >= 0x70 && opcode <= 0x7F) return 1;
    if (opcode >= 0xA0 && opcode <= 0xA3) return 8;
    if (opcode >= 0xB0 && opcode <= 0xB7) return 1;
    if (opcode >= 0xB8 && opcode <= 0xBF) return instruction.wide ? 8 : full;
    if (opcode >= 0xE0 && opcode <= 0xE7) return 1;
    switch (opcode) {
        case 0x68:
        case 0x69:
        case 0x81:
        case 0xA9:
        case 0xC7:
            return full;
        case 0xE8:
        case 0xE9:
            return 4;
        case 0x6A:
        case 0x6B:
        case 0x80:
        case 0x83:
        case 0xA8:
        case 0xC0:
        case 0xC1:
        case 0xC6:
        case 0xCD:
        case 0xEB:
            return 1;
        case 0xC2:
        case 0xCA:
            return 2;
        case 0xC8:
            return 3;
        case 0xF6:
            return instruction.extension < 2 ? 1 : 0;
        case 0xF7:
            return instruction.extension < 2 ? full : 0;
        default:
            return 0;
    }
}

std::size_t immediate_bytes(const Instruction& instruction) {
    switch (instruction.map) {
        case 1:
            return immediate_one_byte(instruction);
        case 2:
            if (!instruction.vector && instruction.opcode >= 0x80 && instruction.opcode <= 0x8F)
                return 4;
            return has_byte_immediate_two_byte(instruction.opcode) ? 1 : 0;
        default:
            return instruction.map == 4 ? 1 : 0;
    }
}

bool has_modrm(const Instruction& instruction) {
    if (instruction.map == 1) return has_modrm_one_byte(instruction.opcode);
    if (instruction.map == 2) {
        return instruction.vector ? instruction.opcode != 0x77
                                  : has_modrm_two_byte(instruction.opcode);
    }
    return true;
}

void take_prefixes(Bytes& bytes, Instruction& instruction, Prefixes& prefixes) {
    for (;;) {
        switch (bytes.peek()) {
            case 0x66:
                instruction.word = true;
                break;
            case 0x64:
            case 0x65:
                prefixes.segment = true;
                break;
            case 0xF2:
            case 0xF3:
                instruction.rep = true;
                break;
            case 0x26:
            case 0x2E:
            case 0x36:
            case 0x3E:
            case 0x67:
            case 0xF0:
                break;
            default:
                return;
        }
        bytes.next();
        if (!bytes.ok()) return;
    }
}

// VEX and EVEX name the map in their own bits; what they say of registers is of no
// use here, as they name vectors.
void take_vector_prefix(Bytes& bytes, Instruction& instruction) {
    const unsigned first = bytes.next();
    instruction.vector = true;
    instruction.map = 2;
    const unsigned second = bytes.next();
    if (first == 0xC5) return;
    const unsigned map = second & (first == 0x62 ? 7U : 0x1FU);
    instruction.map = map >= 1 && map <= 3 ? map + 1 : 0;
    bytes.next();
    if (first == 0x62) bytes.next();
}

void take_opcode(Bytes& bytes, Instruction& instruction) {
    const unsigned first = bytes.peek();
    if (first == 0xC4 || first == 0xC5 || first == 0x62) {
        take_vector_prefix(bytes, instruction);
        instruction.opcode = bytes.next();
        return;
    }
    instruction.opcode = bytes.next();
    if (instruction.opcode != 0x0F) return;
    instruction.map = 2;
    instruction.opcode = bytes.next();
    if (instruction.opcode != 0x38 && instruction.opcode != 0x3A) return;
    instruction.map = instruction.opcode == 0x38 ? 3 : 4;
    instruction.opcode = bytes.next();
}

void take_modrm(Bytes& bytes, Instruction& instruction, const Prefixes& prefixes) {
    const unsigned modrm = bytes.next();
    const unsigned mode = modrm >> 6U;
    const unsigned low = modrm & 7U;
    const unsigned rex_b = (prefixes.rex & 1U) << 3U;
    instruction.extension = modrm >> 3U & 7U;
    instruction.reg = instruction.extension | (prefixes.rex & 4U) << 1U;
    if (mode == 3) {
        instruction.rm = low | rex_b;
        return;
    }
    MemoryOperand memory;
    memory.segment = prefixes.segment;
    bool no_base = false;
    if (low == 4) {
        const unsigned sib = bytes.next();
        const unsigned index = (sib >> 3U & 7U) | (prefixes.rex & 2U) << 2U;
        if (index != 4) memory.index = index;
        memory.scale = 1U << (sib >> 6U);
        no_base = (sib & 7U) == 5 && mode == 0;
        if (!no_base) memory.base = (sib & 7U) | rex_b;
    } else if (low == 5 && mode == 0) {
        memory.rip_relative = true;
    } else {
        memory.base = low | rex_b;
    }
    const bool long_displacement = mode == 2 || memory.rip_relative || no_base;
    memory.displacement = bytes.number(long_displacement ? 4 : mode == 1 ? 1 : 0);
    instruction.memory = memory;
}

}  // namespace

std::optional<Instruction> decode_instruction(std::span<const std::byte> code) {
    Bytes bytes(code);
    Instruction instruction;
    Prefixes prefixes;
    take_prefixes(bytes, instruction, prefixes);
    if ((bytes.peek() & 0xF0U) == 0x40) prefixes.rex = bytes.next();
    instruction.wide = (prefixes.rex & 8U) != 0;
    take_opcode(bytes, instruction);
    if (instruction.map == 0) return std::nullopt;
    if (instruction.map == 1 && is_undefined_one_byte(instruction.opcode)) return std::nullopt;
    instruction.low = (instruction.opcode & 7U) | (prefixes.rex & 1U) << 3U;
    if (has_modrm(instruction)) take_modrm(bytes, instruction, prefixes);
    instruction.immediate = bytes.number(immediate_bytes(instruction));
    if (!bytes.ok()) return std::nullopt;
    instruction.length = bytes.taken();
    return instruction;
}

}  // namespace mqinspect::target
