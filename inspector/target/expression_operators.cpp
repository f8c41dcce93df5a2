// Arithmetic as C does it on x86-64 (C17, 6.3.1 and 6.5): overflow wraps.
#include <cstring>

#include <fmt/format.h>

#include "inspector/target/expression_evaluator.h"

namespace mqinspect::target {
namespace {

struct Operand {
    bool is_real = false;
    bool is_long_double = false;
    bool is_pointer = false;
    long double real = 0;
    std::uint64_t integer = 0;
    std::uint64_t size = 4;
    bool is_signed = true;
    ValueType type;  ///< of a pointer
};

Error invalid(std::string what) {
    return {ErrorCode::InvalidArgument, std::move(what)};
}

Result<Operand> operand_of(const ValueReader& reader, const Value& value) {
    const TypeShape shape = shape_of(value.type);
    Operand operand;
    switch (shape.kind) {
        case TypeKind::Float:
            operand.is_real = true;
            operand.is_long_double = shape.size == 16;
            operand.real = TRY(reader.real(value));
            return operand;
        case TypeKind::Pointer:
        case TypeKind::Array:
        case TypeKind::Function:
            operand.is_pointer = true;
            operand.type = shape.kind == TypeKind::Array      ? pointer_to(target_of(value.type))
                           : shape.kind == TypeKind::Function ? pointer_to(value.type)
                                                              : value.type;
            operand.is_signed = false;
            operand.size = 8;
            break;
        default:
            // Smaller integers, bit fields too, become int.
            if (shape.size.value_or(4) >= 4 && value.bit_size == 0) {
                operand.size = shape.size.value_or(4);
                operand.is_signed = shape.is_signed;
            }
    }
    if (operand.size > 8 && shape.kind == TypeKind::Integer)
        return invalid("arithmetic with 128-bit integers is not done");
    operand.integer = TRY(reader.integer(value));
    operand.real = operand.is_signed
                       ? static_cast<long double>(static_cast<std::int64_t>(operand.integer))
                       : static_cast<long double>(operand.integer);
    return operand;
}

const BasicType& integer_type(std::uint64_t size, bool is_signed) {
    if (size == 8) return *basic_type(is_signed ? "long" : "unsigned long");
    return *basic_type(is_signed ? "int" : "unsigned int");
}

Value truth(bool value) {
    return integer_value(value ? 1 : 0, *basic_type("int"));
}

template <class Number>
std::optional<bool> compare(std::string_view op, Number a, Number b) {
    if (op == "==") return !(a < b) && !(b < a) && a == a && b == b;
    if (op == "!=") return a < b || b < a || a != a || b != b;
    if (op == "<") return a < b;
    if (op == ">") return b < a;
    if (op == "<=") return a <= b;
    if (op == ">=") return b <= a;
    return std::nullopt;
}

Result<Value> of_reals(std::string_view op, const Operand& a, const Operand& b) {
    if (const auto result = compare(op, a.real, b.real)) return truth(*result);
    const bool is_long = a.is_long_double || b.is_long_double;
    if (op == "+") return real_value(a.real + b.real, is_long);
    if (op == "-") return real_value(a.real - b.real, is_long);
    if (op == "*") return real_value(a.real * b.real, is_long);
    if (op == "/") return real_value(a.real / b.real, is_long);
    return invalid(fmt::format("'{}' needs integers", op));
}

Result<std::uint64_t> quotient(bool remainder, std::uint64_t a, std::uint64_t b, bool is_signed) {
    if (b == 0) return invalid("division by zero");
    if (!is_signed) return remainder ? a % b : a / b;
    const auto sa = static_cast<std::int64_t>(a);
    const auto sb = static_cast<std::int64_t>(b);
    if (sb == -1) return remainder ? 0 : 0 - a;  // the processor would trap
    return static_cast<std::uint64_t>(remainder ? sa % sb : sa / sb);
}

Result<Value> shifted(std::string_view op, const Operand& a, const Operand& b) {
    if (b.integer >= a.size * 8) {
        return invalid(fmt::format(
            "a shift by {} of {} bits", static_cast<std::int64_t>(b.integer), a.size * 8));
    }
    const BasicType& type = integer_type(a.size, a.is_signed);
    if (op == "<<") return integer_value(a.integer << b.integer, type);
    if (!a.is_signed) return integer_value(a.integer >> b.integer, type);
    return integer_value(static_cast<std::uint64_t>(static_cast<std::int64_t>(a.integer) >>
                                                    static_cast<std::int64_t>(b.integer)),
                         type);
}

Result<Value> of_integers(std::string_view op, const Operand& a, const Operand& b) {
    if (op == "<<" || op == ">>") return shifted(op, a, b);
    const std::uint64_t size = std::max(a.size, b.size);
    const bool is_unsigned = (a.size == size && !a.is_signed) || (b.size == size && !b.is_signed);
    const BasicType& type = integer_type(size, !is_unsigned);
    // As the common type has it.
    const std::uint64_t x =
        integer_of(std::as_bytes(std::span{&a.integer, 1}).first(size), !is_unsigned);
    const std::uint64_t y =
        integer_of(std::as_bytes(std::span{&b.integer, 1}).first(size), !is_unsigned);
    const auto compared =
        is_unsigned ? compare(op, x, y)
                    : compare(op, static_cast<std::int64_t>(x), static_cast<std::int64_t>(y));
    if (compared) return truth(*compared);
    if (op == "+") return integer_value(x + y, type);
    if (op == "-") return integer_value(x - y, type);
    if (op == "*") return integer_value(x * y, type);
    if (op == "&") return integer_value(x & y, type);
    if (op == "|") return integer_value(x | y, type);
    if (op == "^") return integer_value(x ^ y, type);
    if (op == "/" || op == "%") {
        const std::uint64_t result = TRY(quotient(op == "%", x, y, !is_unsigned));
        return integer_value(result, type);
    }
    return invalid(fmt::format("'{}' is not known", op));
}

Value pointer_value(std::uint64_t address, ValueType type) {
    Value value = integer_value(address, *basic_type("unsigned long"));
    value.type = std::move(type);
    return value;
}

Result<Value> of_pointers(const ValueReader& reader,
                          std::string_view op,
                          const Operand& a,
                          const Operand& b) {
    if (const auto result = compare(op, a.integer, b.integer)) return truth(*result);
    const Operand& pointer = a.is_pointer ? a : b;
    const auto target = target_of(pointer.type);
    const auto kind = shape_of(target).kind;
    // As in GNU C.
    const bool bytes = kind == TypeKind::Void || kind == TypeKind::Function;
    const std::uint64_t size = bytes ? 1 : reader.size_of(target).value_or(0);
    if (size == 0) return invalid("what the pointer points to has no size");
    if (a.is_pointer && b.is_pointer) {
        if (op != "-") return invalid(fmt::format("'{}' of two pointers", op));
        const auto distance = static_cast<std::int64_t>(a.integer - b.integer);
        return integer_value(static_cast<std::uint64_t>(distance / static_cast<std::int64_t>(size)),
                             *basic_type("long"));
    }
    const Operand& count = a.is_pointer ? b : a;
    if (op == "+") return pointer_value(pointer.integer + count.integer * size, pointer.type);
    if (op == "-" && a.is_pointer)
        return pointer_value(pointer.integer - count.integer * size, pointer.type);
    return invalid(fmt::format("'{}' of a pointer", op));
}

}  // namespace

Value integer_value(std::uint64_t number, const BasicType& type) {
    Value value;
    value.type = made_of(type);
    value.bytes.resize(std::min<std::uint64_t>(type.size, sizeof number));
    std::memcpy(value.bytes.data(), &number, value.bytes.size());
    return value;
}

Value real_value(long double number, bool is_long) {
    Value value;
    value.type = made_of(*basic_type(is_long ? "long double" : "double"));
    value.bytes.resize(is_long ? sizeof number : sizeof(double));
    if (is_long) {
        std::memcpy(value.bytes.data(), &number, 10);  // the rest is padding
    } else {
        const auto narrow = static_cast<double>(number);
        std::memcpy(value.bytes.data(), &narrow, sizeof narrow);
    }
    return value;
}

Result<Value> binary_operation(const ValueReader& reader,
                               std::string_view op,
                               const Value& left,
                               const Value& right) {
    const Operand a = TRY(operand_of(reader, left));
    const Operand b = TRY(operand_of(reader, right));
    const bool pointers = a.is_pointer || b.is_pointer;
    if (pointers && !a.is_real && !b.is_real) return of_pointers(reader, op, a, b);
    if (pointers) return invalid(fmt::format("'{}' of a pointer and a real number", op));
    return a.is_real || b.is_real ? of_reals(op, a, b) : of_integers(op, a, b);
}

Result<Value> unary_operation(const ValueReader& reader, std::string_view op, const Value& value) {
    const Operand operand = TRY(operand_of(reader, value));
    if (op == "!") return truth(operand.is_real ? operand.real == 0 : operand.integer == 0);
    if (operand.is_pointer) return invalid(fmt::format("'{}' of a pointer", op));
    if (operand.is_real) {
        if (op == "~") return invalid("'~' needs an integer");
        return real_value(op == "-" ? -operand.real : operand.real, operand.is_long_double);
    }
    const BasicType& type = integer_type(operand.size, operand.is_signed);
    if (op == "-") return integer_value(0 - operand.integer, type);
    return integer_value(op == "~" ? ~operand.integer : operand.integer, type);
}

Result<Value> converted(const ValueReader& reader, const Value& value, const ValueType& type) {
    const TypeShape shape = shape_of(type);
    const TypeShape from = shape_of(value.type);
    const auto size = reader.size_of(type);
    Value result;
    if (shape.kind == TypeKind::Float && size) {
        const long double number = TRY(reader.real(value));
        result = real_value(number, *size == 16);
        if (*size == sizeof(float)) {
            const auto narrow = static_cast<float>(number);
            result.bytes.resize(sizeof narrow);
            std::memcpy(result.bytes.data(), &narrow, sizeof narrow);
        }
        result.type = type;
        return result;
    }
    const bool number = shape.kind == TypeKind::Integer || shape.kind == TypeKind::Character ||
                        shape.kind == TypeKind::Boolean || shape.kind == TypeKind::Pointer ||
                        shape.kind == TypeKind::Enumeration;
    if (!number || !size || *size > 8) {
        // The same bytes as another type.
        const bool object = shape.kind == TypeKind::Structure || shape.kind == TypeKind::Array;
        if (object && value.address && from.kind == TypeKind::Structure) {
            result = value;
            result.type = type;
            result.bytes.clear();
            return result;
        }
        return invalid(
            fmt::format("no cast from {} to {}", type_name(value.type), type_name(type)));
    }
    const bool real = from.kind == TypeKind::Float;
    if (real && shape.kind == TypeKind::Pointer) return invalid("a real number is no address");
    std::uint64_t integer = TRY(reader.integer(value));
    if (shape.kind == TypeKind::Boolean)
        integer = real ? (TRY(reader.real(value)) != 0 ? 1 : 0) : (integer != 0 ? 1 : 0);
    result = integer_value(integer, *basic_type("unsigned long"));
    result.bytes.resize(*size);
    result.type = type;
    return result;
}

}  // namespace mqinspect::target
