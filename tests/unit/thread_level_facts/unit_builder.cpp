#include "tests/unit/thread_level_facts/unit_builder.h"

namespace mqinspect::thread_level {

UnitBuilder::UnitBuilder(std::string_view source) {
    unit.source = string(source);
    unit.openmp = true;
}

Place UnitBuilder::place(std::uint32_t line, std::uint32_t column) {
    return {.file = unit.source, .line = line, .column = column};
}

Function& UnitBuilder::function(std::string_view symbol) {
    Function function;
    function.symbol = function.name = string(symbol);
    function.place = place(static_cast<std::uint32_t>(10 * (unit.functions.size() + 1)));
    function.regions.emplace_back().place = function.place;
    unit.functions.push_back(function);
    return current();
}

RegionId UnitBuilder::region(RegionKind kind, RegionId parent, std::uint32_t line) {
    Region region;
    region.kind = kind;
    region.parent = parent;
    region.place = place(line, 9);
    current().regions.push_back(region);
    return static_cast<RegionId>(current().regions.size() - 1);
}

StepId UnitBuilder::step(StepKind kind, RegionId region, std::string_view name) {
    const auto id = static_cast<StepId>(current().steps.size());
    if (id > 0) current().steps.back().next.push_back(id);
    Step step;
    step.kind = kind;
    step.region = region;
    step.name = string(name);
    step.place = place(current().place.line + id, 5);
    current().steps.push_back(step);
    return id;
}

StepId UnitBuilder::enter(RegionId region) {
    const StepId id = step(StepKind::Enter, current().regions[region].parent);
    current().steps[id].target = region;
    return id;
}

StepId UnitBuilder::leave(RegionId region) {
    const StepId id = step(StepKind::Leave, current().regions[region].parent);
    current().steps[id].target = region;
    return id;
}

StepId UnitBuilder::exit() {
    return step(StepKind::Exit);
}

Variable& UnitBuilder::variable(std::string_view name) {
    unit.variables.push_back({.name = string(name)});
    return unit.variables.back();
}

Value UnitBuilder::named(Value::Kind kind, std::string_view name) {
    return {.kind = kind, .name = string(name)};
}

Value UnitBuilder::global(std::string_view name) {
    return named(Value::Kind::Global, name);
}

Value UnitBuilder::local(std::string_view name) {
    return named(Value::Kind::Local, name);
}

Value UnitBuilder::predefined(std::string_view name) {
    return named(Value::Kind::Predefined, name);
}

Value UnitBuilder::constant(std::int64_t number) {
    return {.kind = Value::Kind::Constant, .number = number};
}

Value UnitBuilder::parameter(std::int64_t number) {
    return {.kind = Value::Kind::Parameter, .number = number};
}

namespace {

void add_main(UnitBuilder& builder) {
    builder.function("main");
    const StepId init = builder.step(StepKind::Mpi, 0, "MPI_Init_thread");
    builder.current().steps[init].mpi.level = UnitBuilder::constant(2);
    builder.current().steps[init].mpi.tests_provided = true;
    const RegionId parallel = builder.region(RegionKind::Parallel, 0, 12);
    builder.current().regions[parallel].team = Team::Perhaps;
    const RegionId single = builder.region(RegionKind::Single, parallel, 14);
    builder.current().regions[single].barrier_at_end = true;
    builder.enter(parallel);
    builder.enter(single);
    const StepId call = builder.step(StepKind::Call, single, "exchange");
    builder.current().steps[call].arguments = {builder.local("comm@3"), UnitBuilder::constant(-7)};
    builder.current().steps[call].arguments[0].created_once = true;
    builder.current().steps[call].callbacks = {builder.string("exchange")};
    builder.leave(single);
    builder.step(StepKind::Barrier, parallel);
    builder.leave(parallel);
    builder.step(StepKind::Mpi, 0, "MPI_Finalize");
    builder.exit();
}

void add_exchange(UnitBuilder& builder) {
    Function& function = builder.function("exchange");
    function.address_taken = function.is_mergeable = true;
    function.type = builder.string("void(int)");
    function.overrides = {builder.string("Base::2")};
    function.returns = Returns::ThreadNumber;
    const RegionId guard = builder.region(RegionKind::Guard, 0, 30);
    builder.current().regions[guard].condition = Condition::LevelAtLeast;
    builder.current().regions[guard].number = 3;
    builder.current().regions[guard].tested = builder.global("level");
    builder.current().regions[guard].limit = builder.global("multiple");
    builder.current().regions[guard].wrapper = builder.string("thread_number");
    const RegionId critical = builder.region(RegionKind::Critical, guard, 31);
    builder.current().regions[critical].name = builder.string("io");
    const RegionId task = builder.region(RegionKind::Task, critical, 32);
    builder.current().regions[task].dependences = {{.on = builder.local("x@2"), .writes = true}};
    builder.enter(guard);
    builder.enter(critical);
    builder.enter(task);
    const StepId lock = builder.step(StepKind::Acquire, task, "use_lock");
    builder.current().steps[lock].is_conditional = true;
    builder.current().steps[lock].value = builder.global("lock");
    const StepId send = builder.step(StepKind::Mpi, task, "MPI_Isend");
    MpiArguments& mpi = builder.current().steps[send].mpi;
    mpi.communicator = UnitBuilder::parameter(0);
    mpi.peer = UnitBuilder::constant(1);
    mpi.tag = UnitBuilder::constant(99);
    mpi.object = builder.local("request@5");
    builder.step(StepKind::Release, task);
    const StepId virtual_call = builder.step(StepKind::Indirect, task, "Base::2");
    builder.current().steps[virtual_call].is_virtual = true;
    builder.leave(task);
    builder.step(StepKind::Taskwait, critical);
    builder.leave(critical);
    builder.leave(guard);
    builder.current().steps[0].next.push_back(static_cast<StepId>(builder.current().steps.size()));
    builder.step(StepKind::StartThread, 0, "worker");
    builder.step(StepKind::JoinThread);
    builder.exit();
}

}  // namespace

Unit rich_unit(std::string_view source) {
    UnitBuilder builder(source);
    add_main(builder);
    add_exchange(builder);
    Function& worker = builder.function("worker");
    worker.is_local = true;
    const StepId bcast = builder.step(StepKind::Mpi, 0, "MPI_Bcast");
    builder.current().steps[bcast].mpi.communicator = builder.predefined("MPI_COMM_WORLD");
    builder.exit();
    builder.variable("lock").creations = 1;
    Variable& level = builder.variable("level");
    level.is_local = level.has_constant = level.holds_provided = level.changes_in_team = true;
    level.constant = -3;
    level.other_writes = 1;
    builder.unit.writers = {{.function = 0, .variable = 7}, {.function = 5, .variable = 3}};
    builder.unit.casts = {{.to = builder.string("v(Pabc)"), .from = 0},
                          {.to = builder.string("v(Pabc)"), .from = builder.string("v(Pxyz)")}};
    const StringId handler = builder.string("table::run");
    builder.unit.pointed = {{.pointer = handler, .function = 0, .is_shared = true},
                            {.pointer = handler, .function = builder.string("worker")}};
    return builder.unit;
}

}  // namespace mqinspect::thread_level
