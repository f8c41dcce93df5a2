#include <gmock/gmock.h>

#include "tests/unit/analysis/pairing/checked.h"

namespace mqinspect::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Of two processes.
std::vector<std::string> packed_lines(const std::string& statements) {
    std::vector<std::string> result = Checked(2, statements + "\n*: MPI_Finalize()").lines;
    std::erase_if(result, [](const std::string& line) { return line.starts_with("note "); });
    return result;
}

constexpr const char* kPack =
    "0: MPI_Pack(incount=2, datatype=MPI_INT, outbuf=0x1000, position=0) @a.c:1\n";
constexpr const char* kSend =
    "0: MPI_Send(buf=0x1000, count=8, datatype=MPI_PACKED, dest=1) @a.c:2\n";
constexpr const char* kReceive =
    "1: MPI_Recv(buf=0x2000, count=8, datatype=MPI_PACKED, source=0) @a.c:3\n";
constexpr const char* kUnpack =
    "1: MPI_Unpack(inbuf=0x2000, outcount=2, datatype=MPI_INT, position=0) @a.c:4\n";
constexpr const char* kWrong =
    "1: MPI_Unpack(inbuf=0x2000, outcount=2, datatype=MPI_FLOAT, position=0) @a.c:4\n";

std::string joined(std::initializer_list<std::string> parts) {
    std::string result;
    for (const std::string& part : parts)
        result += part;
    return result;
}

TEST(PackedMessages, AreUnpackedAsTheyWerePacked) {
    EXPECT_THAT(packed_lines(joined({kPack, kSend, kReceive, kUnpack})), IsEmpty());
    EXPECT_THAT(packed_lines(joined({kPack, kSend, kReceive, kWrong})),
                ElementsAre("error wrong data type: a.c:4 a.c:1"));
}

TEST(PackedMessages, AreReceivedAsTheyWerePacked) {
    EXPECT_THAT(packed_lines(joined({kPack, kSend, "1: MPI_Recv(count=2, source=0)"})), IsEmpty());
    EXPECT_THAT(packed_lines(joined(
                    {kPack, kSend, "1: MPI_Recv(count=2, datatype=MPI_FLOAT, source=0) @a.c:3"})),
                ElementsAre("error wrong data type: a.c:3 a.c:1"));
}

TEST(PackedMessages, MayHaveBeenSentPlainly) {
    const std::string send = "0: MPI_Send(count=2, dest=1) @a.c:2\n";
    EXPECT_THAT(packed_lines(joined({send, kReceive, kUnpack})), IsEmpty());
    EXPECT_THAT(packed_lines(joined({send, kReceive, kWrong})),
                ElementsAre("error wrong data type: a.c:4 a.c:2"));
}

TEST(PackedMessages, AreBroadcast) {
    const std::string broadcast =
        "0: MPI_Bcast(buffer=0x1000, count=8, datatype=MPI_PACKED, root=0)\n"
        "1: MPI_Bcast(buffer=0x2000, count=8, datatype=MPI_PACKED, root=0)\n";
    EXPECT_THAT(packed_lines(joined({kPack, broadcast, kUnpack})), IsEmpty());
    EXPECT_THAT(packed_lines(joined({kPack, broadcast, kWrong})),
                ElementsAre("error wrong data type: a.c:4 a.c:1"));
}

TEST(PackedMessages, AreExchanged) {
    const std::string exchange =
        "0: MPI_Sendrecv(sendbuf=0x1000, sendcount=8, sendtype=MPI_PACKED, dest=1, recvbuf=0x3000, "
        "source=1)\n"
        "1: MPI_Sendrecv(sendbuf=0x3000, dest=0, recvbuf=0x2000, recvcount=8, recvtype=MPI_PACKED, "
        "source=0)\n";
    EXPECT_THAT(packed_lines(joined({kPack, exchange, kUnpack})), IsEmpty());
    EXPECT_THAT(packed_lines(joined({kPack, exchange, kWrong})),
                ElementsAre("error wrong data type: a.c:4 a.c:1"));
}

TEST(PackedMessages, AreTakenByMatchedProbes) {
    const std::string probe =
        "1: MPI_Mprobe(source=0, message=m)\n"
        "1: MPI_Mrecv(buf=0x2000, count=8, datatype=MPI_PACKED, message=m) @a.c:3\n";
    EXPECT_THAT(packed_lines(joined({kPack, kSend, probe, kUnpack})), IsEmpty());
    EXPECT_THAT(packed_lines(joined({kPack, kSend, probe, kWrong})),
                ElementsAre("error wrong data type: a.c:4 a.c:1"));
}

TEST(PackedMessages, NeedNotBeSent) {
    const std::string wrong =
        "0: MPI_Unpack(inbuf=0x1000, outcount=2, datatype=MPI_FLOAT, position=0) @a.c:4\n";
    EXPECT_THAT(packed_lines(joined({kPack, wrong})),
                ElementsAre("error wrong data type: a.c:4 a.c:1"));
}

TEST(PackedMessages, AreGathered) {
    const std::string gather =
        "1: MPI_Pack(incount=2, datatype=MPI_INT, outbuf=0x1000, position=0) @a.c:1\n"
        "1: MPI_Gather(sendbuf=0x1000, sendcount=8, sendtype=MPI_PACKED, root=0)\n"
        "0: MPI_Gather(sendbuf=0x1000, sendcount=8, sendtype=MPI_PACKED, recvbuf=0x2000, "
        "recvcount=8, recvtype=MPI_PACKED, root=0)\n"
        "0: MPI_Unpack(inbuf=0x2008, outcount=2, position=0, ";
    EXPECT_THAT(packed_lines(gather + "datatype=MPI_INT)"), IsEmpty());
    EXPECT_THAT(packed_lines(gather + "datatype=MPI_FLOAT) @a.c:4"),
                ElementsAre("error wrong data type: a.c:4 a.c:1"));
}

TEST(PackedMessages, AreScattered) {
    // To rank 0, then to rank 1, in one buffer.
    const std::string scatter =
        "0: MPI_Pack(incount=1, datatype=MPI_DOUBLE, outbuf=0x1000, position=0)\n"
        "0: MPI_Pack(incount=2, datatype=MPI_INT, outbuf=0x1000, position=8) @a.c:1\n"
        "0: MPI_Scatter(sendbuf=0x1000, sendcount=8, sendtype=MPI_PACKED, recvbuf=0x3000, "
        "recvcount=8, recvtype=MPI_PACKED, root=0)\n"
        "1: MPI_Scatter(recvbuf=0x2000, recvcount=8, recvtype=MPI_PACKED, root=0)\n"
        "0: MPI_Unpack(inbuf=0x3000, outcount=1, datatype=MPI_DOUBLE, position=0)\n";
    EXPECT_THAT(packed_lines(joined({scatter, kUnpack})), IsEmpty());
    EXPECT_THAT(packed_lines(joined({scatter, kWrong})),
                ElementsAre("error wrong data type: a.c:4 a.c:1"));
}

TEST(PackedMessages, AreSentByPersistentRequests) {
    const std::string start =
        "0: MPI_Send_init(buf=0x1000, count=8, datatype=MPI_PACKED, dest=1, request=r)\n"
        "1: MPI_Recv_init(buf=0x2000, count=8, datatype=MPI_PACKED, source=0, request=r)\n"
        "0: MPI_Pack(incount=8, datatype=MPI_CHAR, outbuf=0x1000, position=0)\n"
        "*: MPI_Start(request=r)\n*: MPI_Wait(request=r)\n"
        "1: MPI_Unpack(inbuf=0x2000, outcount=8, datatype=MPI_CHAR, position=0)\n";
    const std::string again = "*: MPI_Start(request=r)\n*: MPI_Wait(request=r)\n";
    EXPECT_THAT(packed_lines(joined({start, kPack, again, kUnpack})), IsEmpty());
    EXPECT_THAT(packed_lines(joined({start, kPack, again, kWrong})),
                ElementsAre("error wrong data type: a.c:4 a.c:1"));
}

}  // namespace
}  // namespace mqinspect::analysis
