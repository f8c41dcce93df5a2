#include <array>

#include "inspector/target/stack.h"
#include "inspector/target/straight_code.h"

namespace mqinspect::target {
namespace {

/// More code than one function has; it is copied and followed.
constexpr std::uint64_t kMaxCodeBytes = std::uint64_t{4} << 20;
constexpr unsigned kStackPointer = 7;  // in DWARF's numbering

struct ArgumentRegister {
    unsigned machine;  ///< its number in instructions
    unsigned dwarf;
};
/// rdi, rsi, rdx, rcx, r8, r9 (System V ABI, AMD64 supplement, 3.2.3).
constexpr std::array<ArgumentRegister, 6> kArgumentRegisters{
    {{7, 5}, {6, 4}, {2, 1}, {1, 2}, {8, 8}, {9, 9}}};

std::optional<CallSetup> setup_of(const ProcessView& view,
                                  const UnwoundFrame& frame,
                                  const Memory& memory) {
    const Module* module = view.module_at(frame.pc);
    if (module == nullptr || !frame.is_return_address) return std::nullopt;
    const std::uint64_t end = module->linked(frame.pc);
    const auto function = module->image->function_at(end - 1);
    if (!function || function->address >= end || end - function->address > kMaxCodeBytes) {
        return std::nullopt;
    }
    std::vector<std::byte> code(end - function->address);
    const Address start = module->loaded(function->address);
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
