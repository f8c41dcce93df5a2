#include "thread_level/analysis/initialized_flags.h"

#include <algorithm>
#include <map>
#include <vector>

#include "thread_level/analysis/guarding.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/turn_values.h"

namespace mqinspect::thread_level {
namespace {

/// Of a variable, around an initialization.
struct Test {
    FunctionId function = 0;
    ZeroTest ways;
    Place place;               ///< of what initializes MPI
    std::vector<bool> behind;  ///< by step: what is done only where the variable is 0
};

class InitializedFlags {
public:
    explicit InitializedFlags(const Program& program) : program_(program), writes_(program) {}

    std::optional<Unit> run();

private:
    bool is_use(const Step& step, Use use) const;
    void find_initializing();
    bool initializes(FunctionId function, StepId step) const;
    bool may_say(StringId variable) const;
    void find_tests(FunctionId function);
    bool is_flag(StringId variable, const std::vector<Test>& tests) const;
    static void add_guard(Function& function, const Test& test);

    const Program& program_;
    TurnWrites writes_;
    std::vector<bool> initializing_;  // by node
    std::map<StringId, std::vector<Test>> tests_;
};

bool InitializedFlags::is_use(const Step& step, Use use) const {
    return step.kind == StepKind::Mpi && program_.procedure(step.name).use == use;
}

/// What initializes MPI on some way.
void InitializedFlags::find_initializing() {
    initializing_.assign(program_.nodes(), false);
    std::vector<Node> open;
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id) {
        if (std::ranges::any_of(program_.steps(id), [this](const Step& step) {
                return is_use(step, Use::Init) || is_use(step, Use::InitThread);
            }))
            open.push_back(id);
    }
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (initializing_[node]) continue;
        initializing_[node] = true;
        for (const CallerEdge& caller : program_.callers(node))
            if (caller.kind != CallKind::Start) open.push_back(caller.from);
    }
}

bool InitializedFlags::initializes(FunctionId function, StepId id) const {
    const Step& step = program_.steps(function)[id];
    return is_use(step, Use::Init) || is_use(step, Use::InitThread) ||
           std::ranges::any_of(program_.calls_of(function, id), [this](const CallEdge& edge) {
               return edge.kind != CallKind::Start && initializing_[edge.to];
           });
}

/// Whether the variable is 0 at first, and 0 or 1 from then on.
bool InitializedFlags::may_say(StringId variable) const {
    const auto writes = writes_.all().find(variable);
    return writes != writes_.all().end() && is_number(program_.turns(), variable) &&
           writes_.first_value(variable) == 0 &&
           std::ranges::all_of(writes->second, [this](const TurnWrite& write) {
               const auto value = written_value(program_, write);
               return value == 0 || value == 1;
           });
}

void InitializedFlags::find_tests(FunctionId function) {
    const std::span<const Step> steps = program_.steps(function);
    for (const ZeroTest& ways : zero_tests(steps)) {
        const Step& test = steps[ways.is_zero];
        if (test.value.kind != Value::Kind::Global || test.name != 0 || !may_say(ways.variable))
            continue;
        std::vector<bool> behind = only_behind(steps, ways.is_zero);
        for (StepId id = 0; id < steps.size(); ++id) {
            if (!behind[id] || !initializes(function, id)) continue;
            tests_[ways.variable].push_back({function, ways, steps[id].place, std::move(behind)});
            break;
        }
    }
}

bool InitializedFlags::is_flag(StringId variable, const std::vector<Test>& tests) const {
    return std::ranges::all_of(writes_.all().at(variable), [&](const TurnWrite& write) {
        if (written_value(program_, write) == 0) {
            return std::ranges::any_of(program_.steps(write.function), [this](const Step& step) {
                return is_use(step, Use::Finalize);
            });
        }
        return std::ranges::any_of(tests, [&](const Test& test) {
            return test.function == write.function && test.behind[write.step];
        });
    });
}

void InitializedFlags::add_guard(Function& function, const Test& test) {
    Region guard;
    guard.place = test.place;
    guard.condition = Condition::NotInitialized;
    guard.tested = function.steps[test.ways.is_zero].value;
    put_guard(function, test.ways.is_zero, guard);
    Region past = function.regions[function.steps[test.ways.is_zero].region];
    if (!has_flag(past) || past.place != test.place) return;
    past.condition = Condition::Initialized;
    function.steps[test.ways.is_not].region = static_cast<RegionId>(function.regions.size());
    function.regions.push_back(std::move(past));
}

std::optional<Unit> InitializedFlags::run() {
    if (writes_.all().empty()) return std::nullopt;
    find_initializing();
    for (FunctionId id = 0; id < program_.unit().functions.size(); ++id)
        if (initializing_[id]) find_tests(id);
    std::optional<Unit> unit;
    for (const auto& [variable, tests] : tests_) {
        if (!is_flag(variable, tests)) continue;
        if (!unit) unit = program_.unit();
        for (const Test& test : tests)
            add_guard(unit->functions[test.function], test);
    }
    return unit;
}

}  // namespace

std::optional<Unit> with_initialized_flags(const Program& program) {
    return InitializedFlags(program).run();
}

}  // namespace mqinspect::thread_level
