// What the result of a function says of the thread that calls it: Conditions, further part.
#include <algorithm>

#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {

/// Whether the function says, perhaps with something else, whether an argument is 0, is not, or is
/// what others make.
void Conditions::note_tests_of_arguments(tree result) {
    std::vector<ArgumentTest> tests;
    for (const Implication& yes : true_parts(result, 0, kDepth)) {
        if (!is_whole_parameter(yes.tested)) continue;
        const bool is_plain = yes.number == 0 && yes.limit.kind == Value::Kind::Unknown;
        ArgumentTest test{.position = yes.tested.number};
        if (yes.condition == Condition::ArgumentIs && is_plain) {
            test.returns = Returns::IsThreadZero;
        } else if (yes.condition == Condition::ArgumentIsNot && is_plain) {
            test.returns = Returns::IsNotThreadZero;
        } else if (yes.condition == Condition::ArgumentIsShared &&
                   yes.limit.kind != Value::Kind::Global) {
            test.is_with_others = true;
        } else {
            continue;
        }
        tests.push_back(test);
    }
    if (!tests.empty())
        gathering_.argument_tests[gathering_.symbol(current_function_decl)] = std::move(tests);
}

/// The function returns whether it is called by the thread whose identity is in `keeper`, if any.
void Conditions::note_main(unsigned keeper) {
    if (keeper != 0)
        gathering_.identity_returns.push_back({gathering_.symbol(current_function_decl), keeper});
}

Returned Conditions::returned(tree result) {
    if (result == NULL_TREE) return {};
    if (INTEGRAL_TYPE_P(TREE_TYPE(result)) && TREE_CODE(result) != INTEGER_CST)
        note_level_flag(gathering_.symbol(current_function_decl), result, {});
    operands_left_ = kMostOperands;
    const Operand operand = classify(result, 0, kDepth);
    switch (operand.quantity) {
        case Quantity::ThreadNumber:
            return {Returns::ThreadNumber, 0};
        case Quantity::TeamSize:
            return {Returns::TeamSize, 0};
        case Quantity::InParallel:
            return {Returns::InParallel, 0};
        case Quantity::MainFlag:
            note_main(operand.provided_global);
            return {Returns::IsMainThread, 0};
        case Quantity::InitializedFlag:
            return {Returns::IsInitialized, 0};
        case Quantity::Wrapped:
            return operand.shift == 0 ? Returned{Returns::Other, operand.wrapper} : Returned{};
        case Quantity::Provided:
            note_level_at(DECL_UID(current_function_decl), operand);
            return {Returns::Other, operand.wrapper};
        case Quantity::ShiftedNumber:
            gathering_.returned_sums[gathering_.symbol(current_function_decl)] = operand.shift;
            return {};
        default:
            break;
    }
    asked_ = source_.returns.empty() ? nullptr : source_.returns.front();
    const Implication yes = of_boolean(result, 0, kDepth).when_true;
    asked_ = nullptr;
    switch (yes.condition) {
        case Condition::ThreadIsZero:
            return {Returns::IsThreadZero, yes.wrapper};
        case Condition::ThreadIsNotZero:
            return {Returns::IsNotThreadZero, yes.wrapper};
        case Condition::IsMainThread:
            note_main(yes.provided_global);
            return {Returns::IsMainThread, 0};
        case Condition::DrewNumber:
            if (yes.number == kOnce) return {};
            return {yes.number == 0 ? Returns::DrewNumber : Returns::DrewFirst, 0};
        case Condition::Initialized:
            return {Returns::IsInitialized, 0};
        default:
            if (source_.returns.size() == 1) note_tests_of_arguments(result);
            return {};
    }
}

/// `if (provided == MPI_THREAD_MULTIPLE) return 1; return 0;`, too: one variable has the result.
Returned Conditions::returned_by_itself() {
    constexpr std::size_t most_conditions = 4;
    if (source_.returns.empty() || source_.conditions.size() > most_conditions) return {};
    const tree result = gimple_return_retval(as_a<greturn*>(source_.returns.front()));
    const bool is_one = std::ranges::all_of(source_.returns, [&](gimple* statement) {
        return gimple_return_retval(as_a<greturn*>(statement)) == result;
    });
    return is_one ? returned(result) : Returned{};
}

}  // namespace mqinspect::thread_level::plugin
