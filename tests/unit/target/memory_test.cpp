#include "inspector/target/memory.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "inspector/target/live_memory.h"
#include "inspector/target/stack.h"
#include "tests/unit/target/child.h"

namespace mqinspect::target {
namespace {

using mqinspect::testing::Child;

constexpr std::uint64_t kPage = 4096;

// One readable block; everything else is unmapped.
class BlockMemory final : public Memory {
public:
    BlockMemory(std::uint64_t start, std::string bytes) : start_(start), bytes_(std::move(bytes)) {}
    Result<Done> read(Address address, std::span<std::byte> destination) const override {
        const std::uint64_t at = to_integer(address);
        if (at < start_ || at - start_ > bytes_.size() ||
            destination.size() > bytes_.size() - (at - start_)) {
            return Error{ErrorCode::BadAddress, "outside"};
        }
        const auto* from = reinterpret_cast<const std::byte*>(bytes_.data()) + (at - start_);
        std::copy_n(from, destination.size(), destination.begin());
        return Done{};
    }

private:
    std::uint64_t start_;
    std::string bytes_;
};

std::string text_of(const Memory& memory, std::uint64_t address, std::size_t length) {
    std::string text(length, '\0');
    const auto got = memory.read(Address{address}, std::as_writable_bytes(std::span{text}));
    return got ? text : "error: " + got.error().message;
}

TEST(ReadString, EndsAtTheTerminator) {
    const BlockMemory memory(0x1000, std::string("hello\0world", 11));

    EXPECT_EQ(*read_string(memory, Address{0x1000}, 100), "hello");
    EXPECT_EQ(*read_string(memory, Address{0x1005}, 100), "");
}

TEST(ReadString, ReadsUpToTheEndOfReadableMemory) {
    std::string bytes(kPage, 'x');
    bytes.back() = '\0';
    const BlockMemory memory(0x1000, bytes);

    EXPECT_EQ(read_string(memory, Address{0x1000}, kPage)->size(), kPage - 1);
    EXPECT_EQ(*read_string(memory, Address{0x1000 + kPage - 3}, kPage), "xx");
}

TEST(ReadString, RefusesWhatIsLongerThanTheLimit) {
    const BlockMemory memory(0x1000, std::string(1000, 'x') + '\0');

    EXPECT_EQ(read_string(memory, Address{0x1000}, 1000)->size(), 1000U);
    EXPECT_EQ(read_string(memory, Address{0x1000}, 999).error().code, ErrorCode::CorruptData);
}

TEST(ReadString, ReportsUnmappedMemory) {
    const BlockMemory memory(0x1000, "no end");

    EXPECT_EQ(read_string(memory, Address{0x1000}, 100).error().code, ErrorCode::BadAddress);
    EXPECT_EQ(read_string(memory, Address::Null, 100).error().code, ErrorCode::BadAddress);
    EXPECT_FALSE(read_string(memory, Address{UINT64_MAX}, 100));
}

TEST(LiveMemory, ReadsAcrossPagesAndStopsAtProtectedOnes) {
    Child child(FIXTURE_WAITER_O0, {"pages"});
    const std::uint64_t pages = std::stoull(child.ready_text(), nullptr, 16);
    const auto memory = LiveMemory::open(child.pid());
    ASSERT_TRUE(memory) << memory.error().message;

    EXPECT_EQ(text_of(**memory, pages + kPage - 4, 8), "abcdefgh");
    EXPECT_EQ(*read_string(**memory, Address{pages + 2 * kPage - 4}, 100), "end");
    std::array<std::byte, 8> buffer{};
    // PROT_NONE, alone and after readable bytes.
    EXPECT_EQ((*memory)->read(Address{pages + 2 * kPage}, buffer).error().code,
              ErrorCode::BadAddress);
    EXPECT_EQ((*memory)->read(Address{pages + 2 * kPage - 4}, buffer).error().code,
              ErrorCode::BadAddress);
}

TEST(LiveMemory, ReportsAddressesThatAreNoMemory) {
    Child child(FIXTURE_WAITER_O0, {"echo"});
    const auto memory = LiveMemory::open(child.pid());
    ASSERT_TRUE(memory);
    std::array<std::byte, 8> buffer{};

    for (const std::uint64_t address : {std::uint64_t{0},
                                        std::uint64_t{16},
                                        UINT64_MAX - 4,
                                        UINT64_MAX / 2,
                                        std::uint64_t{0xffff800000000000}}) {
        EXPECT_EQ((*memory)->read(Address{address}, buffer).error().code, ErrorCode::BadAddress)
            << std::hex << address;
    }
    EXPECT_TRUE((*memory)->read(Address::Null, {}));
}

TEST(LiveMemory, SaysThatTheProcessEnded) {
    auto child = std::make_unique<Child>(FIXTURE_WAITER_O0, std::vector<std::string>{"echo"});
    const pid_t pid = child->pid();
    const auto memory = LiveMemory::open(pid);
    ASSERT_TRUE(memory);
    child.reset();
    std::array<std::byte, 8> buffer{};

    EXPECT_EQ((*memory)->read(Address{0x1000}, buffer).error().code, ErrorCode::TargetExited);
    EXPECT_EQ(LiveMemory::open(pid).error().code, ErrorCode::TargetExited);
}

TEST(LiveMemory, RefusesAZombie) {
    const pid_t pid = fork();
    if (pid == 0) _exit(0);
    ASSERT_TRUE(mqinspect::testing::wait_for_state(pid, 'Z'));

    const auto memory = LiveMemory::open(pid);
    ASSERT_FALSE(memory);
    EXPECT_EQ(memory.error().code, ErrorCode::TargetExited);
    EXPECT_NE(memory.error().message.find("zombie"), std::string::npos);
    waitpid(pid, nullptr, 0);
}

class CapturedMemoryTest : public ::testing::Test {
protected:
    CapturedMemoryTest() {
        thread_.stack_start = 0x1004;
        for (const char c : std::string("COPY"))
            thread_.stack.push_back(static_cast<std::byte>(c));
    }
    CapturedThread thread_;
    BlockMemory live_{0x1000, "0123456789ab"};
};

TEST_F(CapturedMemoryTest, PrefersTheCopyAndJoinsItWithTheRest) {
    const CapturedMemory memory(thread_, live_);

    EXPECT_EQ(text_of(memory, 0x1004, 4), "COPY");
    EXPECT_EQ(text_of(memory, 0x1005, 2), "OP");
    EXPECT_EQ(text_of(memory, 0x1002, 4), "23CO");
    EXPECT_EQ(text_of(memory, 0x1006, 4), "PY89");
    EXPECT_EQ(text_of(memory, 0x1000, 12), "0123COPY89ab");
    EXPECT_EQ(text_of(memory, 0x1000, 4), "0123");
    EXPECT_EQ(text_of(memory, 0x1008, 4), "89ab");
}

TEST_F(CapturedMemoryTest, FailsWhereTheRestFails) {
    const CapturedMemory memory(thread_, live_);
    std::array<std::byte, 8> buffer{};

    EXPECT_FALSE(memory.read(Address{0x1008}, buffer));
    EXPECT_FALSE(memory.read(Address{0x0ffe}, buffer));
    EXPECT_FALSE(memory.read(Address{UINT64_MAX - 2}, buffer));
}

}  // namespace
}  // namespace mqinspect::target
