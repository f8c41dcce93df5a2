#include "analysis/local/declared_lists.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using model::DeclaredBuffer;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

DeclaredBuffer array(const char* type, int size, int count) {
    DeclaredBuffer buffer;
    buffer.text = "list";
    buffer.type = type;
    buffer.unit = size;
    buffer.period = size;
    buffer.room = size * count;
    return buffer;
}

/// The parameter of each call is given this array.
class ArrayOf final : public ProgramText {
public:
    ArrayOf(std::size_t parameter, const DeclaredBuffer& buffer)
        : parameter_(parameter), buffer_(buffer) {}

    const DeclaredBuffer* buffer(const model::RecordedCall&, std::size_t parameter) override {
        return parameter == parameter_ ? &buffer_ : nullptr;
    }
    bool has_returned(model::StackId, model::StackId) override { return false; }

    CheckOptions options() {
        CheckOptions options;
        options.text = this;
        return options;
    }

private:
    std::size_t parameter_;
    const DeclaredBuffer& buffer_;
};

std::vector<std::string> found_lists(std::size_t parameter,
                                     const DeclaredBuffer& buffer,
                                     const std::string& statement) {
    return check_between(2, statement, ArrayOf(parameter, buffer).options());
}

constexpr const char* kGrid =
    "0: MPI_Cart_create(comm_old=MPI_COMM_SELF, ndims=3, dims=[1, 1, 1], periods=[0, 0, 0], "
    "comm_cart=-1) @a.c:1";

TEST(DeclaredLists, AreAsLongAsTheCallSays) {
    constexpr std::size_t dims = 2;
    EXPECT_THAT(found_lists(dims, array("int [2]", 4, 2), kGrid),
                ElementsAre("error invalid argument 0: MPI_Cart_create a.c:1"));
    EXPECT_THAT(found_lists(dims, array("int [3]", 4, 3), kGrid), IsEmpty());
    DeclaredBuffer pointer = array("int *", 4, 3);
    pointer.room.reset();
    EXPECT_THAT(found_lists(dims, pointer, kGrid), IsEmpty());
}

TEST(DeclaredLists, OfWhatIsNoNumberAreNotKnown) {
    EXPECT_THAT(found_lists(2, array("char [4]", 1, 4), kGrid), IsEmpty());
    DeclaredBuffer constant = array("integer(kind=4)", 4, 1);
    constant.text = "mpi_dims_ignore";
    EXPECT_THAT(found_lists(2, constant, kGrid), IsEmpty());
}

TEST(DeclaredLists, HaveRoomForEachStatus) {
    constexpr std::size_t statuses = 2;
    const auto waitall = [](const DeclaredBuffer& buffer) {
        return found_lists(statuses,
                           buffer,
                           "0: MPI_Waitall(count=2, array_of_requests=[-1, -1], "
                           "array_of_statuses=[]) @a.c:1");
    };
    const std::vector<std::string> wrong = {"error invalid argument 0: MPI_Waitall a.c:1"};
    EXPECT_EQ(waitall(array("MPI_Status", 20, 1)), wrong);
    EXPECT_EQ(waitall(array("integer(kind=4), dimension(5)", 4, 5)), wrong);
    EXPECT_EQ(waitall(array("MPI_Status", 24, 1)), wrong);
    EXPECT_THAT(waitall(array("MPI_Status", 20, 2)), IsEmpty());
    EXPECT_THAT(waitall(array("integer(kind=4), dimension(5,2)", 4, 10)), IsEmpty());
}

}  // namespace
}  // namespace mqinspect::analysis::test
