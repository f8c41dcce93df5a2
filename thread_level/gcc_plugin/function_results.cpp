#include "thread_level/gcc_plugin/function_results.h"

#include <algorithm>
#include <optional>

#include "thread_level/gcc_plugin/number_keepers.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// What a function returns if that says `outer` of what another one returns, `inner`.
Returns returned_of(Returns outer, Returns inner) {
    if (outer == Returns::Other) return inner;
    if (inner == Returns::ThreadNumber) return outer;
    const bool is_yes = outer == Returns::IsNotThreadZero;
    if (!is_yes && outer != Returns::IsThreadZero) return Returns::Other;
    switch (inner) {
        case Returns::IsThreadZero:
        case Returns::IsNotThreadZero:
            return is_yes == (inner == Returns::IsThreadZero) ? Returns::IsThreadZero
                                                              : Returns::IsNotThreadZero;
        case Returns::IsMainThread:
            return is_yes ? inner : Returns::Other;
        default:
            return Returns::Other;
    }
}

}  // namespace

void settle_returns(Gathering& gathering, const FunctionsBySymbol& functions) {
    std::vector<Function>& all = gathering.unit.functions;
    for (bool any = true; any;) {
        any = false;
        std::erase_if(gathering.wrapping_returns, [&](const WrappingReturn& one) {
            const auto keeper = returns_of_keeper(gathering, one.wrapper);
            const auto wrapper = functions.find(one.wrapper);
            if (!keeper && wrapper == functions.end()) return true;
            const Returns inner = keeper ? *keeper : all[wrapper->second].returns;
            if (keeper == Returns::Other) {
                gathering.returned_keepers.emplace(all[one.function].symbol, one);
                return true;
            }
            if (inner == Returns::Other) return false;
            all[one.function].returns = returned_of(one.returns, inner);
            any = true;
            return true;
        });
    }
    gathering.wrapping_returns.clear();
}

bool settle_test(const Gathering& gathering, Region& guard, Returns& returns) {
    const auto tests = gathering.argument_tests.find(guard.wrapper);
    if (tests == gathering.argument_tests.end()) return false;
    const auto test =
        std::ranges::find(tests->second, guard.tested.number, &ArgumentTest::position);
    if (test == tests->second.end()) return false;
    if (!test->is_with_others) {
        returns = test->returns;
        return false;
    }
    const bool is_one = guard.tested.is_shared && guard.condition == Condition::ThreadIsNotZero;
    guard.condition = is_one ? Condition::ThreadIsOther : Condition::None;
    guard.wrapper = 0;
    guard.number = 0;
    guard.tested = {};
    return true;
}

}  // namespace mqinspect::thread_level::plugin
