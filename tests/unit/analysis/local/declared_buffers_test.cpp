#include "analysis/local/declared_buffers.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using model::DeclaredBuffer;
using model::DeclaredElement;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using enum DeclaredElement::Kind;

/// An object of one number, or an array of it.
DeclaredBuffer numbers(const char* type, DeclaredElement::Kind kind, int size, int count = 1) {
    DeclaredBuffer buffer;
    buffer.text = "&x";
    buffer.type = type;
    if (size > 1) buffer.elements = {{kind, 0, size}};
    buffer.period = size;
    buffer.room = size * count;
    return buffer;
}

DeclaredBuffer pointed_to(DeclaredBuffer buffer) {
    buffer.room.reset();
    return buffer;
}

/// struct { int id; char name[4]; double place[2]; }
DeclaredBuffer particle() {
    DeclaredBuffer buffer;
    buffer.text = "&p";
    buffer.type = "particle";
    buffer.elements = {{Integer, 0, 4}, {Float, 8, 8}, {Float, 16, 8}};
    buffer.period = 24;
    buffer.room = 24;
    return buffer;
}

/// The first parameter of each call is given this buffer.
class FirstBuffer final : public ProgramText {
public:
    explicit FirstBuffer(const DeclaredBuffer& buffer) : buffer_(buffer) {}

    const DeclaredBuffer* buffer(const model::RecordedCall& call, std::size_t parameter) override {
        return call.before.empty() || parameter != 0 ? nullptr : &buffer_;
    }
    bool has_returned(model::StackId call, model::StackId later) override { return call != later; }

    CheckOptions options() {
        CheckOptions options;
        options.text = this;
        return options;
    }

private:
    const DeclaredBuffer& buffer_;
};

std::vector<std::string> found(const DeclaredBuffer& buffer, const std::string& statements) {
    return check_between(2, statements, FirstBuffer(buffer).options());
}

std::vector<std::string> bcast(const DeclaredBuffer& buffer, const std::string& arguments) {
    return found(buffer, "0: MPI_Bcast(buffer=0x1000, " + arguments + ") @a.c:1");
}

constexpr const char* kWrongType = "warning wrong data type 0: MPI_Bcast a.c:1";
constexpr const char* kTooShort = "error invalid argument 0: MPI_Bcast a.c:1";

TEST(DeclaredBuffers, OfOtherNumbers) {
    const DeclaredBuffer of_long = numbers("long", Integer, 8);
    EXPECT_THAT(bcast(of_long, "count=1, datatype=MPI_INT"), ElementsAre(kWrongType));
    EXPECT_THAT(bcast(of_long, "count=1, datatype=MPI_DOUBLE"), ElementsAre(kWrongType));
    EXPECT_THAT(bcast(of_long, "count=1, datatype=MPI_LONG"), IsEmpty());
    EXPECT_THAT(bcast(of_long, "count=1, datatype=MPI_UINT64_T"), IsEmpty());
    EXPECT_THAT(bcast(of_long, "count=8, datatype=MPI_BYTE"), IsEmpty());
    EXPECT_THAT(bcast(of_long, "count=8, datatype=MPI_CHAR"), IsEmpty());
    const DeclaredBuffer of_double = pointed_to(numbers("double *", Float, 8));
    EXPECT_THAT(bcast(of_double, "count=4, datatype=MPI_FLOAT"), ElementsAre(kWrongType));
    const DeclaredBuffer of_pointer = numbers("int *", Pointer, 8);
    EXPECT_THAT(bcast(of_pointer, "count=1, datatype=MPI_INT"), ElementsAre(kWrongType));
    EXPECT_THAT(bcast(of_pointer, "count=1, datatype=MPI_AINT"), IsEmpty());
}

TEST(DeclaredBuffers, AsIntegersOfAnotherLengthAreNoted) {
    const DeclaredBuffer buffer = numbers("long [2]", Integer, 8, 2);
    EXPECT_THAT(bcast(buffer, "count=4, datatype=MPI_INT"),
                ElementsAre("note wrong data type 0: MPI_Bcast a.c:1"));
    EXPECT_THAT(bcast(buffer, "count=2, datatype=MPI_INT"), ElementsAre(kWrongType));
    EXPECT_THAT(found(buffer,
                      "0: MPI_Allreduce(sendbuf=0x1000, recvbuf=0x2000, count=4, "
                      "datatype=MPI_INT) @a.c:1"),
                ElementsAre("warning wrong data type 0: MPI_Allreduce a.c:1"));
}

TEST(DeclaredBuffers, ThatAreTooShort) {
    const DeclaredBuffer one = numbers("char", Integer, 1);
    EXPECT_THAT(bcast(one, "count=1, datatype=MPI_DOUBLE"), ElementsAre(kTooShort));
    EXPECT_THAT(bcast(one, "count=1, datatype=MPI_CHAR"), IsEmpty());
    EXPECT_THAT(bcast(numbers("int", Integer, 4), "count=2, datatype=MPI_INT"),
                ElementsAre(kTooShort));
    EXPECT_THAT(bcast(numbers("int [2]", Integer, 4, 2), "count=2, datatype=MPI_INT"), IsEmpty());
    EXPECT_THAT(bcast(pointed_to(one), "count=9, datatype=MPI_DOUBLE"), IsEmpty());
    // A message may be shorter than what a receive says to have room for.
    EXPECT_THAT(found(one, "1: MPI_Recv(buf=0x1000, count=2, datatype=MPI_CHAR) @a.c:1"),
                ElementsAre(StartsWith("warning invalid argument 1: MPI_Recv a.c:1")));
}

TEST(DeclaredBuffers, OfStructures) {
    constexpr const char* types = R"(
        datatype part = MPI_COMBINER_STRUCT(3,1,4,2; 0,4,8; MPI_INT,MPI_CHAR,MPI_DOUBLE)
        datatype wrong = MPI_COMBINER_STRUCT(2,1,2; 0,4; MPI_INT,MPI_DOUBLE)
    )";
    const auto sent = [&](const DeclaredBuffer& buffer, const std::string& arguments) {
        return found(buffer, types + ("0: MPI_Bcast(buffer=0x1000, " + arguments + ") @a.c:1"));
    };
    EXPECT_THAT(sent(particle(), "count=1, datatype=part"), IsEmpty());
    EXPECT_THAT(sent(pointed_to(particle()), "count=7, datatype=part"), IsEmpty());
    EXPECT_THAT(sent(particle(), "count=1, datatype=wrong"), ElementsAre(kWrongType));
    EXPECT_THAT(sent(particle(), "count=3, datatype=MPI_DOUBLE"), ElementsAre(kWrongType));
    DeclaredBuffer place = particle();
    place.start = 8;
    place.room = 16;
    EXPECT_THAT(sent(place, "count=2, datatype=MPI_DOUBLE"), IsEmpty());
    EXPECT_THAT(sent(place, "count=3, datatype=MPI_DOUBLE"), ElementsAre(kTooShort));
    place.room.reset();
    EXPECT_THAT(sent(place, "count=3, datatype=MPI_DOUBLE"), ElementsAre(kWrongType));
    place.described = 16;
    EXPECT_THAT(sent(place, "count=3, datatype=MPI_DOUBLE"), IsEmpty());
}

TEST(DeclaredBuffers, AreSwappedAsIntegersOfTheirSize) {
    const auto swap = [](const DeclaredBuffer& buffer) {
        return found(buffer,
                     R"(
            window w comm=MPI_COMM_WORLD kind=MPI_Win_create parts=[[0x5000,64,1],[0x5000,64,1]]
            0,1: MPI_Win_create(base=0x5000, size=64, win=w)
            0: MPI_Win_lock(rank=1, win=w)
            0: MPI_Compare_and_swap(origin_addr=0x1000, compare_addr=0x2000, result_addr=0x3000,)"
                     " datatype=MPI_INT64_T, target_rank=1, win=w) @a.c:1\n"
                     R"(
            0: MPI_Win_unlock(rank=1, win=w)
            0,1: MPI_Win_free(win=w)
        )");
    };
    constexpr const char* wrong = "warning wrong data type 0: MPI_Compare_and_swap a.c:1";
    EXPECT_THAT(swap(numbers("double", Float, 8)), Not(Contains(wrong)));
    EXPECT_THAT(swap(numbers("float [2]", Float, 4, 2)), Contains(wrong));
}

TEST(DeclaredBuffers, LentToMpi) {
    const DeclaredBuffer pointer = numbers("int *", Pointer, 8);
    EXPECT_THAT(found(pointer, "0: MPI_Buffer_attach(buffer=0x1000, size=40) @a.c:1"),
                ElementsAre("error invalid argument 0: MPI_Buffer_attach a.c:1"));
    EXPECT_THAT(found(pointer, "0: MPI_Buffer_attach(buffer=0x1000, size=8) @a.c:1"), IsEmpty());
}

TEST(DeadFrames, OfPendingOperations) {
    DeclaredBuffer buffer = numbers("int [4]", Integer, 4, 4);
    constexpr const char* receive = R"(
        0: MPI_Irecv(buf=0x1000, source=1, request=r) @a.c:1
        1: MPI_Send(dest=0) @a.c:5
        0: MPI_Wait(request=r) @a.c:2
    )";
    EXPECT_THAT(found(buffer, receive), IsEmpty());
    buffer.on_stack = true;
    EXPECT_THAT(found(buffer, receive),
                ElementsAre("error pending buffer access 0: MPI_Irecv a.c:1, MPI_Wait a.c:2"));
    EXPECT_THAT(found(buffer, R"(
        0: MPI_Irecv(buf=0x1000, source=1, request=r) @a.c:1
        1: MPI_Send(dest=0) @a.c:5
        0: MPI_Wait(request=r) @a.c:1
    )"),
                IsEmpty());
}

TEST(DeadFrames, OfMemoryThatIsLent) {
    DeclaredBuffer buffer = numbers("int [4]", Integer, 4, 4);
    buffer.on_stack = true;
    EXPECT_THAT(found(buffer, R"(
        0: MPI_Buffer_attach(buffer=0x1000, size=16) @a.c:1
        0: MPI_Buffer_detach() @a.c:2
    )"),
                ElementsAre("error pending buffer access 0: MPI_Buffer_attach a.c:1, "
                            "MPI_Buffer_detach a.c:2"));
    EXPECT_THAT(found(buffer, R"(
        0: MPI_Buffer_attach(buffer=0x1000, size=16) @a.c:1
        0: MPI_Buffer_detach() @a.c:1
        0: MPI_Buffer_detach() @a.c:2
    )"),
                Not(Contains(StartsWith("error pending"))));
}

TEST(DeclaredBuffers, AreNamedInTheMessage) {
    const DeclaredBuffer buffer = numbers("long", Integer, 8);
    EXPECT_THAT(messages_between(2,
                                 "0: MPI_Bcast(buffer=0x1000, count=1, datatype=MPI_INT) @a.c:1",
                                 FirstBuffer(buffer).options()),
                ElementsAre("MPI_Bcast takes 1 MPI_INT from '&x', which is declared as long: the "
                            "MPI_INT at byte 0 is an integer of 8 bytes."));
    EXPECT_THAT(messages_between(2,
                                 "1: MPI_Bcast(buffer=0x1000, count=9, datatype=MPI_CHAR) @a.c:1",
                                 FirstBuffer(buffer).options()),
                ElementsAre("MPI_Bcast puts 9 MPI_CHAR into '&x', which is declared as long: that "
                            "needs 9 bytes, but there are 8."));
}

}  // namespace
}  // namespace mqinspect::analysis::test
