#include "inspector/target/frame_rules.h"

#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <dwarf.h>

namespace mqinspect::target {
namespace {

struct FreeDeleter {
    void operator()(Dwarf_Frame* frame) const { std::free(frame); }  // as libdw.h says
};

// "CFA + offset", which libdw spells in one or two operations.
std::optional<std::int64_t> cfa_plus(std::span<const Dwarf_Op> operations) {
    if (operations.empty() || operations[0].atom != DW_OP_call_frame_cfa) return std::nullopt;
    if (operations.size() == 1) return 0;
    if (operations.size() == 2 && operations[1].atom == DW_OP_plus_uconst)
        return static_cast<std::int64_t>(operations[1].number);
    return std::nullopt;
}

constexpr int kRax = 0;
constexpr int kRbx = 3;

FrameRule::Register register_rule(Dwarf_Frame* frame, int number) {
    using Kind = FrameRule::Register::Kind;
    std::array<Dwarf_Op, 3> memory{};
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_frame_register(frame, number, memory.data(), &operations, &count) != 0) return {};
    // No operations: a null pointer means same value, any other undefined.
    // libdw's defaults for x86-64 (checked with 0.188) keep rax, number 0, where
    // the psABI says rbx, number 3; compilers rely on rbx being kept.
    if (count == 0 && number == kRax) return {};
    if (count == 0 && number == kRbx) return {Kind::Same, 0, {}};
    if (count == 0) return {operations == nullptr ? Kind::Same : Kind::Unknown, 0, {}};
    const std::span all{operations, count};
    if (const auto offset = cfa_plus(all)) return {Kind::AtCfa, *offset, {}};
    if (all.back().atom == DW_OP_stack_value) {
        if (const auto offset = cfa_plus(all.first(count - 1)))
            return {Kind::CfaOffset, *offset, {}};
    }
    return {Kind::Expression, 0, {all.begin(), all.end()}};
}

std::optional<FrameRule> read_rule(Dwarf_CFI* information, std::uint64_t address) {
    Dwarf_Frame* raw = nullptr;
    if (information == nullptr || dwarf_cfi_addrframe(information, address, &raw) != 0)
        return std::nullopt;
    const std::unique_ptr<Dwarf_Frame, FreeDeleter> frame{raw};

    FrameRule rule;
    const int return_register = dwarf_frame_info(frame.get(), nullptr, nullptr, &rule.signal_frame);
    if (return_register < 0 || static_cast<std::size_t>(return_register) >= rule.registers.size())
        return std::nullopt;
    rule.return_register = static_cast<unsigned>(return_register);

    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_frame_cfa(frame.get(), &operations, &count) != 0 || count == 0) return std::nullopt;
    const Dwarf_Op& first = operations[0];
    if (count == 1 && first.atom == DW_OP_bregx) {
        rule.cfa_register = static_cast<unsigned>(first.number);
        rule.cfa_offset = static_cast<std::int64_t>(first.number2);
    } else if (count == 1 && first.atom >= DW_OP_breg0 && first.atom <= DW_OP_breg31) {
        rule.cfa_register = first.atom - DW_OP_breg0;
        rule.cfa_offset = static_cast<std::int64_t>(first.number);
    } else {
        rule.cfa_expression.assign(operations, operations + count);
    }
    for (std::size_t i = 0; i < rule.registers.size(); ++i)
        rule.registers[i] = register_rule(frame.get(), static_cast<int>(i));
    return rule;
}

}  // namespace

FrameRules::FrameRules(Elf* elf, std::function<Dwarf*()> dwarf)
    : eh_frame_(dwarf_getcfi_elf(elf)), dwarf_(std::move(dwarf)) {}

FrameRules::~FrameRules() {
    if (eh_frame_ != nullptr) dwarf_cfi_end(eh_frame_);
}

const FrameRule* FrameRules::at(std::uint64_t address) {
    auto known = known_.find(address);
    if (known == known_.end()) {
        known = known_.emplace(address, std::vector<FrameRule>{}).first;
        auto rule = read_rule(eh_frame_, address);
        if (!rule) {
            // The Dwarf owns and keeps this one.
            Dwarf* dwarf = dwarf_();
            rule = read_rule(dwarf == nullptr ? nullptr : dwarf_getcfi(dwarf), address);
        }
        if (rule) known->second.push_back(std::move(*rule));
    }
    return known->second.empty() ? nullptr : &known->second.front();
}

}  // namespace mqinspect::target
