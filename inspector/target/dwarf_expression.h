/// DWARF expressions: where a value lives, or what it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <elfutils/libdw.h>

#include "base/result.h"
#include "inspector/target/memory.h"
#include "inspector/target/stack.h"

namespace mqinspect::target {

/// What an expression may ask about the frame that it belongs to.
class ExpressionFrame {
public:
    ExpressionFrame() = default;
    ExpressionFrame(const ExpressionFrame&) = delete;
    ExpressionFrame& operator=(const ExpressionFrame&) = delete;
    virtual ~ExpressionFrame() = default;

    virtual const Memory& memory() const = 0;
    virtual const FrameRegisters& registers() const = 0;
    /// DW_OP_call_frame_cfa.
    virtual std::optional<std::uint64_t> cfa() const = 0;
    /// Address in the process minus address as linked.
    virtual std::uint64_t bias() const = 0;
    /// DW_OP_fbreg's base.
    virtual Result<std::uint64_t> frame_base() const = 0;
    /// What the register held when the function was entered.
    virtual Result<std::uint64_t> entry_value(unsigned dwarf_register) const = 0;
    /// DW_OP_form_tls_address: of the variable at this offset of the image's block.
    virtual Result<std::uint64_t> thread_local_address(std::uint64_t offset) const {
        static_cast<void>(offset);
        return Error{ErrorCode::UnsupportedLayout, "thread-local: not read"};
    }
    /// DW_OP_push_object_address, in expressions of types.
    virtual std::optional<std::uint64_t> object_address() const { return std::nullopt; }
};

/// A part of a value.
struct ValuePart {
    enum class Kind {
        Memory,       ///< at address `value`
        Register,     ///< in DWARF register `value`
        Value,        ///< it is `value`
        Bytes,        ///< it is `bytes`
        Unavailable,  ///< optimised out
    } kind = Kind::Unavailable;
    std::uint64_t value = 0;
    std::vector<std::byte> bytes;
    /// Bytes of the part; empty: the expression describes the whole value.
    std::optional<std::uint64_t> size;
};

/// Computes the expression. `attribute` is the one that holds it, needed for
/// operations with operands of their own; null for call frame information.
/// BadAddress: it depends on something that has no value here;
/// UnsupportedLayout: an operation we do not know; CorruptData.
Result<std::vector<ValuePart>> evaluate(std::span<const Dwarf_Op> operations,
                                        Dwarf_Attribute* attribute,
                                        const ExpressionFrame& frame);

}  // namespace mqinspect::target
