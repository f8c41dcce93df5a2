#include "thread_level/gcc_plugin/answered_numbers.h"

#include "thread_level/facts/values.h"

namespace mqinspect::thread_level::plugin {
namespace {

Value sum_of_number(std::int64_t added) {
    Value sum;
    sum.kind = Value::Kind::ThreadNumber;
    sum.number = kSumOfNumber + added;
    return sum;
}

/// What is written to where a parameter points to, as the result of a function; false: it is
/// neither the number of the thread nor whether that is 0.
bool set_result(const NumberUse& use, Function& answer) {
    if (use.is_other || use.copy_of != 0 || use.is_number == use.is_flag) return false;
    if (use.is_flag && (use.is_yes || use.is_partial)) return false;
    if (use.is_number && use.added != 0) {
        answer.result = sum_of_number(use.added);
    } else {
        answer.returns = use.is_number ? Returns::ThreadNumber : Returns::IsThreadZero;
    }
    return true;
}

/// A function that does nothing.
Function answer_of(Gathering& gathering, const Function& asked, unsigned position) {
    Function answer;
    answer.symbol =
        gathering.intern(name_of_answer(gathering.unit.strings[asked.symbol], position));
    answer.name = answer.symbol;
    answer.place = asked.place;
    answer.is_mergeable = asked.is_mergeable;
    answer.regions.push_back(asked.regions.front());
    answer.steps.resize(1);
    answer.steps[0].kind = StepKind::Exit;
    answer.steps[0].place = asked.place;
    return answer;
}

void add_answers_of(Gathering& gathering, FunctionId id) {
    unsigned position = 0;
    const tree declaration = gathering.declarations[id];
    for (tree parameter = DECL_ARGUMENTS(declaration); parameter != NULL_TREE;
         parameter = DECL_CHAIN(parameter), ++position) {
        const auto use = gathering.number_uses.find(DECL_UID(parameter));
        if (use == gathering.number_uses.end() || !POINTER_TYPE_P(TREE_TYPE(parameter))) continue;
        Function answer = answer_of(gathering, gathering.unit.functions[id], position);
        if (!set_result(use->second, answer)) continue;
        gathering.unit.functions.push_back(std::move(answer));
        gathering.declarations.push_back(declaration);
    }
}

}  // namespace

void add_answers(Gathering& gathering) {
    const std::size_t count = gathering.unit.functions.size();
    for (FunctionId id = 0; id < count; ++id) {
        if (gathering.unit.functions[id].is_local) continue;
        const auto sum = gathering.returned_sums.find(gathering.unit.functions[id].symbol);
        if (sum != gathering.returned_sums.end())
            gathering.unit.functions[id].result = sum_of_number(sum->second);
        add_answers_of(gathering, id);
    }
}

}  // namespace mqinspect::thread_level::plugin
