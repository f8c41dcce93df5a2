#include "tests/unit/target/value_fixture.h"

namespace mqinspect::testing {

using namespace target;  // NOLINT(google-build-using-namespace): this is about it

std::string ValueFixture::print(std::string_view function, std::string_view expression) const {
    const CapturedMemory memory(inspected.thread, *inspected.memory);
    const auto value = evaluate_expression(
        *inspected.view, inspected.stack, inspected.frame(function), memory, expression);
    return value ? value->text : "error: " + value.error().message;
}

std::string ValueFixture::type(std::string_view function, std::string_view expression) const {
    const CapturedMemory memory(inspected.thread, *inspected.memory);
    const auto value = evaluate_expression(
        *inspected.view, inspected.stack, inspected.frame(function), memory, expression);
    return value ? value->type : "error: " + value.error().message;
}

std::map<std::string, ShownVariable> ValueFixture::variables(std::string_view function) const {
    const CapturedMemory memory(inspected.thread, *inspected.memory);
    std::map<std::string, ShownVariable> variables;
    for (const ShownVariable& variable :
         frame_variables(*inspected.view, inspected.stack, inspected.frame(function), memory))
        variables.try_emplace(variable.name, variable);
    return variables;
}

}  // namespace mqinspect::testing
