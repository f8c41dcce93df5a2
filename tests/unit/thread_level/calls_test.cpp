
#include <gmock/gmock.h>

#include "tests/unit/thread_level/assessed.h"

namespace mqinspect::thread_level::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Calls, ContextIsTheCallers) {
    const Assessed assessed(R"(
        f() { a: MPI_Allreduce(comm=WORLD) }
        main() {
            MPI_Init_thread(FUNNELED, tested)
            call f()
            parallel {
                master { call f() }
                barrier
                single { call f() }
            }
        })");

    EXPECT_EQ(assessed.states("a"), "023");
    EXPECT_EQ(assessed.level("a"), "SERIALIZED");
    const Diagnostic* found = assessed.find(Rule::ThreadLevel);
    ASSERT_NE(found, nullptr);
    EXPECT_THAT(remarks_of(*found),
                ElementsAre("9: 'f' is called from 'main' here",
                            "6: in the 'parallel' region that begins here",
                            "4: 'MPI_Init_thread' requests MPI_THREAD_FUNNELED here"));
}

TEST(Calls, OrphanedConstructs) {
    const std::string start =
        "main() { MPI_Init_thread(SERIALIZED, tested) parallel { call f() } }";

    EXPECT_THAT(Assessed("f() { single nowait { a: MPI_Send } single { b: MPI_Recv } }" + start)
                    .complaints(),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(Assessed("f() { single { MPI_Send } single { MPI_Recv } }" + start).complaints(),
                IsEmpty());
    EXPECT_THAT(
        Assessed("f() { master { MPI_Send } barrier single { MPI_Recv } }" + start).complaints(),
        IsEmpty());
}

TEST(Calls, PhasesAcrossThem) {
    const std::string functions =
        "first() { single nowait { a: MPI_Send } } second() { single { b: MPI_Recv } } wait() { "
        "barrier } maybe_wait() { maybe { barrier } } main() { MPI_Init_thread(SERIALIZED, tested) "
        "parallel { ";

    EXPECT_THAT(Assessed(functions + "call first() call second() } }").complaints(),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(Assessed(functions + "call first() call wait() call second() } }").complaints(),
                IsEmpty());
    EXPECT_THAT(
        Assessed(functions + "call first() call maybe_wait() call second() } }").complaints(),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(Assessed(functions + "call second() call first() } }").complaints(), IsEmpty());
    EXPECT_THAT(Assessed(functions + "loop { call first() } } }").complaints(),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(Assessed(functions + "loop { call second() } } }").complaints(), IsEmpty());
    EXPECT_THAT(Assessed(functions + "loop { call second() call first() } } }").complaints(),
                ElementsAre("warning thread-level a b"));
}

TEST(Calls, LastPhaseOfACallee) {
    const std::string functions =
        "f() { single { a: MPI_Send } single nowait { b: MPI_Recv } } main() { "
        "MPI_Init_thread(SERIALIZED, tested) parallel { ";

    EXPECT_THAT(
        Assessed(functions + "call f() single { c: MPI_Bcast(comm=WORLD) } } }").complaints(),
        ElementsAre("warning thread-level b c"));
    EXPECT_THAT(
        Assessed(functions + "call f() barrier single { MPI_Bcast(comm=WORLD) } } }").complaints(),
        IsEmpty());
    EXPECT_THAT(Assessed(functions + "loop { call f() } } }").complaints(),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(Assessed(functions + "loop { call f() barrier } } }").complaints(), IsEmpty());
}

TEST(Calls, WaysThatExcludeEachOtherInACallee) {
    EXPECT_THAT(
        Assessed("f() { maybe { single nowait { MPI_Send } } else { single nowait { MPI_Recv } } } "
                 "main() { MPI_Init_thread(SERIALIZED, tested) parallel { call f() } }")
            .complaints(),
        IsEmpty());
}

TEST(Calls, RecursionEnds) {
    EXPECT_THAT(
        Assessed("f() { a: MPI_Send maybe { call g() } } g() { parallel { single { call f() } } } "
                 "main() { MPI_Init_thread(FUNNELED, tested) call f() }")
            .complaints(),
        ElementsAre("warning thread-level a"));
    EXPECT_THAT(
        Assessed("f() { MPI_Send maybe { call f() } } main() { MPI_Init call f() }").complaints(),
        IsEmpty());
    EXPECT_THAT(Assessed("f() { maybe { call f() } a: MPI_Barrier(comm=WORLD) maybe { call f() } } "
                         "main() { MPI_Init_thread(SERIALIZED, tested) parallel { call f() } }")
                    .complaints(),
                ElementsAre("error concurrent-collectives a"));
}

TEST(Calls, CallbacksOfUnknownFunctions) {
    const Assessed assessed(
        "taken void f() { a: MPI_Send } main() { MPI_Init_thread(SERIALIZED, tested) parallel { "
        "call "
        "for_each_cell() handing f } call qsort() handing f call printf() call sqrtf() }");

    EXPECT_THAT(assessed.complaints(), ElementsAre("warning thread-level a"));
    ASSERT_EQ(assessed.all().unknown_callees.size(), 1U);
    EXPECT_EQ(assessed.program().unit.strings[assessed.all().unknown_callees[0]], "for_each_cell");
}

TEST(Calls, IdleFunctionsOfOtherUnitsAreKnown) {
    MiniProgram program = parse("main() { MPI_Init call leaf() call stranger() }");
    program.unit.idle = {idle_hash("leaf")};

    const Assessment assessment = assess(program.unit, {});

    ASSERT_EQ(assessment.unknown_callees.size(), 1U);
    EXPECT_EQ(program.unit.strings[assessment.unknown_callees[0]], "stranger");
}

TEST(Calls, Indirect) {
    const std::string program =
        "static taken kernel f() { a: MPI_Send } static taken kernel g() { } static taken other "
        "h() { "
        "b: MPI_Recv } main() { MPI_Init_thread(SERIALIZED, tested) parallel { indirect kernel() } "
        "}";

    const Assessed assessed(program);
    EXPECT_THAT(assessed.complaints(), ElementsAre("warning thread-level a"));
    EXPECT_EQ(assessed.states("b"), "0");
}

TEST(Calls, IndirectByCasts) {
    MiniProgram program = parse(
        "static taken vPabc f() { MPI_Send } static taken vPxyz g() { MPI_Send } static taken "
        "vPuvw h() { MPI_Send } main() { MPI_Init parallel { indirect vPabc() } }");
    Strings& strings = program.unit.strings;
    const StringId called = strings.intern("vPabc");
    const StringId between = strings.intern("vPmid");
    const auto called_in_team = [&program] {
        int count = 0;
        for (const Site& site : assess(program.unit, {}).sites)
            count += site.required == Level::Multiple ? 1 : 0;
        return count;
    };

    EXPECT_EQ(called_in_team(), 1);
    program.unit.casts = {{.to = called, .from = between}};
    EXPECT_EQ(called_in_team(), 1);
    program.unit.casts.push_back({.to = between, .from = strings.intern("vPxyz")});
    EXPECT_EQ(called_in_team(), 2);
    program.unit.casts.push_back({.to = between, .from = 0});
    EXPECT_EQ(called_in_team(), 2);
    program.unit.casts.push_back({.to = 0, .from = strings.intern("vPuvw")});
    EXPECT_EQ(called_in_team(), 3);
}

TEST(Calls, IndirectByPointers) {
    MiniProgram program = parse(
        "static taken kernel f() { MPI_Send } static taken kernel g() { MPI_Recv } main() { "
        "MPI_Init parallel { indirect kernel() } }");
    Unit& unit = program.unit;
    const StringId pointer = unit.strings.intern("table::run");
    for (Function& function : unit.functions) {
        for (Step& step : function.steps)
            if (step.kind == StepKind::Indirect)
                step.callee = {.kind = Value::Kind::Element, .name = pointer};
    }
    const auto called_in_team = [&unit] {
        int count = 0;
        for (const Site& site : assess(unit, {}).sites)
            count += site.required == Level::Multiple ? 1 : 0;
        return count;
    };
    const StringId f = unit.strings.find("f");
    const StringId g = unit.strings.find("g");

    EXPECT_EQ(called_in_team(), 2) << "nothing is known of it";
    unit.pointed = {{.pointer = pointer, .function = pointer}};
    EXPECT_EQ(called_in_team(), 0) << "what it points to does nothing";
    unit.pointed = {{.pointer = pointer, .function = f}};
    EXPECT_EQ(called_in_team(), 1);
    unit.pointed = {{.pointer = pointer, .function = f}, {.pointer = pointer, .function = g}};
    EXPECT_EQ(called_in_team(), 2);
    unit.pointed = {{.pointer = pointer, .function = 0}, {.pointer = pointer, .function = f}};
    EXPECT_EQ(called_in_team(), 2) << "it may point to others, too";
    unit.pointed = {{.pointer = pointer, .function = f, .is_shared = true}};
    EXPECT_EQ(called_in_team(), 1) << "the whole program is known";
    unit.source = unit.strings.intern("a.c");
    EXPECT_EQ(called_in_team(), 1) << "the file of main() is taken to write it itself";
    for (Function& function : unit.functions)
        if (unit.strings[function.symbol] == "main") function.symbol = unit.strings.intern("run");
    EXPECT_EQ(called_in_team(), 2) << "others may write to it";
}

TEST(Calls, Virtual) {
    const Assessed assessed(R"(
        slot Solver.1 f() { a: MPI_Send }
        slot Solver.1 slot Other.1 g() { b: MPI_Send }
        slot Other.1 h() { c: MPI_Send }
        main() { MPI_Init_thread(SERIALIZED, tested) parallel { virtual Solver.1() } })");

    EXPECT_EQ(assessed.level("a"), "MULTIPLE");
    EXPECT_EQ(assessed.level("b"), "MULTIPLE");
    EXPECT_EQ(assessed.level("c"), "SINGLE");
}

TEST(Calls, WholeProgramStartsAtMain) {
    const char* const text =
        "never() { parallel { a: MPI_Send } } main() { MPI_Init MPI_Finalize }";
    Settings settings;

    EXPECT_THAT(Assessed(text, settings).complaints(), ElementsAre("warning thread-level a"));
    settings.whole_program = true;
    EXPECT_THAT(Assessed(text, settings).complaints(), IsEmpty());
    EXPECT_EQ(Assessed(text, settings).site("a").states, 0);
}

TEST(Calls, DamagedFunctionsAreLeftOut) {
    MiniProgram program = parse("f() { MPI_Send } main() { MPI_Init parallel { a: MPI_Send } }");
    program.unit.functions[0].steps[0].next = {77};
    program.unit.functions[1].regions[1].parent = 9;

    EXPECT_THAT(assess(program.unit, {}).sites, IsEmpty());
}

/// A tree of calls below one parallel region, with a cycle in it, and code without threads.
Unit large_program(std::uint32_t functions) {
    MiniProgram program = parse(
        "leaf() { MPI_Send(comm=WORLD, peer=1, tag=1) call leaf() call leaf() call leaf() } main() "
        "{ "
        "MPI_Init_thread(FUNNELED, tested) call leaf() parallel { call leaf() } }");
    Unit unit = program.unit;
    const Function leaf = unit.functions[0];
    for (std::uint32_t i = 0; i < functions; ++i) {
        Function next = leaf;
        const auto name_of_function = [](std::uint32_t number) {
            return "f" + std::to_string(number);
        };
        next.symbol = next.name = unit.strings.intern(name_of_function(i));
        std::uint32_t callee = i * 3;
        for (Step& step : next.steps) {
            if (step.kind != StepKind::Call) continue;
            step.name = unit.strings.intern(name_of_function(++callee % functions));
        }
        unit.functions.push_back(next);
    }
    for (Step& step : unit.functions[1].steps) {
        if (step.kind == StepKind::Call) step.name = unit.strings.intern("f0");
    }
    return unit;
}

/// What is quadratic in functions does not end before the test's time is over.
TEST(Calls, ManyFunctionsThatCallEachOther) {
    const Unit unit = large_program(5'000);
    Settings settings;
    settings.whole_program = true;

    const Assessment assessment = assess(unit, settings);

    EXPECT_EQ(assessment.required, Level::Multiple);
    EXPECT_GT(assessment.diagnostics.size(), 2'500U);
}

}  // namespace
}  // namespace mqinspect::thread_level::test
