/// One frame of an unwound stack, as expressions of debug information ask of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "inspector/target/dwarf_expression.h"
#include "inspector/target/process_view.h"
#include "inspector/target/scopes.h"
#include "inspector/target/stack.h"

namespace mqinspect::target {

/// The instruction, as linked, by which scopes and locations are chosen: for a frame that
/// waits for a call to return, the call.
std::uint64_t linked_lookup_address(const Module& module, const UnwoundFrame& frame);

/// Borrows everything.
class VariableFrame final : public ExpressionFrame {
public:
    /// `module` is the one whose expressions are evaluated; it need not be that of the
    /// frame. `callers` counts entry values that rest on the caller's own.
    VariableFrame(const ProcessView& view,
                  const UnwoundStack& stack,
                  std::size_t index,
                  const Memory& memory,
                  const Module& module,
                  int callers = 0)
        : view_(view),
          stack_(stack),
          index_(index),
          memory_(memory),
          module_(module),
          callers_(callers) {}

    /// For expressions of a type: where the object of this type lies.
    void set_object(std::optional<std::uint64_t> address) { object_ = address; }

    const Memory& memory() const override { return memory_; }
    const FrameRegisters& registers() const override { return frame().registers; }
    std::optional<std::uint64_t> cfa() const override { return frame().cfa; }
    std::uint64_t bias() const override { return module_.bias; }
    Result<std::uint64_t> frame_base() const override;
    Result<std::uint64_t> entry_value(unsigned dwarf_register) const override;
    Result<std::uint64_t> thread_local_address(std::uint64_t offset) const override;
    std::optional<std::uint64_t> object_address() const override { return object_; }

private:
    const UnwoundFrame& frame() const { return stack_.frames[index_]; }
    bool calls_us(const CallSite& site, const VariableFrame& caller) const;
    std::optional<std::uint64_t> symbol_of(Dwarf_Die callee) const;

    const ProcessView& view_;
    const UnwoundStack& stack_;
    std::size_t index_;
    const Memory& memory_;
    const Module& module_;
    int callers_;
    std::optional<std::uint64_t> object_;
    mutable bool evaluating_base_ = false;
};

}  // namespace mqinspect::target
