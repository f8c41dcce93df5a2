/// Values of a target: where they lie, and how one gets from one to another.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inspector/target/dwarf_expression.h"
#include "inspector/target/scopes.h"
#include "inspector/target/stack.h"
#include "inspector/target/value_type.h"

namespace mqinspect::target {

struct Value {
    ValueType type;
    /// Where it lies in memory; empty: it lives in registers, or was computed.
    std::optional<Address> address;
    /// Its bytes if it has no address, or if they have been read already.
    std::vector<std::byte> bytes;
    /// Ranges of `bytes` that have no value.
    struct Gap {
        std::uint64_t start = 0;
        std::uint64_t end = 0;
    };
    std::vector<Gap> gaps;
    /// Of a bit field; size 0: it is none.
    std::uint64_t bit_offset = 0;
    std::uint64_t bit_size = 0;
    /// Not empty: it has no value, and why: "optimized out".
    std::string absent;
};

/// A member of a structure, or a base class.
struct Member {
    std::string_view name;  ///< empty: anonymous
    Dwarf_Die die{};
    bool is_base = false;
};

/// Follows values through the memory of one frame's process. Everything is bounded:
/// neither memory nor debug information is trusted. Borrows its arguments.
class ValueReader {
public:
    ValueReader(const ProcessView& view,
                const UnwoundStack& stack,
                std::size_t index,
                const Memory& memory)
        : view_(view), stack_(stack), index_(index), memory_(memory) {}

    const ProcessView& view() const { return view_; }
    const Memory& memory() const { return memory_; }

    /// A variable at its place; never fails: what has no value is absent.
    Value variable(const Module& module, Dwarf_Die die, const VariableSite& site) const;

    /// Of constant size, or of the size that this frame gives it.
    std::optional<std::uint64_t> size_of(const ValueType& type) const;
    /// All bytes of a value; BadAddress: it has none, or cannot be read.
    Result<std::vector<std::byte>> bytes(const Value& value) const;
    /// Reads them ahead, if it can, so that parts need no further reads.
    void read_ahead(Value& value) const;

    /// Members in order, those of incomplete types from where they are defined.
    std::vector<Member> members(const ValueType& type) const;
    Value member(const Value& structure, const Member& member) const;
    /// By name, those of anonymous members and base classes too.
    Result<Value> member(const Value& structure, std::string_view name) const;
    /// Of an array, or what lies that many objects behind a pointer.
    Result<Value> element(const Value& value, std::int64_t subscript) const;
    /// What a pointer or reference leads to.
    Result<Value> dereference(const Value& pointer) const;

    /// The elements of a std::vector as an array; empty: it is none, or damaged.
    std::optional<Value> vector_elements(const Value& value) const;
    /// The text object of a std::string as an array; empty: it is none, or damaged.
    std::optional<Value> string_characters(const Value& value) const;

    /// An integer, character, boolean, enumeration or pointer, sign extended.
    Result<std::uint64_t> integer(const Value& value) const;
    Result<long double> real(const Value& value) const;

private:
    std::optional<std::int64_t> bound(Dwarf_Die entry,
                                      unsigned attribute,
                                      const Module& module,
                                      std::optional<Address> object) const;
    std::optional<Value> referenced(Dwarf_Attribute& attribute, const Module& module) const;
    /// Works out the bounds of an array, and where its elements lie.
    void settle(Value& value) const;
    std::vector<TypeStep> dimensions(Dwarf_Die array,
                                     const Module& module,
                                     std::optional<Address> object,
                                     int depth) const;
    std::optional<std::uint64_t> size_of(const ValueType& type,
                                         std::optional<Address> object,
                                         int depth) const;
    std::optional<std::uint64_t> string_size(Dwarf_Die string, const Module& module) const;
    Value part(const Value& whole, std::uint64_t offset, ValueType type) const;
    Result<std::int64_t> member_offset(const Value& structure, Dwarf_Die member) const;
    std::optional<Value> find_member(const Value& structure, std::string_view name) const;
    std::optional<Value> find_member(const Value& structure,
                                     std::string_view name,
                                     int depth,
                                     int& budget) const;
    ValueType complete(const ValueType& type) const;
    void append_parts(const std::vector<ValuePart>& parts, std::uint64_t size, Value& value) const;
    Value array_between(const Value& first, const Value& last) const;

    const ProcessView& view_;
    const UnwoundStack& stack_;
    std::size_t index_;
    const Memory& memory_;
    mutable int bounds_ = 0;  ///< variables that bounds refer to, of which some are arrays again
};

/// The bytes of an integer as one number, extended by its sign.
std::uint64_t integer_of(std::span<const std::byte> bytes, bool is_signed);
/// Of 4, 8 or 16 bytes; `name` tells the formats of 16 bytes apart.
long double real_of(std::span<const std::byte> bytes, std::string_view name);

}  // namespace mqinspect::target
