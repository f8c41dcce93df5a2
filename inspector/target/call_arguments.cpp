#include <array>

#include "inspector/target/frame_rules.h"
#include "inspector/target/stack.h"
#include "inspector/target/straight_code.h"
#include "inspector/target/unwind_table.h"

namespace mqinspect::target {
namespace {

/// More code than one function has; it is copied and followed.
constexpr std::uint64_t kMaxCodeBytes = std::uint64_t{4} << 20;
constexpr unsigned kStackPointer = 7;  // in DWARF's numbering
constexpr std::int64_t kWordBytes = 8;

struct ArgumentRegister {
    unsigned machine;  ///< its number in instructions
    unsigned dwarf;
};
/// rdi, rsi, rdx, rcx, r8, r9 (System V ABI, AMD64 supplement, 3.2.3).
constexpr std::array<ArgumentRegister, 6> kArgumentRegisters{
    {{7, 5}, {6, 4}, {2, 1}, {1, 2}, {8, 8}, {9, 9}}};

/// By its symbol; where that is stripped, by its frame information. A part that the compiler has
/// moved away is not followed then: control comes to many places of it from elsewhere. Its first
/// instruction has a frame already.
std::optional<std::uint64_t> begin_of_function(const Image& image, std::uint64_t address) {
    if (const auto symbol = image.function_at(address)) return symbol->address;
    const auto begin = begin_of_code(image.elf(), address);
    const FrameRule* rule = begin ? image.frame_rules()->at(*begin) : nullptr;
    const bool entry = rule != nullptr && rule->cfa_expression.empty() &&
                       rule->cfa_register == kStackPointer && rule->cfa_offset == kWordBytes;
    return entry ? begin : std::nullopt;
}

std::optional<CallSetup> setup_of(const ProcessView& view,
                                  const UnwoundFrame& frame,
                                  const Memory& memory) {
    const Module* module = view.module_at(frame.pc);
    if (module == nullptr || !frame.is_return_address) return std::nullopt;
    const std::uint64_t end = module->linked(frame.pc);
    const auto begin = begin_of_function(*module->image, end - 1);
    if (!begin || *begin >= end || end - *begin > kMaxCodeBytes) return std::nullopt;
    std::vector<std::byte> code(end - *begin);
    const Address start = module->loaded(*begin);
    if (!memory.read(start, code)) return std::nullopt;
    return follow_to_call(code, to_integer(start), frame.registers, memory);
}

}  // namespace

std::vector<std::optional<std::uint64_t>> passed_arguments(const ProcessView& view,
                                                           const UnwoundStack& stack,
                                                           std::size_t caller,
                                                           const Memory& memory,
                                                           Address callee,
                                                           std::size_t count) {
    std::vector<std::optional<std::uint64_t>> arguments(count);
    if (caller >= stack.frames.size()) return arguments;
    const UnwoundFrame& frame = stack.frames[caller];
    const auto setup = setup_of(view, frame, memory);
    if (!setup || setup->callee != to_integer(callee)) return arguments;
    for (std::size_t i = 0; i < count; ++i) {
        if (i < kArgumentRegisters.size()) {
            const ArgumentRegister place = kArgumentRegisters[i];
            arguments[i] = call_site_value(view, stack, caller, memory, place.dwarf);
            if (!arguments[i]) arguments[i] = setup->registers[place.machine];
            continue;
        }
        const auto top = frame.registers[kStackPointer];
        if (!top) continue;
        const auto word = setup->stored.find(*top + 8 * (i - kArgumentRegisters.size()));
        if (word != setup->stored.end()) arguments[i] = word->second;
    }
    return arguments;
}

}  // namespace mqinspect::target
