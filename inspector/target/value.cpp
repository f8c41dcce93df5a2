#include "inspector/target/value.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <dwarf.h>
#include <fmt/format.h>

#include "inspector/target/name_index.h"
#include "inspector/target/variable_frame.h"

namespace mqinspect::target {
namespace {

/// No value is larger; longer arrays are read element by element.
constexpr std::uint64_t kMaxValueBytes = std::uint64_t{1} << 20;
constexpr std::size_t kMaxMembers = 4096;
constexpr int kMaxNesting = 16;
/// Anonymous members and base classes that one name is looked for in.
constexpr int kMaxNested = 4096;

Error no_value(std::string why) {
    return {ErrorCode::BadAddress, std::move(why)};
}

}  // namespace

std::uint64_t integer_of(std::span<const std::byte> bytes, bool is_signed) {
    std::uint64_t number = 0;
    const std::size_t size = std::min(bytes.size(), sizeof number);
    if (size == 0) return 0;
    std::memcpy(&number, bytes.data(), size);
    if (size == sizeof number) return number;
    const unsigned shift = 64 - static_cast<unsigned>(size) * 8;
    if (is_signed)
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(number << shift) >> shift);
    return number;
}

long double real_of(std::span<const std::byte> bytes, std::string_view name) {
    if (bytes.size() == sizeof(float)) {
        float value = 0;
        std::memcpy(&value, bytes.data(), sizeof value);
        return static_cast<long double>(value);
    }
    if (bytes.size() == sizeof(double)) {
        double value = 0;
        std::memcpy(&value, bytes.data(), sizeof value);
        return static_cast<long double>(value);
    }
    if (bytes.size() < sizeof(long double)) return 0;
    const bool quadruple = name.find("128") != std::string_view::npos ||
                           name.find("kind=16") != std::string_view::npos;
    if (quadruple) {
        __extension__ __float128 value = 0;
        std::memcpy(&value, bytes.data(), sizeof value);
        return static_cast<long double>(value);
    }
    long double value = 0;
    std::memcpy(&value, bytes.data(), 10);  // x87: the rest is padding
    return value;
}

Value ValueReader::variable(const Module& module, Dwarf_Die die, const VariableSite& site) const {
    Value value;
    value.type = type_of_entry(module, die);
    if (!site.constant.empty()) {
        value.bytes = site.constant;
        return value;
    }
    const auto absent = [this, &value](std::string why) {
        settle(value);
        value.absent = std::move(why);
        return value;
    };
    if (site.location.empty()) return absent("optimized out");
    const VariableFrame frame(view_, stack_, index_, memory_, module);
    Dwarf_Attribute attribute = site.attribute;
    const auto parts = evaluate(site.location, &attribute, frame);
    if (!parts) {
        const bool lost = parts.error().code == ErrorCode::BadAddress;
        return absent(lost ? "optimized out" : parts.error().message);
    }
    const ValuePart& first = parts->front();
    if (parts->size() == 1 && first.kind == ValuePart::Kind::Memory) {
        value.address = Address{first.value};
        settle(value);
        return value;
    }
    if (parts->size() == 1 && first.kind == ValuePart::Kind::Register &&
        first.value >= FrameRegisters{}.size()) {
        return absent("in a vector register");
    }
    const auto is_lost = [](const ValuePart& part) {
        return part.kind == ValuePart::Kind::Unavailable;
    };
    const auto size = size_of(value.type);
    if (std::ranges::all_of(*parts, is_lost)) return absent("optimized out");
    if (!size || *size > kMaxValueBytes) return absent("a type without a size");
    append_parts(*parts, *size, value);
    if (value.gaps.size() == 1 && value.gaps[0].end - value.gaps[0].start == *size)
        return absent("optimized out");
    settle(value);
    return value;
}

void ValueReader::append_parts(const std::vector<ValuePart>& parts,
                               std::uint64_t size,
                               Value& value) const {
    const FrameRegisters& registers = stack_.frames[index_].registers;
    value.bytes.resize(size);
    std::uint64_t at = 0;
    for (const ValuePart& part : parts) {
        const std::uint64_t length = std::min(part.size.value_or(size - at), size - at);
        if (length == 0) continue;
        const std::span destination = std::span{value.bytes}.subspan(at, length);
        std::optional<std::uint64_t> word;
        bool known = false;
        switch (part.kind) {
            case ValuePart::Kind::Memory:
                known = memory_.read(Address{part.value}, destination).has_value();
                break;
            case ValuePart::Kind::Register:
                if (part.value < registers.size()) word = registers[part.value];
                break;
            case ValuePart::Kind::Value:
                word = part.value;
                break;
            case ValuePart::Kind::Bytes:
                known = length <= part.bytes.size();
                if (known) std::copy_n(part.bytes.begin(), length, destination.begin());
                break;
            case ValuePart::Kind::Unavailable:
                break;
        }
        if (word && length <= sizeof *word) {
            std::memcpy(destination.data(), &*word, length);
            known = true;
        }
        if (!known) value.gaps.push_back({at, at + length});
        at += length;
    }
    if (at < size) value.gaps.push_back({at, size});
}

Result<std::vector<std::byte>> ValueReader::bytes(const Value& value) const {
    if (!value.absent.empty()) return no_value(value.absent);
    auto size = size_of(value.type);
    if (!size && value.bytes.empty()) return no_value("its type has no size");
    if (!size) size = value.bytes.size();
    if (*size > kMaxValueBytes) return no_value("larger than 1 MiB");
    if (!value.gaps.empty()) return no_value("optimized out");
    if (value.bytes.size() >= *size && (!value.address || !value.bytes.empty())) {
        return std::vector<std::byte>(value.bytes.begin(),
                                      value.bytes.begin() + static_cast<std::ptrdiff_t>(*size));
    }
    if (!value.address) return no_value("only a part of it is known");
    std::vector<std::byte> bytes(*size);
    if (*size > 0 && !memory_.read(*value.address, bytes))
        return no_value(fmt::format("cannot be read at {:#x}", to_integer(*value.address)));
    return bytes;
}

void ValueReader::read_ahead(Value& value) const {
    if (!value.bytes.empty() || !value.address || !value.absent.empty()) return;
    auto read = bytes(value);
    if (read) value.bytes = *std::move(read);
}

ValueType ValueReader::complete(const ValueType& type) const {
    const TypeShape shape = shape_of(type);
    if (!shape.die || type.module == nullptr || !flag_attribute(*shape.die, DW_AT_declaration))
        return type;
    const std::string_view name = entry_name(*shape.die);
    const auto found = name.empty() ? std::nullopt : find_type_entry(view_, *type.module, name);
    return found ? *found : type;
}

std::vector<Member> ValueReader::members(const ValueType& type) const {
    std::vector<Member> members;
    const TypeShape shape = shape_of(complete(type));
    if (shape.kind != TypeKind::Structure || !shape.die) return members;
    for_each_child(*shape.die, [&members](Dwarf_Die child) {
        const int tag = dwarf_tag(&child);
        const bool is_static =
            flag_attribute(child, DW_AT_external) || flag_attribute(child, DW_AT_declaration);
        if (tag == DW_TAG_inheritance) members.push_back({{}, child, true});
        if (tag == DW_TAG_member && !is_static)
            members.push_back({entry_name(child), child, false});
        return members.size() < kMaxMembers;
    });
    return members;
}

Value ValueReader::part(const Value& whole, std::uint64_t offset, ValueType type) const {
    Value value;
    value.type = std::move(type);
    value.absent = whole.absent;
    if (whole.address) value.address = *whole.address + offset;
    const auto size = size_of(value.type);
    const bool held = size && offset <= whole.bytes.size() && *size <= whole.bytes.size() - offset;
    if (!whole.bytes.empty() && held) {
        const auto start = whole.bytes.begin() + static_cast<std::ptrdiff_t>(offset);
        value.bytes.assign(start, start + static_cast<std::ptrdiff_t>(*size));
        for (const Value::Gap& gap : whole.gaps) {
            const std::uint64_t from = std::max(gap.start, offset);
            const std::uint64_t to = std::min(gap.end, offset + *size);
            if (from < to) value.gaps.push_back({from - offset, to - offset});
        }
    } else if (!whole.address && value.absent.empty()) {
        value.absent = "only a part of it is known";
    }
    settle(value);
    return value;
}

Result<std::int64_t> ValueReader::member_offset(const Value& structure, Dwarf_Die member) const {
    Dwarf_Attribute attribute{};
    if (dwarf_attr_integrate(&member, DW_AT_data_member_location, &attribute) == nullptr) return 0;
    if (const auto offset = signed_attribute(member, DW_AT_data_member_location)) return *offset;
    // A virtual base class: an expression that finds it from the object's address.
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation(&attribute, &operations, &count) != 0 || count == 0)
        return Error{ErrorCode::CorruptData, "a member without a place"};
    if (count == 1 && operations[0].atom == DW_OP_plus_uconst)
        return static_cast<std::int64_t>(operations[0].number);
    if (!structure.address) return no_value("optimized out");
    std::vector<Dwarf_Op> whole(operations, operations + count);
    Dwarf_Op start{};
    start.atom = DW_OP_push_object_address;
    whole.insert(whole.begin(), start);
    VariableFrame frame(view_, stack_, index_, memory_, *structure.type.module);
    frame.set_object(to_integer(*structure.address));
    const auto parts = TRY(evaluate(whole, &attribute, frame));
    return static_cast<std::int64_t>(parts.front().value - to_integer(*structure.address));
}

Value ValueReader::member(const Value& structure, const Member& member) const {
    const ValueType whole = complete(structure.type);
    const Module& module = *whole.module;
    const auto offset = member_offset(structure, member.die);
    Value value;
    if (!offset || *offset < 0) {
        value.type = type_of_entry(module, member.die);
        value.absent = offset ? "a member before its object" : offset.error().message;
        return value;
    }
    std::uint64_t at = static_cast<std::uint64_t>(*offset);
    ValueType type = type_of_entry(module, member.die);
    const std::uint64_t bits = unsigned_attribute(member.die, DW_AT_bit_size).value_or(0);
    if (bits == 0 || bits > 64) return part(structure, at, std::move(type));

    const std::uint64_t unit = unsigned_attribute(member.die, DW_AT_byte_size)
                                   .value_or(size_of(type).value_or(sizeof(std::uint64_t)));
    std::uint64_t first = unsigned_attribute(member.die, DW_AT_data_bit_offset).value_or(0);
    // DWARF 3 counts from the most significant bit of the unit.
    if (const auto from_top = unsigned_attribute(member.die, DW_AT_bit_offset))
        first = at * 8 + unit * 8 - *from_top - bits;
    at = first / 8;
    // Bytes enough for the bits, and no more: there may be no memory behind them.
    const std::uint64_t length = (first % 8 + bits + 7) / 8;
    static constexpr BasicType byte_types[] = {{"bits", 1, TypeKind::Integer, false},
                                               {"bits", 2, TypeKind::Integer, false},
                                               {"bits", 3, TypeKind::Integer, false},
                                               {"bits", 4, TypeKind::Integer, false},
                                               {"bits", 5, TypeKind::Integer, false},
                                               {"bits", 6, TypeKind::Integer, false},
                                               {"bits", 7, TypeKind::Integer, false},
                                               {"bits", 8, TypeKind::Integer, false},
                                               {"bits", 9, TypeKind::Integer, false}};
    value = part(structure, at, made_of(byte_types[std::min<std::uint64_t>(length, 9) - 1]));
    auto read = bytes(value);
    value.type = std::move(type);
    value.address.reset();
    value.bit_offset = first % 8;
    value.bit_size = bits;
    if (read) {
        value.bytes = *std::move(read);
    } else {
        value.absent = read.error().message;
    }
    return value;
}

std::optional<Value> ValueReader::find_member(const Value& structure, std::string_view name) const {
    int budget = kMaxNested;
    return find_member(structure, name, 0, budget);
}

std::optional<Value> ValueReader::find_member(const Value& structure,
                                              std::string_view name,
                                              int depth,
                                              int& budget) const {
    if (depth > kMaxNesting || --budget < 0) return std::nullopt;
    const std::vector<Member> all = members(structure.type);
    for (const Member& candidate : all) {
        if (!candidate.is_base && candidate.name == name) return member(structure, candidate);
    }
    for (const Member& candidate : all) {
        if (!candidate.name.empty()) continue;
        auto found = find_member(member(structure, candidate), name, depth + 1, budget);
        if (found) return found;
    }
    return std::nullopt;
}

Result<Value> ValueReader::member(const Value& structure, std::string_view name) const {
    auto found = find_member(structure, name);
    if (found) return *std::move(found);
    std::string names;
    for (const Member& member : members(structure.type)) {
        if (member.name.empty() || names.size() > 200) continue;
        names += (names.empty() ? "" : ", ") + std::string(member.name);
    }
    const std::string type = type_name(structure.type);
    if (names.empty())
        return Error{ErrorCode::InvalidArgument, fmt::format("{} has no members", type)};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("{} has no member '{}'; there are: {}", type, name, names)};
}

Result<Value> ValueReader::element(const Value& value, std::int64_t subscript) const {
    const TypeShape shape = shape_of(value.type);
    if (shape.kind == TypeKind::Pointer) {
        const ValueType target = target_of(value.type);
        const std::uint64_t start = TRY(integer(value));
        const auto size = size_of(target);
        if (!size) return Error{ErrorCode::InvalidArgument, "the elements have no size"};
        Value element;
        element.type = target;
        element.address = Address{start + static_cast<std::uint64_t>(subscript) * *size};
        settle(element);
        return element;
    }
    if (shape.kind != TypeKind::Array || value.type.steps.empty()) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} is no array", type_name(value.type))};
    }
    const TypeStep& step = value.type.steps.back();
    const auto index =
        static_cast<std::uint64_t>(subscript) - static_cast<std::uint64_t>(step.lower);
    const std::uint64_t offset = index * static_cast<std::uint64_t>(step.stride);
    ValueType type = target_of(value.type);
    Value whole = value;
    // A copy holds only the elements that it has.
    if (!value.address && step.count && index >= *step.count) whole.absent = "out of bounds";
    if (step.stride < 0) whole.bytes.clear();
    return part(whole, offset, std::move(type));
}

Result<Value> ValueReader::dereference(const Value& pointer) const {
    const TypeShape shape = shape_of(pointer.type);
    if (shape.kind == TypeKind::Array) {
        const std::int64_t lower = pointer.type.steps.empty() ? 0 : pointer.type.steps.back().lower;
        return element(pointer, lower);
    }
    if (shape.kind != TypeKind::Pointer && shape.kind != TypeKind::Reference) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} is no pointer", type_name(pointer.type))};
    }
    Value value;
    value.type = target_of(pointer.type);
    if (shape_of(value.type).kind == TypeKind::Void) {
        return Error{ErrorCode::InvalidArgument,
                     "a pointer to void has no value; cast it to another type"};
    }
    value.address = Address{TRY(integer(pointer))};
    settle(value);
    return value;
}

}  // namespace mqinspect::target
