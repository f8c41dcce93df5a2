#include "thread_level/facts/print.h"

#include <gtest/gtest.h>

#include "tests/unit/thread_level_facts/unit_builder.h"

namespace mqinspect::thread_level {
namespace {

TEST(PrintFacts, ShowsAllThatAUnitHolds) {
    EXPECT_EQ(
        "unit rich.c openmp\n"
        "variable lock creations=1 writes=0\n"
        "variable level local creations=0 writes=1 constant=-3 provided changes-in-team\n"
        "function main rich.c:10\n"
        "  region 0 function rich.c:10\n"
        "  region 1 parallel in 0 rich.c:12:9 perhaps\n"
        "  region 2 single in 1 rich.c:14:9 barrier\n"
        "  step 0 mpi MPI_Init_thread in 0 rich.c:10:5 level=2 tests-provided -> 1\n"
        "  step 1 enter 1 in 0 rich.c:11:5 -> 2\n"
        "  step 2 enter 2 in 1 rich.c:12:5 -> 3\n"
        "  step 3 call exchange in 2 rich.c:13:5 0=local comm@3 created-once 1=-7 "
        "callback=exchange -> 4\n"
        "  step 4 leave 2 in 1 rich.c:14:5 -> 5\n"
        "  step 5 barrier in 1 rich.c:15:5 -> 6\n"
        "  step 6 leave 1 in 0 rich.c:16:5 -> 7\n"
        "  step 7 mpi MPI_Finalize in 0 rich.c:17:5 -> 8\n"
        "  step 8 exit in 0 rich.c:18:5\n"
        "function exchange rich.c:20 mergeable address-taken type=void(int) overrides=Base::2 "
        "returns=thread-number\n"
        "  region 0 function rich.c:20\n"
        "  region 1 guard in 0 rich.c:30:9 level-at-least wrapper=thread_number number=3 "
        "tested=global level limit=global multiple\n"
        "  region 2 critical in 1 rich.c:31:9 name=io\n"
        "  region 3 task in 2 rich.c:32:9 out=local x@2\n"
        "  step 0 enter 1 in 0 rich.c:20:5 -> 1 11\n"
        "  step 1 enter 2 in 1 rich.c:21:5 -> 2\n"
        "  step 2 enter 3 in 2 rich.c:22:5 -> 3\n"
        "  step 3 acquire use_lock in 3 rich.c:23:5 conditional value=global lock -> 4\n"
        "  step 4 mpi MPI_Isend in 3 rich.c:24:5 communicator=parameter 0 peer=1 tag=99 "
        "object=local request@5 -> 5\n"
        "  step 5 release in 3 rich.c:25:5 -> 6\n"
        "  step 6 indirect Base::2 in 3 rich.c:26:5 virtual -> 7\n"
        "  step 7 leave 3 in 2 rich.c:27:5 -> 8\n"
        "  step 8 taskwait in 2 rich.c:28:5 -> 9\n"
        "  step 9 leave 2 in 1 rich.c:29:5 -> 10\n"
        "  step 10 leave 1 in 0 rich.c:30:5 -> 11\n"
        "  step 11 start-thread worker in 0 rich.c:31:5 -> 12\n"
        "  step 12 join-thread in 0 rich.c:32:5 -> 13\n"
        "  step 13 exit in 0 rich.c:33:5\n"
        "function worker rich.c:30 local\n"
        "  region 0 function rich.c:30\n"
        "  step 0 mpi MPI_Bcast in 0 rich.c:30:5 communicator=MPI_COMM_WORLD -> 1\n"
        "  step 1 exit in 0 rich.c:31:5\n"
        "writer 0 of 7\n"
        "writer 5 of 3\n"
        "cast  to v(Pabc)\n"
        "cast v(Pxyz) to v(Pabc)\n"
        "pointer table::run to  shared\n"
        "pointer table::run to worker\n",
        print(rich_unit()));
}

TEST(PrintFacts, ShowsOneFunctionOfAUnit) {
    const Unit unit = rich_unit();

    EXPECT_TRUE(print(unit, unit.functions[2]).starts_with("function worker rich.c:30 local\n"));
}

TEST(PrintFacts, ShowsValues) {
    UnitBuilder builder;

    EXPECT_EQ("?", print(builder.unit, Value{}));
    EXPECT_EQ("-5", print(builder.unit, UnitBuilder::constant(-5)));
    EXPECT_EQ("parameter 2", print(builder.unit, UnitBuilder::parameter(2)));
    EXPECT_EQ("MPI_COMM_WORLD", print(builder.unit, builder.predefined("MPI_COMM_WORLD")));
    EXPECT_EQ("global comm1", print(builder.unit, builder.global("comm1")));
    const Value element{.kind = Value::Kind::Element, .name = builder.string("comms"), .number = 1};
    EXPECT_EQ("element comms by-thread", print(builder.unit, element));
    Value shared = builder.local("request@2");
    shared.is_shared = true;
    EXPECT_EQ("local request@2 shared", print(builder.unit, shared));
    EXPECT_EQ("local comm@4", print(builder.unit, builder.local("comm@4")));
}

}  // namespace
}  // namespace mqinspect::thread_level
