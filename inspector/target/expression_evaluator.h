/// What an expression means in one frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "inspector/target/expression_syntax.h"
#include "inspector/target/value.h"

namespace mqinspect::target {

/// Looks names up as the code of the frame sees them: its variables, members of `this`,
/// what the unit, the file and the other files of the process define. Borrows its
/// arguments.
class ExpressionEvaluator {
public:
    ExpressionEvaluator(const ProcessView& view,
                        const UnwoundStack& stack,
                        std::size_t index,
                        const Memory& memory);

    bool fortran() const { return fortran_; }
    const ValueReader& reader() const { return reader_; }
    /// Parses and evaluates. InvalidArgument: it is wrong, and at which column; BadAddress:
    /// what it needs has no value or cannot be read.
    Result<Value> evaluate(std::string_view text) const;

private:
    Result<Value> evaluate(const Expression& node) const;
    Result<Value> apply(const Expression& node) const;
    /// A value to compute with.
    Result<Value> operand(const Expression& node) const;
    Result<Value> name(const Expression& node) const;
    std::optional<Value> find_variable(const std::string& name) const;
    std::optional<Value> find_local(const std::string& name) const;
    std::optional<Value> find_global(const std::string& name) const;
    std::optional<Value> find_symbol(const std::string& name) const;
    Value global(const Module& module, Dwarf_Die die) const;
    Error no_variable(const std::string& name) const;
    std::optional<ValueType> find_type(const WrittenType& written) const;

    Result<Value> unary(const Expression& node) const;
    Result<Value> address_of(const Value& value) const;
    Result<Value> member(const Expression& node) const;
    Result<Value> subscripts(const Expression& node) const;
    Result<Value> subscript(Value value, const Expression& node) const;
    Result<Value> section(Value value, const Expression& node) const;
    Result<std::int64_t> number(const Expression& node) const;
    Result<Value> array_at(const Expression& node) const;
    Result<Value> size_of(const Expression& node) const;
    Result<Value> cast(const Expression& node) const;
    Result<Value> logical(const Expression& node) const;
    /// An object behind a reference, and in Fortran behind a pointer.
    Result<Value> object(Value value) const;

    const ProcessView& view_;
    const UnwoundStack& stack_;
    std::size_t index_;
    ValueReader reader_;
    const Module* module_ = nullptr;  ///< null: no debug information
    std::uint64_t linked_ = 0;
    bool fortran_ = false;
};

/// The operators of C on two numbers or pointers; neither "&&" and "||" nor "@".
Result<Value> binary_operation(const ValueReader& reader,
                               std::string_view op,
                               const Value& left,
                               const Value& right);
/// "-", "+", "~" or "!".
Result<Value> unary_operation(const ValueReader& reader, std::string_view op, const Value& value);
/// To a number or pointer type.
Result<Value> converted(const ValueReader& reader, const Value& value, const ValueType& type);

Value integer_value(std::uint64_t number, const BasicType& type);
Value real_value(long double number, bool is_long);

}  // namespace mqinspect::target
