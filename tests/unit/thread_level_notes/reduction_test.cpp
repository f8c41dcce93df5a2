#include "thread_level/notes/reduction.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/unit/thread_level_facts/unit_builder.h"
#include "tests/unit/thread_level_notes/random_unit.h"

#include "thread_level/facts/print.h"

namespace mqinspect::thread_level::notes {
namespace {

std::vector<std::string> functions_left(const Unit& unit) {
    std::vector<std::string> names;
    for (const Function& function : reduce(unit).functions)
        names.push_back(unit.strings[function.symbol]);
    return names;
}

/// The first function: "call f; mpi MPI_Send; exit", with the successors of each.
std::string steps_left(const Unit& unit) {
    const Unit reduced = reduce(unit);
    std::string text;
    for (const Step& step : reduced.functions.front().steps) {
        Step bare = step;
        bare.place = {};
        Function one;
        one.regions = reduced.functions.front().regions;
        one.steps = {bare};
        std::string line = print(reduced, one);
        line = line.substr(line.find("  step 0 ") + 9);
        text += line.substr(0, line.size() - 1) + "; ";
    }
    return text;
}

void call(UnitBuilder& builder, std::string_view name) {
    builder.step(StepKind::Call, 0, name);
}

using Names = std::vector<std::string>;

TEST(ReduceFacts, KeepsWhatMayReachMpi) {
    UnitBuilder builder;
    builder.function("sends");
    builder.step(StepKind::Mpi, 0, "MPI_Send");
    builder.function("calls_sends");
    call(builder, "sends");
    builder.function("calls_elsewhere");
    call(builder, "elsewhere");
    builder.function("through_a_pointer");
    builder.step(StepKind::Indirect, 0, "void()");
    builder.function("computes");
    call(builder, "sin");
    builder.exit();
    builder.function("calls_computes");
    call(builder, "computes");
    call(builder, "calls_computes");
    builder.exit();
    builder.function("sorts");
    call(builder, "qsort");
    builder.current().steps[0].callbacks = {builder.string("computes")};
    builder.exit();
    builder.function("sorts_and_sends");
    call(builder, "qsort");
    builder.current().steps[0].callbacks = {builder.string("sends")};

    EXPECT_EQ(
        (Names{"sends", "calls_sends", "calls_elsewhere", "through_a_pointer", "sorts_and_sends"}),
        functions_left(builder.unit));
}

TEST(ReduceFacts, AWeakFunctionMayBeReplacedByOneThatMatters) {
    UnitBuilder builder;
    builder.function("hook").is_mergeable = true;
    builder.exit();
    builder.function("_Z6inlinev").is_mergeable = true;
    builder.exit();
    builder.function("calls_hook");
    call(builder, "hook");
    builder.function("calls_inline");
    call(builder, "_Z6inlinev");
    builder.exit();

    EXPECT_EQ((Names{"calls_hook"}), functions_left(builder.unit));
}

TEST(ReduceFacts, WhatIsLeftOutIsKnownToBeIdle) {
    UnitBuilder builder("a.c");
    builder.unit.idle = {idle_hash("leaf")};
    builder.function("calls_leaf");
    builder.function("local").is_local = true;
    builder.function("main");
    builder.step(StepKind::Call, 0, "elsewhere");

    std::vector<std::uint32_t> expected{idle_hash("leaf"), idle_hash("calls_leaf")};
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(expected, reduce(builder.unit).idle);
}

TEST(ReduceFacts, KeepsWhatDoesNotReturn) {
    UnitBuilder builder("a.c");
    builder.function("waits_for_ever");
    builder.step(StepKind::Join);
    builder.function("computes");
    builder.exit();

    EXPECT_EQ((Names{"waits_for_ever"}), functions_left(builder.unit));
}

TEST(ReduceFacts, KeepsMain) {
    UnitBuilder builder;
    builder.function("main");
    builder.exit();

    EXPECT_EQ((Names{"main"}), functions_left(builder.unit));
}

TEST(ReduceFacts, KeepsWrappersThatGuardsAskFor) {
    UnitBuilder builder;
    builder.function("thread_number").returns = Returns::ThreadNumber;
    builder.exit();

    EXPECT_EQ((Names{"thread_number"}), functions_left(builder.unit));
}

TEST(ReduceFacts, TakesOutCallsOfLibraries) {
    UnitBuilder builder;
    builder.function("main");
    call(builder, "printf");
    builder.step(StepKind::Mpi, 0, "MPI_Init");
    call(builder, "malloc");
    call(builder, "exchange");
    call(builder, "free");
    builder.exit();

    EXPECT_EQ("mpi MPI_Init in 0 -> 1; call exchange in 0 -> 2; exit in 0; ",
              steps_left(builder.unit));
}

TEST(ReduceFacts, RepeatedCallsAreOneWithoutConstructs) {
    UnitBuilder builder;
    builder.function("work");
    call(builder, "a");
    call(builder, "a");
    call(builder, "b");
    call(builder, "a");
    builder.exit();

    EXPECT_EQ("call a in 0 -> 0 1 2; call b in 0 -> 0; exit in 0; ", steps_left(builder.unit));
}

TEST(ReduceFacts, RepeatedCallsOfMainStayAsOneMayInitialize) {
    UnitBuilder builder;
    builder.function("main");
    call(builder, "a");
    call(builder, "b");
    call(builder, "a");
    builder.exit();

    EXPECT_EQ("call a in 0 -> 1; call b in 0 -> 2; call a in 0 -> 3; exit in 0; ",
              steps_left(builder.unit));
}

TEST(ReduceFacts, CallsWithOtherArgumentsStayApart) {
    UnitBuilder builder;
    builder.function("main");
    call(builder, "a");
    call(builder, "a");
    builder.current().steps[1].arguments = {builder.global("comm"), Value{}};
    builder.exit();

    EXPECT_EQ("call a in 0 -> 1; call a in 0 0=global comm -> 2; exit in 0; ",
              steps_left(builder.unit));
}

TEST(ReduceFacts, RepeatedCallsStayWhereTheOrderCounts) {
    for (const StepKind kind : {StepKind::Barrier, StepKind::Acquire, StepKind::Taskwait}) {
        UnitBuilder builder;
        builder.function("main");
        call(builder, "a");
        builder.step(kind);
        call(builder, "a");
        builder.exit();

        EXPECT_EQ(4U, reduce(builder.unit).functions[0].steps.size());
    }
}

TEST(ReduceFacts, AnIdleParallelRegionIsOnlyThere) {
    UnitBuilder builder;
    builder.function("kernel");
    const RegionId parallel = builder.region(RegionKind::Parallel, 0, 3);
    const RegionId loop = builder.region(RegionKind::Loop, parallel, 4);
    builder.enter(parallel);
    builder.enter(loop);
    builder.step(StepKind::Call, loop, "sqrt");
    builder.leave(loop);
    builder.leave(parallel);
    builder.exit();

    EXPECT_EQ("enter 1 in 0 -> 1; leave 1 in 0 -> 2; exit in 0; ", steps_left(builder.unit));
    EXPECT_EQ(2U, reduce(builder.unit).functions[0].regions.size());
}

TEST(ReduceFacts, WhatIsBadlyNestedStays) {
    UnitBuilder builder;
    builder.function("kernel");
    const RegionId parallel = builder.region(RegionKind::Parallel, 0, 3);
    const RegionId single = builder.region(RegionKind::Single, parallel, 4);
    const RegionId loop = builder.region(RegionKind::Loop, single, 5);
    builder.enter(parallel);
    builder.enter(single);
    builder.enter(loop);
    builder.leave(loop);
    builder.leave(single);
    builder.leave(parallel);
    builder.exit();

    EXPECT_EQ(4U, reduce(builder.unit).functions[0].regions.size());
}

TEST(ReduceFacts, AnIdleLoopInABusyTeamStaysForItsBarrier) {
    UnitBuilder builder;
    builder.function("kernel");
    const RegionId parallel = builder.region(RegionKind::Parallel, 0, 3);
    const RegionId nowait = builder.region(RegionKind::Critical, parallel, 4);
    const RegionId loop = builder.region(RegionKind::Loop, parallel, 5);
    builder.current().regions[loop].barrier_at_end = true;
    builder.enter(parallel);
    builder.enter(nowait);
    builder.leave(nowait);
    builder.enter(loop);
    builder.leave(loop);
    builder.step(StepKind::Mpi, parallel, "MPI_Send");
    builder.leave(parallel);
    builder.exit();

    EXPECT_EQ(
        "enter 1 in 0 -> 1; enter 2 in 1 -> 2; leave 2 in 1 -> 3; mpi MPI_Send in 1 -> 4; "
        "leave 1 in 0 -> 5; exit in 0; ",
        steps_left(builder.unit));
    EXPECT_TRUE(reduce(builder.unit).functions[0].regions[2].barrier_at_end);
}

TEST(ReduceFacts, KeepsVariablesThatOthersMayName) {
    UnitBuilder builder;
    builder.function("main");
    const StepId send = builder.step(StepKind::Mpi, 0, "MPI_Send");
    builder.current().steps[send].mpi.communicator = builder.global("named");
    for (const char* name : {"named", "unnamed"})
        builder.variable(name).is_local = true;
    builder.variable("common");

    const Unit reduced = reduce(builder.unit);

    ASSERT_EQ(2U, reduced.variables.size());
    EXPECT_EQ("named", reduced.strings[reduced.variables[0].name]);
    EXPECT_EQ("common", reduced.strings[reduced.variables[1].name]);
}

TEST(ReduceFacts, EveryMpiCallThatIsReachedStays) {
    const auto calls = [](const Unit& unit) {
        std::size_t count = 0;
        for (const Function& function : unit.functions) {
            std::vector<bool> seen(function.steps.size(), false);
            std::vector<StepId> open{0};
            while (!open.empty()) {
                const StepId id = open.back();
                open.pop_back();
                if (seen[id]) continue;
                seen[id] = true;
                if (function.steps[id].kind == StepKind::Mpi) ++count;
                open.insert(
                    open.end(), function.steps[id].next.begin(), function.steps[id].next.end());
            }
        }
        return count;
    };
    for (std::uint32_t seed = 1; seed <= 500; ++seed) {
        const Unit unit = random_unit(seed);
        ASSERT_EQ(calls(unit), calls(reduce(unit))) << "seed " << seed;
    }
}

}  // namespace
}  // namespace mqinspect::thread_level::notes
