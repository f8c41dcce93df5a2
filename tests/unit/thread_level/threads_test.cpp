#include <gmock/gmock.h>

#include "tests/unit/thread_level/assessed.h"

namespace mqinspect::thread_level::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> threads(const std::string& level,
                                 const std::string& functions,
                                 const std::string& body) {
    return Assessed(functions + " main() { MPI_Init_thread(" + level + ", tested) " + body +
                    " MPI_Finalize }")
        .complaints();
}

TEST(Threads, AreNotTheMainOne) {
    EXPECT_THAT(threads("FUNNELED", "f() { a: MPI_Send }", "start f join"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(threads("SERIALIZED", "f() { MPI_Send }", "start f join"), IsEmpty());
    EXPECT_THAT(threads("FUNNELED", "f() { main_thread { MPI_Send } }", "start f join"), IsEmpty());
}

TEST(Threads, MeetTheirStarterUntilTheyAreJoined) {
    EXPECT_THAT(threads("SERIALIZED", "f() { a: MPI_Send }", "start f b: MPI_Recv join"),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(threads("SERIALIZED", "f() { MPI_Send }", "MPI_Recv start f join MPI_Recv"),
                IsEmpty());
}

TEST(Threads, MeetEachOther) {
    EXPECT_THAT(
        threads("SERIALIZED", "f() { a: MPI_Send } g() { b: MPI_Recv }", "start f start g join"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(
        threads("SERIALIZED", "f() { MPI_Send } g() { MPI_Recv }", "start f join start g join"),
        IsEmpty());
    EXPECT_THAT(threads("SERIALIZED", "f() { a: MPI_Send }", "loop { start f } loop { join }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(threads("SERIALIZED", "f() { MPI_Send }", "loop { start f join }"), IsEmpty());
    EXPECT_THAT(
        threads("SERIALIZED", "f() { lock(l) MPI_Send unlock(l) }", "loop { start f } join"),
        IsEmpty());
}

TEST(Threads, StartedAndJoinedByFunctions) {
    const std::string functions = "f() { a: MPI_Send } begin() { start f } end() { join } ";

    EXPECT_THAT(threads("SERIALIZED", functions, "call begin() b: MPI_Recv call end()"),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(threads("SERIALIZED", functions, "call begin() call end() MPI_Recv"), IsEmpty());
}

TEST(Threads, JoinedInALoopOrIfJoinable) {
    EXPECT_THAT(threads("SERIALIZED", "f() { MPI_Send }", "start f loop { join } MPI_Recv"),
                IsEmpty());
    EXPECT_THAT(threads("SERIALIZED", "f() { MPI_Send }", "start f maybe { join } MPI_Recv"),
                IsEmpty());
    EXPECT_THAT(threads("SERIALIZED",
                        "f() { a: MPI_Send }",
                        "start f maybe { b: MPI_Recv } else { call printf() } join"),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(threads("SERIALIZED", "f() { a: MPI_Send }", "start f loop { b: MPI_Recv } join"),
                ElementsAre("warning thread-level a b"));
}

TEST(Threads, MeetWhatTheStarterCalls) {
    EXPECT_THAT(
        threads("SERIALIZED", "f() { a: MPI_Send } g() { b: MPI_Recv }", "start f call g() join"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(threads("SERIALIZED", "f() { MPI_Send } g() { MPI_Recv }", "start f join call g()"),
                IsEmpty());
}

TEST(Threads, FinalizeBesideThem) {
    EXPECT_THAT(
        Assessed("f() { a: MPI_Send } main() { MPI_Init_thread(MULTIPLE, tested) start f z: "
                 "MPI_Finalize join }")
            .complaints(),
        ElementsAre("error finalize a z"));
    EXPECT_THAT(
        Assessed("f() { a: MPI_Send } main() { MPI_Init_thread(MULTIPLE, tested) start f join "
                 "MPI_Finalize }")
            .complaints(),
        IsEmpty());
}

TEST(Threads, TeamsOfThem) {
    EXPECT_THAT(threads("SERIALIZED", "f() { parallel { single { MPI_Send } } }", "start f join"),
                IsEmpty());
    EXPECT_THAT(
        threads(
            "SERIALIZED", "f() { parallel { single { a: MPI_Send } } }", "loop { start f } join"),
        ElementsAre("warning thread-level a"));
}

TEST(Threads, TheOneThatInitializesIsTheMainOne) {
    Settings whole;
    whole.whole_program = true;
    const std::string all = "net() { MPI_Init_thread(FUNNELED, tested) a: MPI_Send MPI_Finalize } ";

    EXPECT_THAT(Assessed("static " + all + "main() { start net join }").complaints(), IsEmpty());
    EXPECT_THAT(Assessed("static " + all + "main() { start net b: MPI_Recv join }").complaints(),
                testing::Contains("warning thread-level a b"));
    EXPECT_THAT(Assessed("static " + all + "main() { start net join b: MPI_Recv }").complaints(),
                ElementsAre("warning thread-level b"));
    EXPECT_THAT(Assessed("static " + all + "main() { loop { start net } join }").complaints(),
                testing::Contains("warning thread-level a"));
    EXPECT_THAT(Assessed("static net() { MPI_Init_thread(FUNNELED, tested) a: MPI_Send } "
                         "main() { start net join z: MPI_Finalize }")
                    .complaints(),
                ElementsAre("warning finalize z"));
    EXPECT_THAT(
        Assessed("f() { a: MPI_Send } net() { MPI_Init_thread(FUNNELED, tested) start f join "
                 "MPI_Finalize } main() { start net join }",
                 whole)
            .complaints(),
        ElementsAre("warning thread-level a"));
}

TEST(Threads, HandTheTurnToAndFro) {
    const std::string to = "start f loop { set(x, 1) is(x, 0) b: MPI_Recv } set(x, 2) join";

    EXPECT_THAT(threads("SERIALIZED", "f() { loop { is_not(x, 0) MPI_Send set(x, 0) } }", to),
                IsEmpty());
    EXPECT_THAT(threads("SERIALIZED", "f() { loop { is_not(x, 0) set(x, 0) a: MPI_Send } }", to),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(threads("SERIALIZED", "f() { loop { is_not(x, 1) a: MPI_Send set(x, 0) } }", to),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(threads("SERIALIZED", "f() { loop { is(y, 1) a: MPI_Send set(x, 0) } }", to),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(threads("SERIALIZED",
                        "give() { set(x, 0) } get() { is(x, 1) } f() { loop { call get() MPI_Send "
                        "call give() } }",
                        to),
                IsEmpty());
}

TEST(Threads, HaveTheFirstTurn) {
    const std::string wait = "start f is(x, 1) b: MPI_Recv join";

    EXPECT_THAT(threads("SERIALIZED", "f() { MPI_Send set(x, 1) }", wait), IsEmpty());
    EXPECT_THAT(threads("SERIALIZED", "f() { MPI_Send set(x, 1) }", "set(x, 0) " + wait),
                IsEmpty());
    EXPECT_THAT(threads("SERIALIZED", "f() { set(x, 1) a: MPI_Send }", wait),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(threads("SERIALIZED", "f() { a: MPI_Send set(x, 1) }", "set(x, 1) " + wait),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(threads("SERIALIZED", "f() { a: MPI_Send set(x, 1) }", "start f " + wait),
                testing::Contains("warning thread-level a b"));
    EXPECT_THAT(
        threads("SERIALIZED", "f() { a: MPI_Send set(x, 1) } g() { set(x, 1) }", "start g " + wait),
        ElementsAre("warning thread-level a b"));
}

/// What is said of a team whose thread 0 does `first`, and thread 1 `second`.
std::vector<std::string> of_team(const std::string& first,
                                 const std::string& second,
                                 const std::string& before = {},
                                 const std::string& functions = {}) {
    return Assessed(functions + "main() { MPI_Init_thread(SERIALIZED, tested) " + before +
                    " parallel { tid0 { " + first + " } tid(1) { " + second + " } } MPI_Finalize }")
        .complaints();
}

TEST(Teams, HaveTheFirstTurn) {
    const std::string wait = "is(x, 1) b: MPI_Recv";

    EXPECT_THAT(of_team("MPI_Send set(x, 1)", wait), IsEmpty());
    EXPECT_THAT(of_team("MPI_Send call give()", wait, {}, "give() { set(x, 1) } "), IsEmpty());
    EXPECT_THAT(of_team("MPI_Send set(x, 1)", "is(x, 1) MPI_Recv set(x, 2)"), IsEmpty());
    EXPECT_THAT(of_team("a: MPI_Send set(x, 1)", "set(x, 2) " + wait),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(of_team("set(x, 1) a: MPI_Send", wait), ElementsAre("warning thread-level a b"));
    EXPECT_THAT(of_team("a: MPI_Send set(x, 1)", wait, "set(x, 1)"),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(of_team("a: MPI_Send set(x, 1)", wait, "maybe { set(x, 2) } else { set(x, 0) }"),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(of_team("a: MPI_Send set(x, 1)", wait, "start f", "f() { set(x, 1) } "),
                ElementsAre("warning thread-level a b"));
}

TEST(Threads, WaitForLatches) {
    const std::string wait = "start f is(x, 1) b: MPI_Recv join";

    EXPECT_THAT(threads("SERIALIZED", "f() { MPI_Send count(x) }", wait), IsEmpty());
    EXPECT_THAT(threads("SERIALIZED", "f() { count(x) a: MPI_Send }", wait),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(threads("SERIALIZED", "f() { a: MPI_Send maybe { count(x) } else {} }", wait),
                ElementsAre("warning thread-level a b"));
}

TEST(Threads, WaitForLatchesBehindOthers) {
    const std::string wait = "start f start g is(y, 1) b: MPI_Recv join";

    EXPECT_THAT(threads("SERIALIZED", "f() { MPI_Send count(x) } g() { is(x, 1) count(y) }", wait),
                IsEmpty());
    EXPECT_THAT(
        threads("SERIALIZED", "f() { a: MPI_Send count(x) } g() { count(y) is(x, 1) }", wait),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(threads("SERIALIZED",
                        "f() { a: MPI_Send count(x) } g() { maybe { is(x, 1) } else {} count(y) }",
                        wait),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(threads("SERIALIZED",
                        "f() { MPI_Send count(x) } g() { MPI_Send }",
                        "start f is(x, 1) start g join"),
                IsEmpty());
}

TEST(Threads, WaitForTurnsByArguments) {
    const std::string get = "get() { is(x, $0) } give() { set(x, $0) } ";
    const std::string to = "start f loop { call get(0) b: MPI_Recv call give(1) } join";

    EXPECT_THAT(
        threads("SERIALIZED", get + "f() { loop { call get(1) MPI_Send call give(0) } }", to),
        IsEmpty());
    EXPECT_THAT(
        threads("SERIALIZED", get + "f() { loop { call get(0) a: MPI_Send call give(1) } }", to),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(threads("SERIALIZED", get + "f() { loop { call get(?) a: MPI_Send } }", to),
                ElementsAre("warning thread-level a b"));
}

TEST(Threads, HaveTheFirstTurnWhereOthersWriteInTurn) {
    EXPECT_THAT(threads("SERIALIZED",
                        "f() { MPI_Send set(x, 1) is(x, 2) MPI_Send set(x, 3) }",
                        "start f is(x, 1) MPI_Recv set(x, 2) is(x, 3) MPI_Recv join"),
                IsEmpty());
    EXPECT_THAT(threads("SERIALIZED",
                        "f() { a: MPI_Send set(x, 1) is(x, 2) MPI_Send set(x, 3) }",
                        "start f is_not(x, 2) b: MPI_Recv set(x, 2) join"),
                testing::Contains("warning thread-level a b"));
}

/// As notes may say that were damaged.
TEST(Threads, AClassWithoutATableSaysNothing) {
    MiniProgram program =
        parse("f() { MPI_Send } main() { MPI_Init_thread(FUNNELED, tested) start f }");
    Unit& unit = program.unit;
    for (Function& function : unit.functions) {
        for (Step& step : function.steps) {
            if (step.kind != StepKind::StartThread) continue;
            step.is_by_type = true;
            step.object_class = unit.strings.intern("6Worker");
            step.callee.kind = Value::Kind::Function;
            step.callee.name = unit.strings.intern("6Worker::0");
            unit.tables.push_back(
                {.name = unit.strings.intern("5Other"), .slots = {function.symbol}});
        }
    }
    ASSERT_EQ(unit.tables.size(), 1U);

    EXPECT_EQ(assess(unit, {}).sites.size(), 2U);
}

}  // namespace
}  // namespace mqinspect::thread_level::test
