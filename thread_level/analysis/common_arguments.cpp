#include "thread_level/analysis/common_arguments.h"

#include "thread_level/analysis/program.h"
#include "thread_level/analysis/started_numbers.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

constexpr int kMostHandingOn = 5;  // of calls that hand on an argument
constexpr std::size_t kMostCallers = 32;

std::optional<CommonArgument> source_of(const Program& program,
                                        FunctionId function,
                                        std::int64_t position,
                                        int depth);

/// What the call hands over; nothing: threads may hand over different ones.
std::optional<CommonArgument> source_at(const Program& program,
                                        const CallerEdge& caller,
                                        std::int64_t position,
                                        int depth) {
    if (caller.kind != CallKind::Call || !program.is_function(caller.from)) return std::nullopt;
    const Step& step = program.steps(caller.from)[caller.step];
    const auto index = static_cast<std::size_t>(position);
    if (step.kind != StepKind::Call || index >= step.arguments.size()) return std::nullopt;
    const Value& value = step.arguments[index];
    switch (value.kind) {
        case Value::Kind::Constant:
            return CommonArgument{.value = value};
        case Value::Kind::Parameter:
            if (!is_whole_parameter(value)) return std::nullopt;
            return source_of(program, caller.from, value.number, depth - 1);
        case Value::Kind::Global: {
            const Variable* variable = program.variable(value.name);
            const bool changes = variable == nullptr || program.changes_in_team(*variable);
            return changes ? std::nullopt : std::optional(CommonArgument{.value = value});
        }
        case Value::Kind::Local: {
            // Only main() has its variables once.
            const bool is_of_main = program.is_main(caller.from) &&
                                    is_of_caller(program.regions(caller.from), step.region);
            const bool is_one = is_of_main || (value.is_shared && is_same_for_all(value));
            if (!is_one) return std::nullopt;
            return CommonArgument{.value = {.kind = value.kind, .name = value.name},
                                  .function = caller.from};
        }
        default:
            return std::nullopt;
    }
}

std::optional<CommonArgument> source_of(const Program& program,
                                        FunctionId function,
                                        std::int64_t position,
                                        int depth) {
    const std::span<const CallerEdge> callers = program.callers(function);
    if (depth == 0 || position < 0 || callers.empty() || callers.size() > kMostCallers)
        return std::nullopt;
    std::optional<CommonArgument> common;
    for (const CallerEdge& caller : callers) {
        const auto one = source_at(program, caller, position, depth);
        if (!one || (common && *common != *one)) return std::nullopt;
        common = one;
    }
    return common;
}

}  // namespace

std::optional<CommonArgument> common_argument(const Program& program,
                                              FunctionId function,
                                              std::int64_t position) {
    return source_of(program, function, position, kMostHandingOn);
}

void note_variables_of_main(Group& group,
                            const Program& program,
                            FunctionId function,
                            const Step& step) {
    if (!program.is_main(function) || step.kind == StepKind::StartThread ||
        !is_of_caller(program.regions(function), step.region))
        return;
    for (Operand* const operand : {&group.communicator, &group.object}) {
        if (operand->value.kind == Value::Kind::Local && operand->owner == function)
            operand->value.is_shared = true;
    }
}

ExclusionSet told_to_caller(ExclusionSet arguments, Exclusions& exclusions) {
    return kept(arguments, exclusions, [](const Exclusion& argument) {
        return argument.kind == Exclusion::Kind::Told;
    });
}

ExclusionSet told_outside(ExclusionSet arguments, const Program& program, Exclusions& exclusions) {
    return kept(arguments, exclusions, [&program](const Exclusion& argument) {
        return argument.kind == Exclusion::Kind::Told &&
               (argument.function == kNone || program.is_main(argument.function));
    });
}

}  // namespace mqinspect::thread_level
