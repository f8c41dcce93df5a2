#include "inspector/target/dwarf_expression.h"

#include <algorithm>
#include <cstring>

#include <dwarf.h>
#include <fmt/format.h>

#include "inspector/target/dwarf_types.h"

namespace mqinspect::target {
namespace {

constexpr std::size_t kMaxSteps = 4096;  // an expression may loop
constexpr std::size_t kMaxDepth = 256;
constexpr std::size_t kMaxBytes = 65536;

// An integer type of at most 8 bytes; DWARF's generic type is 8 bytes unsigned.
struct ValueType {
    std::uint64_t size = 8;
    bool is_signed = false;
};

struct Entry {
    std::uint64_t bits = 0;  // extended to 8 bytes as the type says
    ValueType type;
};

std::uint64_t extend(std::uint64_t bits, ValueType type) {
    if (type.size >= 8) return bits;
    const unsigned shift = 64 - static_cast<unsigned>(type.size) * 8;
    if (type.is_signed)
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << shift) >> shift);
    return bits << shift >> shift;
}

Error no_value(const char* what) {
    return {ErrorCode::BadAddress, what};
}

class Machine {
public:
    Machine(std::span<const Dwarf_Op> operations,
            Dwarf_Attribute* attribute,
            const ExpressionFrame& frame)
        : operations_(operations), attribute_(attribute), frame_(frame) {}

    Result<std::vector<ValuePart>> run() {
        for (std::size_t steps = 0; next_ < operations_.size(); ++steps) {
            if (steps == kMaxSteps || stack_.size() > kMaxDepth)
                return Error{ErrorCode::CorruptData, "a location expression does not end"};
            TRY(step(operations_[next_++]));
        }
        // Without a piece, what is on the stack is the address of the value.
        if (parts_.empty() || location_) finish_part(std::nullopt);
        return std::move(parts_);
    }

private:
    Result<Done> step(const Dwarf_Op& op) {
        const unsigned atom = op.atom;
        if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) return push(atom - DW_OP_lit0);
        if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) return in_register(atom - DW_OP_reg0);
        if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
            return push_register(atom - DW_OP_breg0, op.number);
        switch (atom) {
            case DW_OP_regx:
                return in_register(op.number);
            case DW_OP_bregx:
                return push_register(op.number, op.number2);
            case DW_OP_addr:
                return push(op.number + frame_.bias());
            case DW_OP_const1u:
            case DW_OP_const1s:
            case DW_OP_const2u:
            case DW_OP_const2s:
            case DW_OP_const4u:
            case DW_OP_const4s:
            case DW_OP_const8u:
            case DW_OP_const8s:
            case DW_OP_constu:
            case DW_OP_consts:
                return push(op.number);
            case DW_OP_nop:
                return Done{};
            case DW_OP_fbreg:
                return push(TRY(frame_.frame_base()) + op.number);
            case DW_OP_call_frame_cfa:
                if (!frame_.cfa()) return no_value("the frame's address is not known");
                return push(*frame_.cfa());
            case DW_OP_push_object_address:
                if (!frame_.object_address()) return no_value("the object has no address");
                return push(*frame_.object_address());
            case DW_OP_stack_value:
            case DW_OP_implicit_value:
            case DW_OP_implicit_pointer:
            case DW_OP_GNU_implicit_pointer:
            case DW_OP_piece:
                return place(op);
            case DW_OP_entry_value:
            case DW_OP_GNU_entry_value:
                return entry_value(op);
            case DW_OP_const_type:
            case DW_OP_regval_type:
            case DW_OP_deref_type:
            case DW_OP_convert:
            case DW_OP_reinterpret:
            case DW_OP_GNU_const_type:
            case DW_OP_GNU_regval_type:
            case DW_OP_GNU_deref_type:
            case DW_OP_GNU_convert:
            case DW_OP_GNU_reinterpret:
                return typed(op);
            case DW_OP_skip:
            case DW_OP_bra:
                return jump(op);
            default:
                return unary_or_stack(op);
        }
    }

    Result<Done> unary_or_stack(const Dwarf_Op& op) {
        Entry top = TRY(pop());
        switch (op.atom) {
            case DW_OP_drop:
                return Done{};
            case DW_OP_dup:
                stack_.push_back(top);
                return keep(top);
            case DW_OP_over:
                stack_.push_back(top);
                return pick(1);
            case DW_OP_pick:
                stack_.push_back(top);
                return pick(op.number);
            case DW_OP_plus_uconst:
                return push(top.bits + op.number, top.type);
            case DW_OP_neg:
                return push(0 - top.bits, top.type);
            case DW_OP_not:
                return push(~top.bits, top.type);
            case DW_OP_abs:
                return push(static_cast<std::int64_t>(top.bits) < 0 ? 0 - top.bits : top.bits,
                            top.type);
            case DW_OP_form_tls_address:
            case DW_OP_GNU_push_tls_address:
                return push(TRY(frame_.thread_local_address(top.bits)));
            case DW_OP_deref:
                return load(top.bits, {});
            case DW_OP_deref_size:
                return load(top.bits, {op.number, false});
            default:
                break;
        }
        Entry second = TRY(pop());
        if (op.atom == DW_OP_swap) {
            stack_.push_back(top);
            return keep(second);
        }
        if (op.atom == DW_OP_rot) {
            const Entry third = TRY(pop());
            stack_.insert(stack_.end(), {top, third});
            return keep(second);
        }
        return binary(op.atom, second, top);
    }

    Result<Done> binary(unsigned atom, const Entry& left, const Entry& right) {
        const std::uint64_t a = left.bits;
        const std::uint64_t b = right.bits;
        const auto sa = static_cast<std::int64_t>(a);
        const auto sb = static_cast<std::int64_t>(b);
        switch (atom) {
            case DW_OP_plus:
                return push(a + b, left.type);
            case DW_OP_minus:
                return push(a - b, left.type);
            case DW_OP_mul:
                return push(a * b, left.type);
            case DW_OP_and:
                return push(a & b, left.type);
            case DW_OP_or:
                return push(a | b, left.type);
            case DW_OP_xor:
                return push(a ^ b, left.type);
            case DW_OP_shl:
                return push(b < 64 ? a << b : 0, left.type);
            case DW_OP_shr:
                return push(b < 64 ? unsigned_bits(left) >> b : 0, left.type);
            case DW_OP_shra:
                return push(static_cast<std::uint64_t>(sa >> std::min<std::uint64_t>(b, 63)),
                            left.type);
            case DW_OP_div:
            case DW_OP_mod:
                return divide(atom, left, right);
            // Of the generic type these compare as signed (DWARF 5, 2.5.1.5).
            case DW_OP_eq:
                return push(a == b ? 1 : 0);
            case DW_OP_ne:
                return push(a != b ? 1 : 0);
            case DW_OP_lt:
                return push(sa < sb ? 1 : 0);
            case DW_OP_le:
                return push(sa <= sb ? 1 : 0);
            case DW_OP_gt:
                return push(sa > sb ? 1 : 0);
            case DW_OP_ge:
                return push(sa >= sb ? 1 : 0);
            default:
                return Error{ErrorCode::UnsupportedLayout,
                             fmt::format("location operation {:#x} is not supported", atom)};
        }
    }

    Result<Done> divide(unsigned atom, const Entry& left, const Entry& right) {
        if (right.bits == 0) return no_value("a location expression divides by zero");
        const auto a = static_cast<std::int64_t>(left.bits);
        const auto b = static_cast<std::int64_t>(right.bits);
        if (atom == DW_OP_mod) return push(left.bits % right.bits, left.type);
        if (b == -1) return push(0 - left.bits, left.type);  // no overflow trap
        return push(static_cast<std::uint64_t>(a / b), left.type);
    }

    static std::uint64_t unsigned_bits(const Entry& entry) {
        return extend(entry.bits, {entry.type.size, false});
    }

    // Operations that end the description of a value or of a piece of it.
    Result<Done> place(const Dwarf_Op& op) {
        if (op.atom == DW_OP_piece) {
            finish_part(op.number);
            return Done{};
        }
        ValuePart part;
        if (op.atom == DW_OP_stack_value) {
            part.kind = ValuePart::Kind::Value;
            part.value = TRY(pop()).bits;
        } else if (op.atom == DW_OP_implicit_value) {
            Dwarf_Block block{};
            if (attribute_ == nullptr ||
                dwarf_getlocation_implicit_value(attribute_, &op, &block) != 0 ||
                block.length > kMaxBytes) {
                return Error{ErrorCode::CorruptData, "a constant in a location is damaged"};
            }
            part.kind = ValuePart::Kind::Bytes;
            const auto* data = reinterpret_cast<const std::byte*>(block.data);
            part.bytes.assign(data, data + block.length);
        }  // else a pointer to something that was optimised out: no value
        location_ = std::move(part);
        return Done{};
    }

    // Closes a piece, or the whole value. Nothing described: it was optimised out.
    void finish_part(std::optional<std::uint64_t> size) {
        ValuePart part;
        if (location_) {
            part = std::move(*location_);
        } else if (!stack_.empty()) {
            part.kind = ValuePart::Kind::Memory;
            part.value = stack_.back().bits;
            stack_.pop_back();
        }
        part.size = size;
        location_.reset();
        parts_.push_back(std::move(part));
    }

    Result<Done> in_register(std::uint64_t number) {
        location_ =
            ValuePart{.kind = ValuePart::Kind::Register, .value = number, .bytes = {}, .size = {}};
        return Done{};
    }

    Result<std::uint64_t> register_value(std::uint64_t number) const {
        const FrameRegisters& registers = frame_.registers();
        if (number >= registers.size())
            return Error{ErrorCode::UnsupportedLayout, "the value is in a vector register"};
        if (!registers[number])
            return no_value("the register was overwritten by a called function");
        return *registers[number];
    }

    Result<Done> push_register(std::uint64_t number, std::uint64_t offset) {
        return push(TRY(register_value(number)) + offset);
    }

    // The operand is an expression: a register, or the memory it pointed to.
    Result<Done> entry_value(const Dwarf_Op& op) {
        Dwarf_Attribute block{};
        Dwarf_Op* operations = nullptr;
        std::size_t count = 0;
        if (attribute_ == nullptr || dwarf_getlocation_attr(attribute_, &op, &block) != 0 ||
            dwarf_getlocation(&block, &operations, &count) != 0 || count != 1) {
            return Error{ErrorCode::UnsupportedLayout, "an entry value that is no register"};
        }
        const unsigned atom = operations[0].atom;
        if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31)
            return push(TRY(frame_.entry_value(atom - DW_OP_reg0)));
        if (atom == DW_OP_regx)
            return push(TRY(frame_.entry_value(static_cast<unsigned>(operations[0].number))));
        return Error{ErrorCode::UnsupportedLayout, "an entry value that is no register"};
    }

    Result<Done> typed(const Dwarf_Op& op) {
        const ValueType type = TRY(operand_type(op));
        switch (op.atom) {
            case DW_OP_regval_type:
            case DW_OP_GNU_regval_type:
                return push(TRY(register_value(op.number)), type);
            case DW_OP_deref_type:
            case DW_OP_GNU_deref_type:
                return load(TRY(pop()).bits, type);
            case DW_OP_const_type:
            case DW_OP_GNU_const_type: {
                Dwarf_Block block{};
                if (dwarf_getlocation_implicit_value(attribute_, &op, &block) != 0 ||
                    block.length > 8)
                    return Error{ErrorCode::CorruptData, "a typed constant is damaged"};
                std::uint64_t bits = 0;
                std::memcpy(&bits, block.data, block.length);
                return push(bits, type);
            }
            default: {
                const Entry entry = TRY(pop());
                return push(entry.bits, type);
            }
        }
    }

    Result<ValueType> operand_type(const Dwarf_Op& op) const {
        const bool conversion = op.atom == DW_OP_convert || op.atom == DW_OP_GNU_convert ||
                                op.atom == DW_OP_reinterpret || op.atom == DW_OP_GNU_reinterpret;
        if (conversion && op.number == 0) return ValueType{};
        Dwarf_Die die{};
        Dwarf_Attribute encoding{};
        Dwarf_Word code = 0;
        if (attribute_ == nullptr || dwarf_getlocation_die(attribute_, &op, &die) != 0 ||
            dwarf_attr(&die, DW_AT_encoding, &encoding) == nullptr ||
            dwarf_formudata(&encoding, &code) != 0) {
            return Error{ErrorCode::CorruptData, "a location names a type that is not there"};
        }
        const auto size = type_size(die);
        const bool is_signed = code == DW_ATE_signed || code == DW_ATE_signed_char;
        const bool is_unsigned = code == DW_ATE_unsigned || code == DW_ATE_unsigned_char ||
                                 code == DW_ATE_boolean || code == DW_ATE_address;
        if (!size || *size == 0 || *size > 8 || (!is_signed && !is_unsigned))
            return Error{ErrorCode::UnsupportedLayout, "a location computes with no integer"};
        return ValueType{*size, is_signed};
    }

    Result<Done> jump(const Dwarf_Op& op) {
        if (op.atom == DW_OP_bra && TRY(pop()).bits == 0) return Done{};
        // Relative to the end of this operation, which is 3 bytes long.
        const std::uint64_t target =
            op.offset + 3 + static_cast<std::uint64_t>(static_cast<std::int16_t>(op.number));
        const auto found = std::find_if(operations_.begin(),
                                        operations_.end(),
                                        [target](const Dwarf_Op& o) { return o.offset == target; });
        next_ = static_cast<std::size_t>(found - operations_.begin());
        return Done{};
    }

    Result<Done> load(std::uint64_t address, ValueType type) {
        if (type.size == 0 || type.size > 8)
            return Error{ErrorCode::CorruptData, "a location reads a value of impossible size"};
        std::uint64_t bits = 0;
        TRY(frame_.memory().read(Address{address},
                                 std::as_writable_bytes(std::span{&bits, 1}).first(type.size)));
        return push(bits, type);
    }

    Result<Done> push(std::uint64_t bits, ValueType type = {}) {
        return keep({extend(bits, type), type});
    }
    Result<Done> keep(const Entry& entry) {
        stack_.push_back(entry);
        return Done{};
    }
    Result<Done> pick(std::uint64_t depth) {
        if (depth >= stack_.size()) return underflow();
        return keep(stack_[stack_.size() - 1 - depth]);
    }
    Result<Entry> pop() {
        if (stack_.empty()) return underflow();
        const Entry entry = stack_.back();
        stack_.pop_back();
        return entry;
    }
    static Error underflow() {
        return {ErrorCode::CorruptData, "a location expression takes more than it has"};
    }

    std::span<const Dwarf_Op> operations_;
    Dwarf_Attribute* attribute_;
    const ExpressionFrame& frame_;
    std::size_t next_ = 0;
    std::vector<Entry> stack_;
    std::optional<ValuePart> location_;
    std::vector<ValuePart> parts_;
};

}  // namespace

Result<std::vector<ValuePart>> evaluate(std::span<const Dwarf_Op> operations,
                                        Dwarf_Attribute* attribute,
                                        const ExpressionFrame& frame) {
    return Machine(operations, attribute, frame).run();
}

}  // namespace mqinspect::target
