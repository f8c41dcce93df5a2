#include "thread_level/facts/join.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/unit/thread_level_facts/unit_builder.h"

#include "thread_level/facts/print.h"

namespace mqinspect::thread_level {
namespace {

std::vector<std::string> symbols(const Unit& unit) {
    std::vector<std::string> names;
    for (const Function& function : unit.functions)
        names.push_back(unit.strings[function.symbol]);
    return names;
}

UnitBuilder with_function(std::string_view source, std::string_view symbol) {
    UnitBuilder builder(source);
    builder.function(symbol);
    return builder;
}

using Names = std::vector<std::string>;

TEST(JoinFacts, NothingIsAnEmptyProgram) {
    const Unit whole = join({});

    EXPECT_TRUE(whole.functions.empty());
    EXPECT_EQ(0U, whole.source);
}

TEST(JoinFacts, WhatAFunctionOfAnotherUnitReturnsIsThere) {
    UnitBuilder user("a.c");
    user.function("main");
    for (const char* lock : {"mutex()", "mutex().inner", "other()"}) {
        const StepId take = user.step(StepKind::Acquire);
        user.current().steps[take].value.kind = Value::Kind::Element;
        user.current().steps[take].value.name = user.string(lock);
    }
    UnitBuilder owner("b.c");
    owner.function("mutex").result = owner.global("lock");
    owner.variable("lock").is_local = true;
    owner.function("other");

    const Unit whole = join({user.unit, owner.unit});

    const std::vector<Step>& steps = whole.functions[0].steps;
    EXPECT_EQ("global b.c:lock", print(whole, steps[0].value));
    EXPECT_EQ("global b.c:lock.inner", print(whole, steps[1].value));
    EXPECT_EQ("element other()", print(whole, steps[2].value));
}

TEST(JoinFacts, PartsOfLocalVariablesAreNotThoseOfOtherUnits) {
    std::vector<Unit> units;
    for (const char* source : {"a.c", "b.c"}) {
        UnitBuilder builder(source);
        builder.function(source);
        builder.step(StepKind::Acquire);
        builder.current().steps[0].value = builder.global("locks.3");
        builder.step(StepKind::Acquire);
        builder.current().steps[1].value = builder.global("locks.3");
        builder.current().steps[1].value.kind = Value::Kind::Element;
        builder.variable("locks").is_local = true;
        units.push_back(builder.unit);
    }

    const Unit whole = join(units);

    EXPECT_EQ("global a.c:locks.3", print(whole, whole.functions[0].steps[0].value));
    EXPECT_EQ("element b.c:locks.3", print(whole, whole.functions[1].steps[1].value));
}

TEST(JoinFacts, LocalThreadsAreWaitedForByTheirNames) {
    UnitBuilder builder("a.c");
    builder.function("work").is_local = true;
    builder.function("main");
    for (const StepKind kind : {StepKind::StartThread, StepKind::JoinThread})
        builder.current().steps[builder.step(kind)].name = builder.string("work");

    const Unit whole = join({builder.unit});

    const std::vector<Step>& steps = whole.functions[1].steps;
    EXPECT_EQ("a.c:work", whole.strings[steps[0].name]);
    EXPECT_EQ(steps[0].name, steps[1].name);
}

TEST(JoinFacts, LocalFunctionsKeepTheirCallers) {
    std::vector<Unit> units;
    for (const char* source : {"a.c", "b.c"}) {
        UnitBuilder builder(source);
        builder.function("helper").is_local = true;
        builder.function(source == std::string("a.c") ? "main" : "other");
        const StepId call = builder.step(StepKind::Call, 0, "helper");
        builder.current().steps[call].callbacks = {builder.string("helper")};
        builder.current().regions[0].wrapper = builder.string("helper");
        builder.step(StepKind::StartThread, 0, "helper");
        builder.step(StepKind::Call, 0, "main");
        units.push_back(builder.unit);
    }

    const Unit whole = join(units);

    EXPECT_EQ((Names{"a.c:helper", "main", "b.c:helper", "other"}), symbols(whole));
    const Function& other = whole.functions[3];
    EXPECT_EQ("b.c:helper", whole.strings[other.steps[0].name]);
    EXPECT_EQ("b.c:helper", whole.strings[other.steps[0].callbacks[0]]);
    EXPECT_EQ("b.c:helper", whole.strings[other.regions[0].wrapper]);
    EXPECT_EQ("b.c:helper", whole.strings[other.steps[1].name]);
    EXPECT_EQ("main", whole.strings[other.steps[2].name]);
    EXPECT_EQ("helper", whole.strings[whole.functions[2].name]);
}

TEST(JoinFacts, UnitsOfOneSourceStayApart) {
    UnitBuilder builder = with_function("util.c", "helper");
    builder.current().is_local = true;

    const Unit whole = join({builder.unit, builder.unit});

    EXPECT_EQ((Names{"util.c:helper", "util.c#2:helper"}), symbols(whole));
}

TEST(JoinFacts, OfMergeableFunctionsTheFirstStays) {
    UnitBuilder first = with_function("a.cpp", "inlined");
    first.current().is_mergeable = true;
    UnitBuilder second = with_function("b.cpp", "inlined");
    second.current().is_mergeable = true;
    second.current().address_taken = true;

    const Unit whole = join({first.unit, second.unit});

    ASSERT_EQ(1U, whole.functions.size());
    EXPECT_EQ("a.cpp", whole.strings[whole.functions[0].place.file]);
    EXPECT_TRUE(whole.functions[0].address_taken);
}

TEST(JoinFacts, AStrongFunctionGoesBeforeAWeakOne) {
    UnitBuilder weak = with_function("a.c", "hook");
    weak.current().is_mergeable = true;
    const UnitBuilder strong = with_function("b.c", "hook");
    const UnitBuilder late = with_function("c.c", "hook");

    const Unit whole = join({weak.unit, strong.unit, late.unit});

    ASSERT_EQ(1U, whole.functions.size());
    EXPECT_EQ("b.c", whole.strings[whole.functions[0].place.file]);
}

TEST(JoinFacts, WritesOfVariablesAddUp) {
    UnitBuilder first("a.c");
    first.variable("comm") = {.name = first.string("comm"), .creations = 1, .other_writes = 2};
    UnitBuilder second("b.c");
    second.string("something else");
    second.variable("comm") = {.name = second.string("comm"), .creations = 3, .other_writes = 4};

    const Unit whole = join({first.unit, second.unit});

    ASSERT_EQ(1U, whole.variables.size());
    EXPECT_EQ(4U, whole.variables[0].creations);
    EXPECT_EQ(6U, whole.variables[0].other_writes);
}

TEST(JoinFacts, AConstantSurvivesUnitsThatOnlyRead) {
    UnitBuilder reader("a.c");
    reader.variable("level");
    UnitBuilder writer("b.c");
    writer.variable("level") = {
        .name = writer.string("level"), .has_constant = true, .constant = 3};
    UnitBuilder other("c.c");
    other.variable("level") = {.name = other.string("level"), .has_constant = true, .constant = 1};
    UnitBuilder vague("d.c");
    vague.variable("level") = {.name = vague.string("level"), .other_writes = 1};

    const auto constant = [](const Unit& whole) {
        const Variable& level = whole.variables.front();
        return level.has_constant ? std::to_string(level.constant) : "none";
    };
    EXPECT_EQ("3", constant(join({reader.unit, writer.unit})));
    EXPECT_EQ("3", constant(join({writer.unit, reader.unit, writer.unit})));
    EXPECT_EQ("none", constant(join({writer.unit, other.unit})));
    EXPECT_EQ("none", constant(join({writer.unit, vague.unit})));
    EXPECT_EQ("none", constant(join({vague.unit, writer.unit, writer.unit})));
}

TEST(JoinFacts, LocalVariablesOfTheProgramStayApart) {
    std::vector<Unit> units;
    for (const char* source : {"a.c", "b.c"}) {
        UnitBuilder builder(source);
        builder.function(source == std::string("a.c") ? "main" : "other");
        Variable& variable = builder.variable("comm");
        variable.is_local = source == std::string("a.c");
        const StepId send = builder.step(StepKind::Mpi, 0, "MPI_Send");
        builder.current().steps[send].mpi.communicator = builder.global("comm");
        builder.current().steps[send].mpi.object = builder.local("request@3");
        builder.current().steps[send].mpi.tag = builder.local(source);
        units.push_back(builder.unit);
    }

    const Unit whole = join(units);

    const MpiArguments& first = whole.functions[0].steps[0].mpi;
    const MpiArguments& second = whole.functions[1].steps[0].mpi;
    EXPECT_EQ("global a.c:comm", print(whole, first.communicator));
    EXPECT_EQ("global comm", print(whole, second.communicator));
    EXPECT_EQ(2U, whole.variables.size());
    // One name in two functions of different units is two variables.
    EXPECT_EQ("local a.c:request@3", print(whole, first.object));
    EXPECT_EQ("local b.c:request@3", print(whole, second.object));
    EXPECT_EQ("local a.c", print(whole, first.tag));
}

TEST(JoinFacts, IdleFunctionsOfAllUnitsOnce) {
    UnitBuilder one("a.c");
    one.unit.idle = {idle_hash("b"), idle_hash("a")};
    UnitBuilder other("b.c");
    other.unit.idle = {idle_hash("a"), idle_hash("c")};

    std::vector<std::uint32_t> expected{idle_hash("a"), idle_hash("b"), idle_hash("c")};
    std::ranges::sort(expected);
    EXPECT_EQ(expected, join({one.unit, other.unit}).idle);
}

TEST(JoinFacts, OneUnitSaysWhatItSaid) {
    Unit unit = rich_unit();
    unit.functions[2].is_local = unit.variables[1].is_local = false;
    const auto without_source = [](const std::string& text) {
        return text.substr(text.find('\n'));
    };

    EXPECT_EQ(without_source(print(unit)), without_source(print(join({unit}))));
}

}  // namespace
}  // namespace mqinspect::thread_level
