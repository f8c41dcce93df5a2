// Reading values of another byte order and width.
#include "mqs_dll/target.h"

#include "tests/unit/mqs_dll/dll_fixture.h"

namespace mqinspect::test {
namespace {

class TargetTest : public testing::Test {
protected:
    StubDebugger debugger;
    FakeMemory memory{4096};
    StubTarget stub;
    void SetUp() override { stub.memory = &memory; }
    dll::Target target(int pointer_size = 8) {
        return {stub.process(), &debugger.process_callbacks(), pointer_size};
    }
};

TEST_F(TargetTest, NarrowValuesKeepTheirSign) {
    const unsigned char minus_two[] = {0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 0};
    EXPECT_EQ(target().signed_at(minus_two, 2), -2);
    EXPECT_EQ(target().signed_at(minus_two, 4), -2);
    EXPECT_EQ(target().unsigned_at(minus_two, 2), 0xfffeU);
    EXPECT_EQ(target().unsigned_at(minus_two, 8), 0xfffffffeU);
}

TEST_F(TargetTest, ValuesOfTheOtherByteOrderAreConverted) {
    stub.reverses_bytes = true;
    const unsigned char bytes[] = {0xff, 0xfe, 0, 0, 0, 0, 0x12, 0x34};
    EXPECT_EQ(target().signed_at(bytes, 2), -2);
    EXPECT_EQ(target().unsigned_at(bytes, 8), 0xfffe000000001234U);
    EXPECT_EQ(target().unsigned_at(bytes, 1), 0xffU);
    EXPECT_EQ(target(4).pointer_at(bytes + 4), 0x1234U);
}

TEST_F(TargetTest, RangesThatWrapOrStartAtNullAreUnreadable) {
    unsigned char bytes[8];
    EXPECT_EQ(target().read(0, bytes, 8), dll::Status::UnreadableMemory);
    EXPECT_EQ(target().read(UINT64_MAX - 3, bytes, 8), dll::Status::UnreadableMemory);
    EXPECT_EQ(stub.reads, 0U);
}

TEST_F(TargetTest, LargeRangesAreReadInParts) {
    FakeMemory large(std::size_t{10} << 20);
    stub.memory = &large;
    const std::uint64_t address = large.allocate(std::size_t{9} << 20);
    large.at<unsigned char>(address + (std::size_t{9} << 20) - 1) = 77;
    dll::Array<unsigned char> bytes;
    EXPECT_EQ(target().read(address, std::size_t{9} << 20, bytes), dll::Status::Ok);
    EXPECT_EQ(bytes[bytes.size() - 1], 77);
    EXPECT_EQ(stub.reads, 3U);
}

}  // namespace
}  // namespace mqinspect::test
