#include "tests/unit/thread_level_notes/random_unit.h"

#include <algorithm>
#include <random>
#include <string>

#include "tests/unit/thread_level_facts/unit_builder.h"

#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

bool may_have_barrier(RegionKind kind) {
    return kind == RegionKind::Loop || kind == RegionKind::Sections || kind == RegionKind::Single ||
           kind == RegionKind::Scope;
}

class RandomUnit {
public:
    explicit RandomUnit(std::uint32_t seed)
        : random_(seed), seed_(seed), builder_("unit" + std::to_string(seed) + ".c") {}

    Unit make() {
        const std::uint32_t functions = 1 + below(6);
        for (std::uint32_t number = 0; number < functions; ++number)
            function(number);
        for (std::uint32_t number = 0; number < below(4); ++number)
            variable(number);
        pointed();
        return builder_.unit;
    }

private:
    std::uint32_t below(std::uint32_t limit) {
        return static_cast<std::uint32_t>(random_() % limit);
    }
    bool chance(std::uint32_t percent) { return below(100) < percent; }

    void function(std::uint32_t number);
    void variable(std::uint32_t number);
    void pointed();
    void block(RegionId region, int depth);
    void construct(RegionId region, int depth);
    void branch(RegionId region, int depth);
    void event(RegionId region);
    void arguments(Step& step);
    std::string callee();
    Value value();
    Value member_function();

    std::mt19937 random_;
    std::uint32_t seed_;
    UnitBuilder builder_;
};

std::string RandomUnit::callee() {
    switch (below(4)) {
        case 0:
            return "printf";
        case 1:
            return "elsewhere" + std::to_string(below(3));
        case 2:
            return "u" + std::to_string(seed_ ^ 1U) + "_f" + std::to_string(below(6));
        default:
            return "u" + std::to_string(seed_) + "_f" + std::to_string(below(8));
    }
}

Value RandomUnit::value() {
    Value value;
    switch (below(10)) {
        case 0:
            break;
        case 6:
            value.kind = Value::Kind::ThreadNumber;
            value.number = below(3);
            value.created_once = value.number != 0 && chance(40);
            break;
        case 7:
            value.kind = Value::Kind::Counted;
            value.number = below(3);
            break;
        case 8:
            value.kind = Value::Kind::SameForAll;
            if (builder_.current().steps.size() % 2 != 0) {
                value.kind = Value::Kind::Function;
                value.name = builder_.string("u" + std::to_string(seed_) + "_f1");
            }
            break;
        case 1:
            value = UnitBuilder::constant(static_cast<std::int64_t>(below(400)) - 200);
            break;
        case 2:
            value = builder_.predefined("MPI_COMM_WORLD");
            break;
        case 3:
            value = builder_.global("v" + std::to_string(below(4)));
            break;
        case 4:
            value = builder_.local("x@" + std::to_string(below(30)));
            break;
        case 5:
            value = UnitBuilder::parameter(below(3));
            break;
        default:
            value.kind = Value::Kind::Element;
            value.name = builder_.string("comms");
            value.number = below(2);
    }
    if (value.kind == Value::Kind::Local) {
        value.created_once = chance(40);
        value.is_shared = chance(40);
    }
    return value;
}

Value RandomUnit::member_function() {
    Value function;
    function.kind = Value::Kind::Function;
    function.name = builder_.string("u" + std::to_string(seed_) + "_f1");
    function.number = member_number("job::run");
    function.is_shared = true;
    return function;
}

void RandomUnit::arguments(Step& step) {
    step.mpi.communicator = value();
    if (chance(50)) step.mpi.tag = value();
    if (chance(50)) step.mpi.peer = value();
    if (chance(30)) step.mpi.object = value();
}

void RandomUnit::event(RegionId region) {
    static constexpr const char* kProcedures[] = {
        "MPI_Send", "MPI_Recv", "MPI_Barrier", "MPI_Bcast", "MPI_Init_thread", "MPI_Wait"};
    std::vector<Step>& steps = builder_.current().steps;
    switch (below(12)) {
        case 0:
            builder_.step(StepKind::Barrier, region);
            break;
        case 1:
            builder_.step(StepKind::Taskwait, region);
            break;
        case 2: {
            const StepKind kind = chance(50) ? StepKind::Acquire : StepKind::Release;
            const StepId id = builder_.step(kind, region, chance(30) ? "use_lock" : "");
            steps[id].is_conditional = steps[id].name != 0;
            if (chance(30)) {
                steps[id].turn = kind == StepKind::Release ? Turn::Written
                                 : chance(50)              ? Turn::Is
                                                           : Turn::IsNot;
                steps[id].arguments = {value(), value()};
            }
            steps[id].value = value();
            break;
        }
        case 3: {
            const StepId id = builder_.step(StepKind::Indirect, region, "void(int)");
            steps[id].is_virtual = chance(50);
            if (id % 2 == 0) steps[id].callee = UnitBuilder::parameter(id % 3);
            if (id % 4 == 0) steps[id].callee.name = builder_.string("job::run");
            if (id % 5 == 0)
                steps[id].callee = {.kind = Value::Kind::Element,
                                    .name = builder_.string("table::run")};
            break;
        }
        case 4:
            builder_.step(StepKind::StartThread, region, callee());
            break;
        case 5:
            builder_.step(StepKind::JoinThread, region);
            break;
        case 6:
        case 7: {
            const StepId id = builder_.step(StepKind::Mpi, region, kProcedures[below(6)]);
            arguments(steps[id]);
            steps[id].is_checked = id % 3 == 0;
            break;
        }
        case 8:
            builder_.step(StepKind::Join, region);
            break;
        default: {
            const StepId id = builder_.step(StepKind::Call, region, callee());
            if (chance(30)) steps[id].arguments = {value(), value()};
            if (chance(10)) steps[id].callbacks = {builder_.string(callee())};
            if (id % 6 == 0) steps[id].arguments = {UnitBuilder::parameter(0), member_function()};
            steps[id].fills_variable = id % 13 == 0;
            if (id % 11 == 0) steps[id].moved = 1 + id % 3;
            steps[id].spares_moved = id % 7 == 0;
            steps[id].is_caught = id % 5 == 0;
        }
    }
    if (chance(10)) steps.back().place = {};
}

void RandomUnit::construct(RegionId parent, int depth) {
    const auto kind = static_cast<RegionKind>(1 + below(15));
    const RegionId id = builder_.region(kind, parent, 1 + below(500));
    Region& region = builder_.current().regions[id];
    region.barrier_at_end = chance(40) && may_have_barrier(kind);
    if (kind == RegionKind::Guard)
        region.condition =
            static_cast<Condition>(1 + below(static_cast<unsigned>(Condition::ArgumentIsShared)));
    if (kind == RegionKind::Guard && chance(20)) region.wrapper = builder_.string(callee());
    if (chance(10)) region.number = below(5);
    if (kind == RegionKind::Critical && chance(50)) region.name = builder_.string("io");
    if (kind == RegionKind::Task && chance(50)) {
        region.dependences.resize(1 + below(2));
        for (Dependence& each : region.dependences)
            each = {.on = value(), .writes = chance(50)};
    }
    if (chance(20)) region.team = chance(50) ? Team::Never : Team::Perhaps;
    builder_.enter(id);
    block(id, depth + 1);
    builder_.leave(id);
}

/// Both sides of a condition, or a loop.
void RandomUnit::branch(RegionId region, int depth) {
    std::vector<Step>& steps = builder_.current().steps;
    const StepId start = builder_.step(StepKind::Join, region);
    block(region, depth + 1);
    const StepId end = builder_.step(StepKind::Join, region);
    if (chance(50)) {
        steps[start].next.push_back(end);
    } else {
        steps[end].next.push_back(start);
    }
}

void RandomUnit::block(RegionId region, int depth) {
    for (std::uint32_t count = below(5); count > 0; --count) {
        if (depth < 3 && chance(25)) {
            construct(region, depth);
        } else if (depth < 3 && chance(25)) {
            branch(region, depth);
        } else {
            event(region);
        }
    }
}

void RandomUnit::function(std::uint32_t number) {
    const std::string symbol = "u" + std::to_string(seed_) + "_f" + std::to_string(number);
    Function& function = builder_.function(number == 0 && seed_ % 2 == 0 ? "main" : symbol);
    function.is_local = chance(20) && number != 0;
    function.is_mergeable = chance(20);
    function.address_taken = chance(20);
    if (function.address_taken) function.type = builder_.string("void(int)");
    if (chance(10)) function.overrides = {builder_.string("void(int)")};
    if (chance(10)) function.returns = static_cast<Returns>(below(5));
    function.runs_at_start = (seed_ + number) % 7 == 0;
    if ((seed_ + number) % 9 == 0) function.result = builder_.global("v0");
    builder_.step(StepKind::Join);
    block(0, 0);
    if (chance(95)) builder_.exit();
    // What is behind an endless loop is not reached, and the last step has nothing behind it.
}

void RandomUnit::variable(std::uint32_t number) {
    Variable& variable = builder_.variable("v" + std::to_string(number));
    variable.is_local = chance(50);
    variable.creations = below(2);
    variable.other_writes = below(2);
    variable.has_constant = chance(30);
    if (variable.has_constant) variable.constant = below(4);
}

/// Some functions of the unit, and what can't be told.
void RandomUnit::pointed() {
    const StringId pointer = builder_.string("table::run");
    std::vector<PointedFunction>& all = builder_.unit.pointed;
    if (seed_ % 7 == 0) all.push_back({.pointer = pointer, .function = 0});
    if (seed_ % 3 == 0) all.push_back({.pointer = pointer, .function = pointer});
    for (FunctionId id = 0; id < builder_.unit.functions.size(); ++id) {
        if ((seed_ + id) % 4 == 0)
            all.push_back({.pointer = pointer,
                           .function = builder_.unit.functions[id].symbol,
                           .is_shared = seed_ % 2 == 0});
    }
    std::sort(all.begin(), all.end());
}

}  // namespace

Unit random_unit(std::uint32_t seed) {
    return RandomUnit(seed).make();
}

}  // namespace mqinspect::thread_level
