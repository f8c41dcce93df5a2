#include <gmock/gmock.h>

#include "tests/unit/thread_level/assessed.h"

namespace mqinspect::thread_level::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(Locks, CriticalSectionsOfOneName) {
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { critical { MPI_Send } critical { MPI_Recv } }"),
        IsEmpty());
    EXPECT_THAT(complaints("FUNNELED", "parallel { critical { a: MPI_Send } }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { critical(x) { a: MPI_Send } critical(y) { b: MPI_Recv } }"),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(complaints("SERIALIZED", "parallel { critical { a: MPI_Send } b: MPI_Recv }"),
                ElementsAre("warning thread-level a b"));
}

TEST(Locks, HeldAllTheWay) {
    EXPECT_THAT(complaints("SERIALIZED", "parallel { lock(l) MPI_Send unlock(l) }"), IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED", "parallel { lock(l) unlock(l) a: MPI_Send }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { maybe { lock(l) } else { lock(l) } MPI_Send unlock(l) }"),
                IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED", "parallel { maybe { lock(l) } a: MPI_Send unlock(l) }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { lock(l) a: MPI_Send unlock(l) lock(m) b: MPI_Recv unlock(m) }"),
        ElementsAre("warning thread-level a b"));
}

TEST(Locks, DoNotReachIntoTeamsAndTasks) {
    EXPECT_THAT(complaints("SERIALIZED", "lock(l) parallel { a: MPI_Send } unlock(l)"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { critical { parallel { single { MPI_Send } } } }"),
        IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED", "parallel { lock(l) task { a: MPI_Send } unlock(l) }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("SERIALIZED", "parallel { task { lock(l) MPI_Send unlock(l) } }"),
                IsEmpty());
}

TEST(Locks, ConditionalOnesSerializeWithANote) {
    const Assessed assessed(R"(
        main() {
            MPI_Init_thread(SERIALIZED, tested)
            parallel { lock_if(use, l) a: MPI_Send unlock_if(use, l) }
        })");

    EXPECT_THAT(assessed.complaints(), IsEmpty());
    EXPECT_EQ(assessed.level("a"), "SERIALIZED");
    ASSERT_NE(assessed.find(Rule::ConditionalLock), nullptr);
    EXPECT_THAT(assessed.find(Rule::ConditionalLock)->message, HasSubstr("lock 'l'"));
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { lock_if(use, l) MPI_Send unlock_if(use, l) a: MPI_Recv }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { lock_if(use, l) a: MPI_Send unlock_if(it, l) }"),
        ElementsAre("warning thread-level a"));
}

TEST(Locks, ElementsMayDiffer) {
    EXPECT_THAT(complaints("SERIALIZED", "parallel { lock(each.l) a: MPI_Send unlock(each.l) }"),
                ElementsAre("warning thread-level a"));
}

TEST(Locks, ChainOfElements) {
    const Assessed assessed(R"(
        main() {
            MPI_Init_thread(SERIALIZED, tested)
            parallel { lock(mine.l) a: MPI_Send unlock(each.l) }
        })");

    EXPECT_THAT(assessed.complaints(), IsEmpty());
    EXPECT_TRUE(assessed.has(Rule::ConditionalLock, Severity::Note));
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { lock(mine.l) MPI_Send unlock(each.l) a: MPI_Recv }"),
        ElementsAre("warning thread-level a"));
}

TEST(Locks, MembersOfObjects) {
    const Assessed assessed(R"(
        main() {
            MPI_Init_thread(SERIALIZED, tested)
            parallel { lock(field.l) a: MPI_Send unlock(field.l) }
        })");

    EXPECT_THAT(assessed.complaints(), IsEmpty());
    EXPECT_TRUE(assessed.has(Rule::ConditionalLock, Severity::Note));
}

TEST(Locks, InFunctionsOfTheirOwn) {
    const std::string wrappers = "take() { lock($0) } give() { unlock($0) }";
    const std::string start = "main() { MPI_Init_thread(SERIALIZED, tested) ";

    EXPECT_THAT(Assessed(wrappers + start + "parallel { call take(l) MPI_Send call give(l) } }")
                    .complaints(),
                IsEmpty());
    EXPECT_THAT(Assessed(wrappers + start + "parallel { call take(l) call give(l) a: MPI_Send } }")
                    .complaints(),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(
        Assessed(wrappers + start +
                 "parallel { call take(l) a: MPI_Send call give(l) call take(m) b: MPI_Recv "
                 "call give(m) } }")
            .complaints(),
        ElementsAre("warning thread-level a b"));
}

std::string with_operations(const std::string& team) {
    return "operate() { first_is(1) { lock(l) } first_is_not(1) { first_is(2) { unlock(l) } } } "
           "both() { call operate($0) } "
           "main() { MPI_Init_thread(SERIALIZED, tested) parallel { " +
           team + " } }";
}

TEST(Locks, AsAnArgumentSays) {
    for (const std::string callee : {"operate", "both"}) {
        const std::string set = "call " + callee + "(1) ";
        const std::string unset = "call " + callee + "(2) ";
        EXPECT_THAT(Assessed(with_operations(set + "a: MPI_Send " + unset)).complaints(),
                    IsEmpty());
        EXPECT_THAT(Assessed(with_operations(set + unset + "a: MPI_Send")).complaints(),
                    ElementsAre("warning thread-level a"));
        EXPECT_THAT(Assessed(with_operations("call " + callee + "(3) a: MPI_Send")).complaints(),
                    ElementsAre("warning thread-level a"));
        EXPECT_THAT(
            Assessed(with_operations("loop { " + set + "MPI_Send " + unset + "a: MPI_Recv }"))
                .complaints(),
            ElementsAre("warning thread-level a"));
    }
}

TEST(Locks, AsAnArgumentSaysUnderACondition) {
    const Assessed assessed(
        with_operations("call_if(use) operate(1) a: MPI_Send call_if(use) operate(2)"));

    EXPECT_THAT(assessed.complaints(), IsEmpty());
    EXPECT_TRUE(assessed.has(Rule::ConditionalLock, Severity::Note));
    EXPECT_THAT(Assessed(with_operations("call_if(use) operate(1) MPI_Send call_if(use) operate(2) "
                                         "a: MPI_Recv"))
                    .complaints(),
                ElementsAre("warning thread-level a"));
}

TEST(Locks, ReleasedUnderTheirConditionAreNotHeldByCallers) {
    const std::string program =
        "work() { lock_if(use, l) b: MPI_Send unlock_if(use, l) } "
        "main() { MPI_Init_thread(SERIALIZED, tested) parallel { call work() a: MPI_Recv } }";

    EXPECT_THAT(Assessed(program).complaints(),
                UnorderedElementsAre("warning thread-level a", "warning thread-level a b"));
}

TEST(Locks, OfEachThreadHandedOver) {
    const std::string send = "send() { lock($0) a: MPI_Send unlock($0) } ";
    const std::string start = "main() { MPI_Init_thread(SERIALIZED, tested) parallel { ";

    EXPECT_THAT(Assessed(send + start + "call send(own.l) } }").complaints(),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(Assessed(send + start + "call send(mine.l) } }").complaints(),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(Assessed(send + start + "call send(shared.l) } }").complaints(), IsEmpty());
    EXPECT_THAT(Assessed(send + start + "loop { call send(mine.l) } } }").complaints(),
                ElementsAre("warning thread-level a"));
}

TEST(Locks, InAFunctionThatDoesEither) {
    const Assessed assessed(R"(
        lock_or_not() { maybe { lock($0) } else { unlock($0) } }
        main() {
            MPI_Init_thread(SERIALIZED, tested)
            parallel { call lock_or_not(each.l) a: MPI_Send call lock_or_not(each.l) }
        })");

    EXPECT_THAT(assessed.complaints(), IsEmpty());
    EXPECT_TRUE(assessed.has(Rule::ConditionalLock, Severity::Note));
}

TEST(Locks, HeldByTheCaller) {
    const std::string start = "f() { a: MPI_Send } main() { MPI_Init_thread(SERIALIZED, tested) ";

    EXPECT_THAT(Assessed(start + "parallel { critical { call f() } } }").complaints(), IsEmpty());
    EXPECT_THAT(Assessed(start + "parallel { call f() } }").complaints(),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(
        Assessed(start + "parallel { critical { call f() } critical { call f() } } }").complaints(),
        IsEmpty());
    EXPECT_THAT(Assessed(start + "parallel { critical(x) { call f() } critical(y) { call f() } } }")
                    .complaints(),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(Assessed(start + "call f() parallel { critical { call f() } } }").complaints(),
                IsEmpty());
}

TEST(Locks, HeldByTheCallersCaller) {
    EXPECT_THAT(
        Assessed("g() { a: MPI_Send } f() { call g() } main() { MPI_Init_thread(SERIALIZED, "
                 "tested) parallel { lock(l) call f() unlock(l) } }")
            .complaints(),
        IsEmpty());
}

TEST(Locks, OrderedRegions) {
    EXPECT_THAT(complaints("SERIALIZED", "parallel { for { ordered { MPI_Send } } }"), IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { parallel { for { ordered { a: MPI_Send } } } }"),
        ElementsAre("warning thread-level a"));
}

}  // namespace
}  // namespace mqinspect::thread_level::test
