#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> of_rank_0(const std::string& statements) {
    return check_between(2, statements);
}

TEST(StatusTypes, AreThoseOfTheReceive) {
    EXPECT_THAT(of_rank_0(R"(
        datatype pair = MPI_COMBINER_CONTIGUOUS(2; ; MPI_INT)
        0: MPI_Type_contiguous(oldtype=MPI_INT, newtype=pair)
        0: MPI_Type_commit(datatype=pair)
        0: MPI_Recv(count=4, source=1, status=[1, 0, 8]) @a.c:1
        0: MPI_Get_count(status=[1, 0, 8], datatype=MPI_INT)
        0: MPI_Get_elements(status=[1, 0, 8], datatype=pair)
        0: MPI_Get_count(status=[1, 0, 8], datatype=MPI_BYTE)
        0: MPI_Get_count(status=[1, 0, 8], datatype=MPI_FLOAT) @a.c:2
        0: MPI_Type_free(datatype=pair)
    )"),
                ElementsAre("warning invalid argument 0: MPI_Get_count a.c:2, MPI_Recv a.c:1"));
    EXPECT_THAT(
        messages_between(2, R"(
        0: MPI_Recv(count=4, source=1, status=[1, 0, 8])
        0: MPI_Get_elements(status=[1, 0, 8], datatype=MPI_FLOAT)
    )"),
        ElementsAre("MPI_Get_elements is asked for the number of MPI_FLOAT in a message that "
                    "has been received as MPI_INT."));
}

TEST(StatusTypes, AreToldByWhatCompletesTheReceive) {
    constexpr const char* receives = R"(
        0: MPI_Irecv(buf=0x1000, count=4, source=1, tag=1, request=a) @a.c:1
        0: MPI_Irecv(buf=0x2000, count=4, datatype=MPI_FLOAT, source=1, tag=2, request=b) @a.c:2
        0: MPI_Waitall(array_of_requests=[a, b], array_of_statuses=[[1, 1, 8], [1, 2, 8]])
    )";
    EXPECT_THAT(of_rank_0(std::string{receives} + R"(
        0: MPI_Get_count(status=[1, 1, 8], datatype=MPI_INT)
        0: MPI_Get_count(status=[1, 2, 8], datatype=MPI_FLOAT)
    )"),
                IsEmpty());
    EXPECT_THAT(of_rank_0(std::string{receives} + R"(
        0: MPI_Get_count(status=[1, 1, 8], datatype=MPI_FLOAT) @a.c:3
        0: MPI_Get_count(status=[1, 2, 8], datatype=MPI_INT) @a.c:4
    )"),
                ElementsAre("warning invalid argument 0: MPI_Get_count a.c:3, MPI_Irecv a.c:1",
                            "warning invalid argument 0: MPI_Get_count a.c:4, MPI_Irecv a.c:2"));
}

TEST(StatusTypes, OfAProbeAreAnybodys) {
    EXPECT_THAT(of_rank_0(R"(
        0: MPI_Probe(source=1, status=[1, 0, 8])
        0: MPI_Get_count(status=[1, 0, 8], datatype=MPI_FLOAT)
        0: MPI_Recv(count=2, datatype=MPI_FLOAT, source=1, status=[1, 0, 8]) @a.c:1
        0: MPI_Get_count(status=[1, 0, 8], datatype=MPI_FLOAT)
        0: MPI_Get_count(status=[1, 0, 8], datatype=MPI_INT) @a.c:2
    )"),
                ElementsAre("warning invalid argument 0: MPI_Get_count a.c:2, MPI_Recv a.c:1"));
}

TEST(StatusTypes, ThatSeveralReceivesMayHaveSetFitOneOfThem) {
    EXPECT_THAT(of_rank_0(R"(
        0: MPI_Recv(count=2, source=1, status=[1, 0, 8])
        0: MPI_Recv(count=2, datatype=MPI_FLOAT, source=1, status=[1, 0, 8])
        0: MPI_Get_count(status=[1, 0, 8], datatype=MPI_INT)
        0: MPI_Get_count(status=[1, 0, 8], datatype=MPI_FLOAT)
    )"),
                IsEmpty());
}

TEST(StatusTypes, OfNothingReceivedOrNothingKnownAreNotJudged) {
    EXPECT_THAT(of_rank_0(R"(
        0: MPI_Recv(count=2, source=1, status=[1, 0, 0])
        0: MPI_Get_count(status=[1, 0, 0], datatype=MPI_FLOAT)
        0: MPI_Get_count(status=[1, 5, 8], datatype=MPI_FLOAT)
        0: MPI_Recv(count=2, source=1, tag=3, status=[1, 3, 8])
        0: MPI_Sendrecv(dest=1, recvcount=2, recvtype=MPI_FLOAT, source=1, recvtag=4, status=[1, 4, 8])
        0: MPI_Get_count(status=[1, 4, 8], datatype=MPI_FLOAT)
    )"),
                IsEmpty());
}

}  // namespace
}  // namespace mqinspect::analysis::test
