// Calls from one place, of which the first is in order: the others must not pass for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// What is found of the last of three calls from one place.
std::vector<std::string> third(const std::string& call, const std::string& other) {
    const std::string sound = "0: " + call + " @a.c:1\n";
    return messages_between(2, sound + sound + "0: " + other + " @a.c:1\n");
}

TEST(SoundCalls, NothingIsFoundOfTheSameAgain) {
    EXPECT_THAT(third("MPI_Send(dest=1, tag=3)", "MPI_Send(dest=1, tag=4)"), IsEmpty());
    EXPECT_THAT(third("MPI_Recv(source=1, tag=MPI_ANY_TAG)", "MPI_Recv(source=1, tag=5)"),
                IsEmpty());
}

TEST(SoundCalls, OtherValuesAreLookedAt) {
    EXPECT_THAT(
        third("MPI_Send(dest=1)", "MPI_Send(dest=2)"),
        ElementsAre("MPI_Send is given destination 2, but MPI_COMM_WORLD has 2 ranks (0 to 1)."));
    EXPECT_THAT(third("MPI_Send(dest=1)", "MPI_Send(dest=1, count=-1)"),
                ElementsAre("MPI_Send is given a negative count (-1)."));
    EXPECT_THAT(third("MPI_Gather(root=0)", "MPI_Gather(root=0, recvcount=-3)"),
                ElementsAre("MPI_Gather is given a negative receive count (-3)."));
}

TEST(SoundCalls, TagsAndBuffersAreLookedAt) {
    EXPECT_THAT(third("MPI_Recv(source=1, tag=MPI_ANY_TAG)", "MPI_Recv(source=1, tag=-2)"),
                ElementsAre("MPI_Recv is given tag -2: tags are not negative."));
    EXPECT_THAT(third("MPI_Send(dest=1, buf=8192, count=2)", "MPI_Send(dest=1, buf=0, count=2)"),
                ElementsAre("MPI_Send is given a null pointer as buffer of 2 elements."));
    EXPECT_THAT(
        third("MPI_Bcast(root=0, buffer=8192, count=2)", "MPI_Bcast(root=0, buffer=0, count=2)"),
        ElementsAre("MPI_Bcast is given a null pointer as buffer of 2 elements."));
}

TEST(SoundCalls, HandlesThatHaveBeenFreedSinceAreLookedAt) {
    EXPECT_THAT(messages_between(2, R"(
        datatype vec = MPI_COMBINER_VECTOR(2,1,3; ; MPI_INT)
        0: MPI_Type_vector(count=2, blocklength=1, stride=3, oldtype=MPI_INT, newtype=vec) @a.c:1
        0: MPI_Type_commit(datatype=vec)
        0: MPI_Send(dest=1, datatype=vec) @a.c:3
        0: MPI_Send(dest=1, datatype=vec) @a.c:3
        0: MPI_Type_free(datatype=vec) @a.c:4
        0: MPI_Send(dest=1, datatype=vec) @a.c:3
    )"),
                ElementsAre("MPI_Send uses a datatype that has been freed."));
}

}  // namespace
}  // namespace mqinspect::analysis::test
