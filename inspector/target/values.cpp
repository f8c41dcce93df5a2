#include "inspector/target/values.h"

#include <fmt/format.h>

#include "inspector/target/expression_evaluator.h"
#include "inspector/target/frame_variables.h"
#include "inspector/target/value_text.h"
#include "inspector/target/variable_frame.h"

namespace mqinspect::target {
namespace {

// "real(kind=8) (0:4,3)", "character(len=5)".
std::string fortran_type_name(const ValueReader& reader, const ValueType& type) {
    ValueType element = type;
    element.steps.clear();
    std::string name = type_name(element);
    if (shape_of(element).kind == TypeKind::String) {
        const auto length = reader.size_of(element);
        name = length ? fmt::format("character(len={})", *length) : "character(len=*)";
    }
    std::string bounds;
    for (const TypeStep& step : type.steps) {
        if (step.is_pointer) return type_name(type);
        if (!bounds.empty()) bounds += ',';
        if (step.lower != 1) bounds += fmt::format("{}:", step.lower);
        const auto last = step.count.value_or(0) + static_cast<std::uint64_t>(step.lower) - 1;
        bounds += step.count ? std::to_string(static_cast<std::int64_t>(last)) : "*";
    }
    return bounds.empty() ? name : fmt::format("{} ({})", name, bounds);
}

ShownValue shown(const ValueReader& reader, const Value& value, bool fortran) {
    ShownValue shown;
    shown.type = fortran ? fortran_type_name(reader, value.type) : type_name(value.type);
    shown.text = value_text(reader, value, fortran);
    const TypeKind kind = shape_of(value.type).kind;
    const bool integral = kind == TypeKind::Integer || kind == TypeKind::Pointer ||
                          kind == TypeKind::Enumeration || kind == TypeKind::Boolean;
    if (!integral) return shown;
    if (const auto number = reader.integer(value)) shown.integer = *number;
    return shown;
}

}  // namespace

std::vector<ShownVariable> frame_variables(const ProcessView& view,
                                           const UnwoundStack& stack,
                                           std::size_t index,
                                           const Memory& memory) {
    std::vector<ShownVariable> variables;
    if (index >= stack.frames.size()) return variables;
    const UnwoundFrame& frame = stack.frames[index];
    const Module* module = view.module_at(frame.pc);
    if (module == nullptr) return variables;
    const std::uint64_t linked = linked_lookup_address(*module, frame);
    const bool fortran = is_fortran_at(*module, linked);
    const ValueReader reader(view, stack, index, memory);
    for (const LocalVariable& local : visible_variables(*module, linked)) {
        if (local.is_hidden) continue;
        const Value value = reader.variable(*module, local.die, variable_site(local.die, linked));
        variables.push_back({.name = std::string(local.name),
                             .value = shown(reader, value, fortran),
                             .is_parameter = local.is_parameter,
                             .inlined = std::string(local.inlined)});
    }
    return variables;
}

Result<ShownValue> evaluate_expression(const ProcessView& view,
                                       const UnwoundStack& stack,
                                       std::size_t index,
                                       const Memory& memory,
                                       std::string_view expression) {
    if (index >= stack.frames.size())
        return Error{ErrorCode::InvalidArgument, "there is no such frame"};
    const ExpressionEvaluator evaluator(view, stack, index, memory);
    const Value value = TRY(evaluator.evaluate(expression));
    return shown(evaluator.reader(), value, evaluator.fortran());
}

}  // namespace mqinspect::target
