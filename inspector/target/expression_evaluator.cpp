#include "inspector/target/expression_evaluator.h"

#include <algorithm>
#include <cctype>

#include <dwarf.h>
#include <fmt/format.h>

#include "inspector/target/frame_variables.h"
#include "inspector/target/name_index.h"
#include "inspector/target/variable_frame.h"

namespace mqinspect::target {
namespace {

constexpr std::int64_t kMaxArrayLength = std::int64_t{1} << 32;
constexpr std::size_t kMaxNamesBytes = 300;
// As error_at writes them.
constexpr std::string_view kPlace = "at column ";
constexpr std::string_view kStart = "at column 1: ";

Error invalid(std::string what) {
    return {ErrorCode::InvalidArgument, std::move(what)};
}

std::string upper(std::string text) {
    std::ranges::transform(
        text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

}  // namespace

ExpressionEvaluator::ExpressionEvaluator(const ProcessView& view,
                                         const UnwoundStack& stack,
                                         std::size_t index,
                                         const Memory& memory)
    : view_(view), stack_(stack), index_(index), reader_(view, stack, index, memory) {
    const UnwoundFrame& frame = stack.frames[index];
    const Module* module = view.module_at(frame.pc);
    if (module == nullptr || module->c_library) return;
    module_ = module;
    linked_ = linked_lookup_address(*module, frame);
    fortran_ = is_fortran_at(*module, linked_);
}

Result<Value> ExpressionEvaluator::evaluate(std::string_view text) const {
    const std::function<bool(const std::string&)> is_type = [this](const std::string& name) {
        return !find_variable(name) && find_type({name, 0}).has_value();
    };
    const Expression expression = TRY(parse_expression(text, fortran_, is_type));
    auto value = evaluate(expression);
    // What is wrong with the first word needs no place.
    if (!value && value.error().message.starts_with(kStart))
        return Error{value.error().code, value.error().message.substr(kStart.size())};
    return value;
}

Result<Value> ExpressionEvaluator::evaluate(const Expression& node) const {
    auto value = apply(node);
    if (value) return value;
    const Error& error = value.error();
    if (error.message.starts_with(kPlace)) return error;
    return Error{error.code, error_at(node.position, error.message).message};
}

Result<Value> ExpressionEvaluator::apply(const Expression& node) const {
    switch (node.kind) {
        case Expression::Kind::Integer: {
            const bool wide = node.is_long || node.integer > INT32_MAX;
            const bool is_unsigned = node.is_unsigned || node.integer > INT64_MAX;
            const char* type = wide ? (is_unsigned ? "unsigned long" : "long")
                                    : (is_unsigned ? "unsigned int" : "int");
            return integer_value(node.integer, *basic_type(type));
        }
        case Expression::Kind::Real:
            return real_value(static_cast<long double>(node.real), false);
        case Expression::Kind::Character:
            return integer_value(node.integer, *basic_type("char"));
        case Expression::Kind::Name:
            return name(node);
        case Expression::Kind::Unary:
            return unary(node);
        case Expression::Kind::Binary: {
            if (node.text == "&&" || node.text == "||") return logical(node);
            if (node.text == "@") return array_at(node);
            const Value left = TRY(operand(node.operands[0]));
            const Value right = TRY(operand(node.operands[1]));
            return binary_operation(reader_, node.text, left, right);
        }
        case Expression::Kind::Member:
        case Expression::Kind::Arrow:
            return member(node);
        case Expression::Kind::Subscripts:
            return subscripts(node);
        case Expression::Kind::Cast:
            return cast(node);
        case Expression::Kind::SizeOf:
        case Expression::Kind::SizeOfType:
            return size_of(node);
        case Expression::Kind::Range:
        case Expression::Kind::Whole:
            break;
    }
    return invalid("a range is a subscript");
}

Result<Value> ExpressionEvaluator::object(Value value) const {
    constexpr int max_pointers = 4;
    for (int i = 0; i < max_pointers; ++i) {
        const TypeKind kind = shape_of(value.type).kind;
        const bool follow =
            kind == TypeKind::Reference ||
            (kind == TypeKind::Pointer && fortran_ && value.address && value.type.steps.empty());
        if (!follow) break;
        value = TRY(reader_.dereference(value));
    }
    return value;
}

Result<Value> ExpressionEvaluator::operand(const Expression& node) const {
    return object(TRY(evaluate(node)));
}

Result<Value> ExpressionEvaluator::name(const Expression& node) const {
    auto found = find_variable(node.text);
    if (!found && fortran_) found = find_variable(upper(node.text));
    if (!found) return no_variable(node.text);
    if (shape_of(found->type).kind != TypeKind::Reference) return *std::move(found);
    return object(*std::move(found));
}

std::optional<Value> ExpressionEvaluator::find_variable(const std::string& name) const {
    if (auto local = find_local(name)) return local;
    if (name != "this" && !fortran_) {
        if (const auto self = find_local("this")) {
            const auto object = reader_.dereference(*self);
            auto member = object ? reader_.member(*object, name) : Result<Value>(object.error());
            if (member) return *std::move(member);
        }
    }
    return find_global(name);
}

std::optional<Value> ExpressionEvaluator::find_local(const std::string& name) const {
    if (module_ == nullptr) return std::nullopt;
    for (const LocalVariable& variable : visible_variables(*module_, linked_)) {
        if (variable.name != name) continue;
        return reader_.variable(*module_, variable.die, variable_site(variable.die, linked_));
    }
    return std::nullopt;
}

std::optional<Value> ExpressionEvaluator::find_global(const std::string& name) const {
    if (module_ != nullptr) {
        if (const auto die = used_variable(*module_, linked_, name)) return global(*module_, *die);
    }
    const auto variable = find_definition(view_, module_, linked_, NameIndex::Kind::Variable, name);
    if (variable) return global(*variable->module, variable->die);
    const auto enumerator =
        find_definition(view_, module_, linked_, NameIndex::Kind::Enumerator, name);
    if (enumerator) {
        const auto number = unsigned_attribute(enumerator->die, DW_AT_const_value);
        if (number) return integer_value(*number, *basic_type("int"));
    }
    return find_symbol(name);
}

Value ExpressionEvaluator::global(const Module& module, Dwarf_Die die) const {
    Value value = reader_.variable(module, die, variable_site(die, linked_));
    // A program that refers to a library's variable directly holds the copy in use.
    const bool shared = value.address && &module != &view_.modules().front();
    const auto copy = shared ? view_.find_symbol(entry_name(die)) : std::nullopt;
    if (copy && view_.module_at(*copy) == &view_.modules().front()) value.address = *copy;
    return value;
}

// Known to the linker only: functions, and variables without debug information.
std::optional<Value> ExpressionEvaluator::find_symbol(const std::string& name) const {
    for (const Module& module : view_.modules()) {
        const auto symbol = module.image->find_symbol(name);
        if (!symbol || symbol->address == 0) continue;
        static constexpr BasicType function_type{"function", 0, TypeKind::Function, false};
        static constexpr BasicType data_type{"data of unknown type", 0, TypeKind::Unknown, false};
        Value value;
        value.type = made_of(symbol->function ? function_type : data_type);
        value.address = view_.find_symbol(name).value_or(module.loaded(symbol->address));
        return value;
    }
    return std::nullopt;
}

Error ExpressionEvaluator::no_variable(const std::string& name) const {
    const UnwoundFrame& frame = stack_.frames[index_];
    const model::Frame where = view_.describe(frame.pc, frame.is_return_address);
    std::string place = where.function.empty() ? "this frame" : where.function;
    if (where.location.line > 0) {
        const std::string& file = where.location.file;
        place +=
            fmt::format(" ({}:{})", file.substr(file.find_last_of('/') + 1), where.location.line);
    }
    if (module_ == nullptr || module_->image->scopes() == nullptr) {
        return invalid(fmt::format(
            "no variable '{}': {} has no debug information; compile with -g", name, place));
    }
    std::string names;
    std::vector<std::string_view> seen;
    for (const LocalVariable& variable : visible_variables(*module_, linked_)) {
        if (variable.is_hidden || std::ranges::find(seen, variable.name) != seen.end()) continue;
        if (names.size() > kMaxNamesBytes) {
            names += ", ...";
            break;
        }
        seen.push_back(variable.name);
        names += (names.empty() ? "" : ", ") + std::string(variable.name);
    }
    if (names.empty()) return invalid(fmt::format("no variable '{}' in {}", name, place));
    return invalid(fmt::format("no variable '{}' in {}; there are: {}", name, place, names));
}

Result<Value> ExpressionEvaluator::unary(const Expression& node) const {
    Value value = TRY(evaluate(node.operands[0]));
    if (node.text == "&") return address_of(value);
    if (node.text == "*") {
        if (shape_of(value.type).kind == TypeKind::Function) return value;
        Value target = TRY(reader_.dereference(value));
        return shape_of(target.type).kind == TypeKind::Reference ? object(target)
                                                                 : Result<Value>(target);
    }
    value = TRY(object(std::move(value)));
    return unary_operation(reader_, node.text, value);
}

Result<Value> ExpressionEvaluator::address_of(const Value& value) const {
    if (!value.absent.empty()) return Error{ErrorCode::BadAddress, value.absent};
    if (value.bit_size != 0) return invalid("a bit field has no address");
    if (!value.address) return invalid("it is not in memory and has no address");
    Value pointer = integer_value(to_integer(*value.address), *basic_type("unsigned long"));
    // What is known to the linker only has no type.
    const bool untyped = value.type.basic != nullptr && value.type.basic->size == 0 &&
                         shape_of(value.type).kind == TypeKind::Unknown;
    pointer.type = pointer_to(untyped ? ValueType{} : value.type);
    return pointer;
}

Result<Value> ExpressionEvaluator::member(const Expression& node) const {
    Value structure = TRY(evaluate(node.operands[0]));
    if (node.kind == Expression::Kind::Arrow) {
        structure = TRY(reader_.dereference(structure));
    } else if (shape_of(structure.type).kind == TypeKind::Pointer) {
        // gdb, too, takes "." for "->".
        structure = TRY(reader_.dereference(structure));
    }
    structure = TRY(object(std::move(structure)));
    return object(TRY(reader_.member(structure, node.text)));
}

Result<std::int64_t> ExpressionEvaluator::number(const Expression& node) const {
    const Value value = TRY(operand(node));
    if (shape_of(value.type).kind == TypeKind::Float) return invalid("a subscript is an integer");
    return static_cast<std::int64_t>(TRY(reader_.integer(value)));
}

Result<Value> ExpressionEvaluator::subscripts(const Expression& node) const {
    Value value = TRY(evaluate(node.operands[0]));
    if (fortran_) {
        value = TRY(object(std::move(value)));
        return section(std::move(value), node);
    }
    for (std::size_t i = 1; i < node.operands.size(); ++i)
        value = TRY(subscript(std::move(value), node.operands[i]));
    return value;
}

// C: one subscript of an array, a pointer, a std::vector or a std::string.
Result<Value> ExpressionEvaluator::subscript(Value value, const Expression& node) const {
    if (const auto elements = reader_.vector_elements(value)) value = *elements;
    if (const auto characters = reader_.string_characters(value)) value = *characters;
    if (node.kind == Expression::Kind::Whole) return value;
    if (node.kind != Expression::Kind::Range) {
        const std::int64_t index = TRY(number(node));
        return object(TRY(reader_.element(value, index)));
    }
    const std::int64_t first = TRY(number(node.operands[0]));
    const std::int64_t last = TRY(number(node.operands[1]));
    std::int64_t length = 0;
    if (__builtin_sub_overflow(last, first, &length) || length < 0 || length >= kMaxArrayLength)
        return invalid(fmt::format("the range {}:{} is empty or too long", first, last));
    Value array = TRY(reader_.element(value, first));
    const auto size = reader_.size_of(array.type);
    if (!array.address || !size) return invalid("it is not in memory and has no slices");
    const bool strided = shape_of(value.type).kind == TypeKind::Array && !value.type.steps.empty();
    const auto stride = strided ? value.type.steps.back().stride : static_cast<std::int64_t>(*size);
    array.type.steps.push_back({.is_pointer = false,
                                .lower = 0,
                                .count = static_cast<std::uint64_t>(length) + 1,
                                .stride = stride});
    array.bytes.clear();
    return array;
}

// Fortran: an element or a section of an array.
Result<Value> ExpressionEvaluator::section(Value value, const Expression& node) const {
    const std::size_t dimensions = static_cast<std::size_t>(
        std::ranges::count(value.type.steps, false, &TypeStep::is_pointer));
    if (dimensions == 0 || dimensions != value.type.steps.size())
        return invalid(fmt::format("{} is no array", type_name(value.type)));
    if (!value.absent.empty()) return Error{ErrorCode::BadAddress, value.absent};
    if (node.operands.size() - 1 != dimensions) {
        return invalid(fmt::format("the array has {} dimension{}, not {}",
                                   dimensions,
                                   dimensions == 1 ? "" : "s",
                                   node.operands.size() - 1));
    }
    if (!value.address) return invalid("it is not in memory");
    std::uint64_t offset = 0;
    std::vector<TypeStep> kept;
    for (std::size_t i = 0; i < dimensions; ++i) {
        TypeStep step = value.type.steps[i];
        const Expression& index = node.operands[i + 1];
        if (index.kind == Expression::Kind::Whole) {
            kept.push_back(step);
            continue;
        }
        const bool range = index.kind == Expression::Kind::Range;
        const std::int64_t first = TRY(number(range ? index.operands[0] : index));
        const std::int64_t last = range ? TRY(number(index.operands[1])) : first;
        const auto from =
            static_cast<std::uint64_t>(first) - static_cast<std::uint64_t>(step.lower);
        const auto to = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(step.lower);
        const std::uint64_t end = step.count.value_or(static_cast<std::uint64_t>(kMaxArrayLength));
        if (from >= end || to >= end || to < from) {
            const std::string upper =
                step.count ? std::to_string(step.lower + static_cast<std::int64_t>(*step.count) - 1)
                           : "*";
            return error_at(index.position, fmt::format("the bounds are {}:{}", step.lower, upper));
        }
        offset += from * static_cast<std::uint64_t>(step.stride);
        if (!range) continue;
        step.lower = 1;
        step.count = to - from + 1;
        kept.push_back(step);
    }
    value.type.steps = std::move(kept);
    value.address = *value.address + offset;
    value.bytes.clear();
    return value;
}

// gdb's "@": as many objects as the right side says, from the one at the left on.
Result<Value> ExpressionEvaluator::array_at(const Expression& node) const {
    Value first = TRY(evaluate(node.operands[0]));
    const std::int64_t count = TRY(number(node.operands[1]));
    // A pointer by its name stands for what it points to.
    if (node.operands[0].kind == Expression::Kind::Name &&
        shape_of(first.type).kind == TypeKind::Pointer) {
        first = TRY(reader_.dereference(first));
    }
    const auto size = reader_.size_of(first.type);
    if (!first.address || first.bit_size != 0) return invalid("only what is in memory has a next");
    if (!size) return invalid(fmt::format("{} has no size", type_name(first.type)));
    if (count <= 0 || count > kMaxArrayLength)
        return invalid(fmt::format("an array of {} elements", count));
    first.type.steps.push_back({.is_pointer = false,
                                .lower = fortran_ ? 1 : 0,
                                .count = static_cast<std::uint64_t>(count),
                                .stride = static_cast<std::int64_t>(*size)});
    first.bytes.clear();
    return first;
}

std::optional<ValueType> ExpressionEvaluator::find_type(const WrittenType& written) const {
    std::optional<ValueType> type;
    if (const BasicType* basic = basic_type(written.name)) {
        type = made_of(*basic);
    } else if (written.name == "void") {
        type = ValueType{};
    } else if (module_ != nullptr) {
        type = find_type_entry(view_, *module_, written.name);
    } else {
        const auto found = find_definition(view_, nullptr, 0, NameIndex::Kind::Type, written.name);
        if (found) type = ValueType{found->module, found->die, nullptr, {}};
    }
    for (int i = 0; type && i < written.stars; ++i)
        type = pointer_to(*std::move(type));
    return type;
}

Result<Value> ExpressionEvaluator::size_of(const Expression& node) const {
    ValueType type;
    if (node.kind == Expression::Kind::SizeOf) {
        type = TRY(evaluate(node.operands[0])).type;
    } else {
        const auto found = find_type(node.type);
        if (!found) return invalid(fmt::format("no type '{}'", node.type.name));
        type = *found;
    }
    const auto size = reader_.size_of(type);
    if (!size) return invalid(fmt::format("{} has no size", type_name(type)));
    return integer_value(*size, *basic_type("unsigned long"));
}

Result<Value> ExpressionEvaluator::cast(const Expression& node) const {
    const auto type = find_type(node.type);
    if (!type) return invalid(fmt::format("no type '{}'", node.type.name));
    return converted(reader_, TRY(operand(node.operands[0])), *type);
}

Result<Value> ExpressionEvaluator::logical(const Expression& node) const {
    const auto holds = [this](const Expression& operand) -> Result<bool> {
        const Value value = TRY(this->operand(operand));
        const Value negated = TRY(unary_operation(reader_, "!", value));
        return TRY(reader_.integer(negated)) == 0;
    };
    bool result = TRY(holds(node.operands[0]));
    if (result == (node.text == "&&")) result = TRY(holds(node.operands[1]));
    return integer_value(result ? 1 : 0, *basic_type("int"));
}

}  // namespace mqinspect::target
