#include "inspector/target/straight_code.h"

#include <algorithm>
#include <set>
#include <vector>

#include "inspector/target/instruction.h"
#include "inspector/target/machine.h"

namespace mqinspect::target {
namespace {

constexpr unsigned kRsp = 4;
/// DWARF's number of each register, see FrameRegisters.
constexpr std::array<unsigned, 16> kDwarfNumber{
    0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};

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
