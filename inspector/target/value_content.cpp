// What is in a value: numbers, and the containers of libstdc++ by their structure.
#include <fmt/format.h>

#include "inspector/target/value.h"

namespace mqinspect::target {
namespace {

constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 40;

}  // namespace

Result<std::uint64_t> ValueReader::integer(const Value& value) const {
    const TypeShape shape = shape_of(value.type);
    switch (shape.kind) {
        case TypeKind::Float: {
            const long double number = TRY(real(value));
            if (!(number > -9.2e18L && number < 9.2e18L))
                return Error{ErrorCode::InvalidArgument, "the number does not fit into an integer"};
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
        }
        case TypeKind::Array:
        case TypeKind::Function:
            // These stand for their address.
            if (!value.absent.empty() || !value.address) {
                return Error{ErrorCode::BadAddress,
                             value.absent.empty() ? "it has no address" : value.absent};
            }
            return to_integer(*value.address);
        case TypeKind::Reference:
            if (shape_of(target_of(value.type)).kind == TypeKind::Reference) break;
            [[fallthrough]];
        case TypeKind::Integer:
        case TypeKind::Boolean:
        case TypeKind::Character:
        case TypeKind::Pointer:
        case TypeKind::MemberPointer:
        case TypeKind::Enumeration: {
            std::vector<std::byte> read;
            if (value.bit_size == 0) {
                read = TRY(bytes(value));
                return integer_of(read, shape.is_signed);
            }
            if (!value.absent.empty()) return Error{ErrorCode::BadAddress, value.absent};
            const std::uint64_t low = integer_of(value.bytes, false) >> value.bit_offset;
            const std::uint64_t high =
                value.bytes.size() > 8 ? integer_of(std::span{value.bytes}.subspan(8), false) : 0;
            const std::uint64_t bits =
                value.bit_offset == 0 ? low : low | high << (64 - value.bit_offset);
            const std::uint64_t shift = 64 - value.bit_size;
            if (!shape.is_signed) return bits << shift >> shift;
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << shift) >>
                                              static_cast<std::int64_t>(shift));
        }
        default:
            break;
    }
    return Error{ErrorCode::InvalidArgument, fmt::format("{} is no number", type_name(value.type))};
}

Result<long double> ValueReader::real(const Value& value) const {
    const TypeShape shape = shape_of(value.type);
    if (shape.kind == TypeKind::Float) {
        const auto read = TRY(bytes(value));
        return real_of(read, type_name(value.type));
    }
    const std::uint64_t number = TRY(integer(value));
    return shape.is_signed ? static_cast<long double>(static_cast<std::int64_t>(number))
                           : static_cast<long double>(number);
}

Value ValueReader::array_between(const Value& first, const Value& last) const {
    Value array;
    array.type = target_of(first.type);
    const auto size = size_of(array.type);
    const auto start = integer(first);
    const auto end = integer(last);
    if (!size || *size == 0 || !start || !end || *end < *start || (*end - *start) % *size != 0 ||
        (*end - *start) / *size > kMaxElements) {
        array.absent = "not a valid std::vector";
        return array;
    }
    array.type.steps.push_back({.is_pointer = false,
                                .lower = 0,
                                .count = (*end - *start) / *size,
                                .stride = static_cast<std::int64_t>(*size)});
    array.address = Address{*start};
    return array;
}

std::optional<Value> ValueReader::vector_elements(const Value& value) const {
    if (!type_name(value.type).starts_with("vector<")) return std::nullopt;
    const auto implementation = find_member(value, "_M_impl");
    if (!implementation) return std::nullopt;
    const auto first = find_member(*implementation, "_M_start");
    const auto last = find_member(*implementation, "_M_finish");
    // A vector<bool> has iterators that are structures.
    if (!first || !last || shape_of(first->type).kind != TypeKind::Pointer) return std::nullopt;
    return array_between(*first, *last);
}

std::optional<Value> ValueReader::string_characters(const Value& value) const {
    if (shape_of(value.type).kind != TypeKind::Structure) return std::nullopt;
    const auto holder = find_member(value, "_M_dataplus");
    const auto length = find_member(value, "_M_string_length");
    const auto text = holder ? find_member(*holder, "_M_p") : std::nullopt;
    if (!length || !text || shape_of(text->type).kind != TypeKind::Pointer) return std::nullopt;
    const ValueType character = target_of(text->type);
    const auto count = integer(*length);
    const auto start = integer(*text);
    if (shape_of(character).kind != TypeKind::Character || !count || !start ||
        *count > kMaxElements) {
        return std::nullopt;
    }
    Value array;
    array.type = character;
    array.type.steps.push_back({.is_pointer = false, .lower = 0, .count = *count, .stride = 1});
    array.address = Address{*start};
    return array;
}

}  // namespace mqinspect::target
