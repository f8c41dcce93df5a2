#include <optional>

#include <fmt/format.h>

#include "inspector/target/dwarf_expression.h"
#include "inspector/target/frame_rules.h"
#include "inspector/target/stack.h"

namespace mqinspect::target {
namespace {

constexpr std::size_t kRbp = 6;
constexpr std::size_t kRsp = 7;
constexpr std::size_t kReturnAddress = 16;

FrameRegisters first_registers(const user_regs_struct& r) {
    return {r.rax,
            r.rdx,
            r.rcx,
            r.rbx,
            r.rsi,
            r.rdi,
            r.rbp,
            r.rsp,
            r.r8,
            r.r9,
            r.r10,
            r.r11,
            r.r12,
            r.r13,
            r.r14,
            r.r15,
            r.rip};
}

// For the expressions of call frame information, which know no variables.
class CfiFrame final : public ExpressionFrame {
public:
    CfiFrame(const Memory& memory,
             const FrameRegisters& registers,
             std::optional<std::uint64_t> cfa,
             std::uint64_t bias)
        : memory_(memory), registers_(registers), cfa_(cfa), bias_(bias) {}

    const Memory& memory() const override { return memory_; }
    const FrameRegisters& registers() const override { return registers_; }
    std::optional<std::uint64_t> cfa() const override { return cfa_; }
    std::uint64_t bias() const override { return bias_; }
    Result<std::uint64_t> frame_base() const override { return no_such(); }
    Result<std::uint64_t> entry_value(unsigned) const override { return no_such(); }

private:
    static Error no_such() {
        return {ErrorCode::CorruptData, "call frame information refers to variables"};
    }

    const Memory& memory_;
    const FrameRegisters& registers_;
    std::optional<std::uint64_t> cfa_;
    std::uint64_t bias_;
};

class Unwinder {
public:
    Unwinder(const ProcessView& view, const CapturedThread& thread, const Memory& memory)
        : view_(view), thread_(thread), memory_(memory) {}

    UnwoundStack run(std::size_t max_frames) {
        stack_.thread_pointer = thread_.registers.fs_base;
        UnwoundFrame frame;
        frame.registers = first_registers(thread_.registers);
        frame.pc = Address{thread_.registers.rip};
        while (stack_.frames.size() < max_frames) {
            stack_.frames.push_back(frame);
            auto caller = caller_of(stack_.frames.back());
            if (!caller) return std::move(stack_);
            frame = *caller;
        }
        note(fmt::format("deeper than {} frames", max_frames));
        return std::move(stack_);
    }

private:
    // Sets the frame's cfa. Nothing: the outermost frame, or a problem noted.
    std::optional<UnwoundFrame> caller_of(UnwoundFrame& frame) {
        const Module* module = view_.module_at(frame.pc);
        const FrameRule* rule = nullptr;
        if (module != nullptr) {
            // A call may be the last instruction of its function.
            const std::uint64_t linked = module->linked(frame.pc);
            rule = module->image->frame_rules()->at(linked - (frame.is_return_address ? 1 : 0));
        }
        if (rule != nullptr) {
            auto caller = by_rule(frame, *rule, module->bias);
            if (!caller) {
                note(fmt::format("frame {}: {}", index(), caller.error().message));
                return std::nullopt;
            }
            return *caller;
        }
        return is_code(frame.pc) ? by_frame_pointer(frame) : after_wild_jump(frame);
    }

    // An empty optional is the regular end of the stack.
    Result<std::optional<UnwoundFrame>> by_rule(UnwoundFrame& frame,
                                                const FrameRule& rule,
                                                std::uint64_t bias) {
        const std::uint64_t cfa = TRY(cfa_of(frame, rule, bias));
        frame.cfa = cfa;
        const auto pointer = frame.registers[kRsp];
        if (!rule.signal_frame && pointer && cfa <= *pointer)
            return Error{ErrorCode::CorruptData, "the stack leads back to itself"};

        UnwoundFrame caller;
        for (std::size_t i = 0; i < rule.registers.size(); ++i)
            caller.registers[i] = TRY(restore(frame, rule.registers[i], i, cfa, bias));
        const auto return_address = caller.registers[rule.return_register];
        if (!return_address || *return_address == 0) return std::optional<UnwoundFrame>{};
        caller.pc = Address{*return_address};
        caller.registers[kReturnAddress] = *return_address;
        caller.is_return_address = !rule.signal_frame;
        if (!caller.registers[kRsp]) caller.registers[kRsp] = cfa;
        if (caller.is_return_address && !is_code(caller.pc)) {
            return Error{ErrorCode::CorruptData,
                         fmt::format("the return address {:#x} is no code", *return_address)};
        }
        return std::optional{caller};
    }

    Result<std::uint64_t> cfa_of(const UnwoundFrame& frame,
                                 const FrameRule& rule,
                                 std::uint64_t bias) const {
        if (!rule.cfa_expression.empty()) {
            const CfiFrame context(memory_, frame.registers, std::nullopt, bias);
            const auto parts = TRY(evaluate(rule.cfa_expression, nullptr, context));
            // The expression computes the address itself.
            return parts.front().value;
        }
        if (rule.cfa_register >= frame.registers.size() || !frame.registers[rule.cfa_register])
            return Error{ErrorCode::BadAddress, "the caller's frame cannot be found"};
        return *frame.registers[rule.cfa_register] + static_cast<std::uint64_t>(rule.cfa_offset);
    }

    Result<std::optional<std::uint64_t>> restore(const UnwoundFrame& frame,
                                                 const FrameRule::Register& rule,
                                                 std::size_t number,
                                                 std::uint64_t cfa,
                                                 std::uint64_t bias) const {
        using Kind = FrameRule::Register::Kind;
        using Value = std::optional<std::uint64_t>;
        const std::uint64_t at = cfa + static_cast<std::uint64_t>(rule.offset);
        switch (rule.kind) {
            case Kind::Unknown:
                return Value{};
            case Kind::Same:
                return Value{frame.registers[number]};
            case Kind::CfaOffset:
                return Value{at};
            case Kind::AtCfa:
                return Value{TRY(read_value<std::uint64_t>(memory_, Address{at}))};
            case Kind::Expression:
                break;
        }
        const CfiFrame context(memory_, frame.registers, cfa, bias);
        const auto parts = TRY(evaluate(rule.expression, nullptr, context));
        const ValuePart& part = parts.front();
        if (part.kind == ValuePart::Kind::Memory)
            return Value{TRY(read_value<std::uint64_t>(memory_, Address{part.value}))};
        if (part.kind == ValuePart::Kind::Register && part.value < frame.registers.size())
            return Value{frame.registers[part.value]};
        if (part.kind == ValuePart::Kind::Value) return Value{part.value};
        return Value{};
    }

    // Code without call frame information: hand-written assembler, or generated
    // at run time. A chain of frame pointers is believed only where it leads
    // upwards to code.
    std::optional<UnwoundFrame> by_frame_pointer(UnwoundFrame& frame) {
        const auto base = frame.registers[kRbp];
        const auto pointer = frame.registers[kRsp];
        const std::string where = fmt::format(
            "frame {}: no call frame information at {:#x}", index(), to_integer(frame.pc));
        if (base && pointer && *base >= *pointer && *base % 8 == 0 && *base <= UINT64_MAX - 16) {
            const auto saved = read_value<std::uint64_t>(memory_, Address{*base});
            const auto return_address = read_value<std::uint64_t>(memory_, Address{*base + 8});
            if (saved && return_address && is_code(Address{*return_address})) {
                note(where + ", followed the frame pointer");
                frame.cfa = *base + 16;
                UnwoundFrame caller = returned_to(*return_address, *base + 16);
                caller.registers[kRbp] = *saved;
                return caller;
            }
        }
        note(where);
        return std::nullopt;
    }

    // A call through a bad pointer has pushed the address to return to.
    std::optional<UnwoundFrame> after_wild_jump(UnwoundFrame& frame) {
        const auto pointer = frame.registers[kRsp];
        if (!frame.is_return_address && pointer && *pointer <= UINT64_MAX - 8) {
            const auto return_address = read_value<std::uint64_t>(memory_, Address{*pointer});
            if (return_address && is_code(Address{*return_address})) {
                note(fmt::format("frame {}: no code at {:#x}", index(), to_integer(frame.pc)));
                frame.cfa = *pointer + 8;
                UnwoundFrame caller = returned_to(*return_address, *pointer + 8);
                for (const std::size_t saved : {3U, 6U, 12U, 13U, 14U, 15U})
                    caller.registers[saved] = frame.registers[saved];
                return caller;
            }
        }
        note(fmt::format("frame {}: no code at {:#x}", index(), to_integer(frame.pc)));
        return std::nullopt;
    }

    static UnwoundFrame returned_to(std::uint64_t return_address, std::uint64_t pointer) {
        UnwoundFrame caller;
        caller.pc = Address{return_address};
        caller.is_return_address = true;
        caller.registers[kReturnAddress] = return_address;
        caller.registers[kRsp] = pointer;
        return caller;
    }

    bool is_code(Address pc) const {
        const Mapping* mapping = view_.mapping_at(pc);
        return mapping != nullptr && mapping->executable;
    }

    std::size_t index() const { return stack_.frames.size() - 1; }

    void note(const std::string& text) {
        if (!stack_.problem.empty()) stack_.problem += "; ";
        stack_.problem += text;
    }

    const ProcessView& view_;
    const CapturedThread& thread_;
    const Memory& memory_;
    UnwoundStack stack_;
};

}  // namespace

UnwoundStack unwind(const ProcessView& view,
                    const CapturedThread& thread,
                    const Memory& memory,
                    std::size_t max_frames) {
    const CapturedMemory captured(thread, memory);
    return Unwinder(view, thread, captured).run(max_frames);
}

}  // namespace mqinspect::target
