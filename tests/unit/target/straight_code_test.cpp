#include "inspector/target/straight_code.h"

#include <cstring>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "inspector/target/instruction.h"
#include "tests/unit/target/inspected.h"

namespace mqinspect::target {
namespace {

using mqinspect::testing::Inspected;

constexpr std::uint64_t kStart = 0x401000;
constexpr std::size_t kRbx = 3;
constexpr std::size_t kDwarfRbx = 3;
constexpr std::size_t kDwarfRbp = 6;
constexpr std::size_t kDwarfRsp = 7;
constexpr std::size_t kRdi = 7;
constexpr std::size_t kRsi = 6;
constexpr std::size_t kRdx = 2;

std::vector<std::byte> bytes(std::initializer_list<int> values) {
    std::vector<std::byte> result;
    for (const int value : values)
        result.push_back(static_cast<std::byte>(value));
    return result;
}

/// Words of memory; everything else cannot be read.
class Words final : public Memory {
public:
    std::map<std::uint64_t, std::uint64_t> words;

    Result<Done> read(Address address, std::span<std::byte> destination) const override {
        const auto word = words.find(to_integer(address));
        if (word == words.end() || destination.size() > sizeof word->second) {
            return Error{ErrorCode::BadAddress, "no memory"};
        }
        std::memcpy(destination.data(), &word->second, destination.size());
        return Done{};
    }
};

std::optional<CallSetup> follow(std::initializer_list<int> code,
                                const FrameRegisters& frame = {},
                                const Words& memory = {}) {
    return follow_to_call(bytes(code), kStart, frame, memory);
}

TEST(Instruction, LengthsAreThoseOfTheProcessor) {
    struct Case {
        const char* text;
        std::vector<std::byte> code;
    };
    const std::vector<Case> cases{
        {"push %rbp", bytes({0x55})},
        {"mov %rsp,%rbp", bytes({0x48, 0x89, 0xe5})},
        {"sub $0x20,%rsp", bytes({0x48, 0x83, 0xec, 0x20})},
        {"movl $0,-4(%rbp)", bytes({0xc7, 0x45, 0xfc, 0, 0, 0, 0})},
        {"mov 0x1234(%rip),%rax", bytes({0x48, 0x8b, 0x05, 0x34, 0x12, 0, 0})},
        {"lea (%rax,%rax,4),%edx", bytes({0x8d, 0x14, 0x80})},
        {"lea 0(,%rax,8),%rdx", bytes({0x48, 0x8d, 0x14, 0xc5, 0, 0, 0, 0})},
        {"movabs $1,%rax", bytes({0x48, 0xb8, 1, 0, 0, 0, 0, 0, 0, 0})},
        {"movw $7,(%rax)", bytes({0x66, 0xc7, 0x00, 0x07, 0x00})},
        {"nopw cs:0(%rax,%rax)", bytes({0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0})},
        {"endbr64", bytes({0xf3, 0x0f, 0x1e, 0xfa})},
        {"movsd -8(%rbp),%xmm0", bytes({0xf2, 0x0f, 0x10, 0x45, 0xf8})},
        {"vmovsd -8(%rbp),%xmm0", bytes({0xc5, 0xfb, 0x10, 0x45, 0xf8})},
        {"vpbroadcastb %xmm0,%ymm0", bytes({0xc4, 0xe2, 0x7d, 0x78, 0xc0})},
        {"pshufd $0,%xmm0,%xmm0", bytes({0x66, 0x0f, 0x70, 0xc0, 0x00})},
        {"je +0x100", bytes({0x0f, 0x84, 0x00, 0x01, 0, 0})},
        {"call", bytes({0xe8, 1, 2, 3, 4})},
        {"call *0x10(%rip)", bytes({0xff, 0x15, 0x10, 0, 0, 0})},
        {"testl $1,(%rax)", bytes({0xf7, 0x00, 1, 0, 0, 0})},
        {"neg %eax", bytes({0xf7, 0xd8})},
        {"rep stos %rax,(%rdi)", bytes({0xf3, 0x48, 0xab})},
        {"mov %fs:0x28,%rax", bytes({0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0})},
        {"ret", bytes({0xc3})},
    };
    for (const Case& one : cases)
        EXPECT_EQ(instruction_length(one.code), one.code.size()) << one.text;
}

TEST(Instruction, ThatEndsEarlyOrIsNoneHasNoLength) {
    EXPECT_EQ(instruction_length({}), 0U);
    EXPECT_EQ(instruction_length(bytes({0xe8, 1, 2, 3})), 0U);
    EXPECT_EQ(instruction_length(bytes({0x06})), 0U);
    EXPECT_EQ(instruction_length(std::vector<std::byte>(20, std::byte{0x66})), 0U);
}

TEST(StraightCode, KnowsConstantsAndVariablesOfTheFrame) {
    FrameRegisters frame{};
    frame[kDwarfRbp] = 0x7000;
    Words memory;
    memory.words[0x7000 - 0x14] = 42;
    // mov -0x14(%rbp),%eax; mov %eax,%esi; mov $5,%edi; lea -8(%rbp),%rdx; call
    const auto setup = follow(
        {0x8b, 0x45, 0xec, 0x89, 0xc6, 0xbf, 5, 0, 0, 0, 0x48, 0x8d, 0x55, 0xf8, 0xe8, 0, 0, 0, 0},
        frame,
        memory);

    ASSERT_TRUE(setup);
    EXPECT_EQ(setup->registers[kRdi], 5U);
    EXPECT_EQ(setup->registers[kRsi], 42U);
    EXPECT_EQ(setup->registers[kRdx], 0x7000U - 8);
    EXPECT_EQ(setup->callee, kStart + 19);
}

TEST(StraightCode, ForgetsWhatACallBeforeMayHaveChanged) {
    // mov $5,%edi; call; call
    const auto setup = follow({0xbf, 5, 0, 0, 0, 0xe8, 0, 0, 0, 0, 0xe8, 0, 0, 0, 0});

    ASSERT_TRUE(setup);
    EXPECT_FALSE(setup->registers[kRdi]);
}

TEST(StraightCode, ForgetsWhatWasOnlyDoneOnOneOfTwoWays) {
    // mov $5,%esi; jmp 1f; mov $6,%edi; 1: mov $7,%edx; call
    const auto jumped =
        follow({0xbe, 5, 0, 0, 0, 0xeb, 5, 0xbf, 6, 0, 0, 0, 0xba, 7, 0, 0, 0, 0xe8, 0, 0, 0, 0});
    ASSERT_TRUE(jumped);
    EXPECT_FALSE(jumped->registers[kRsi]);
    EXPECT_FALSE(jumped->registers[kRdi]);
    EXPECT_EQ(jumped->registers[kRdx], 7U);
}

TEST(StraightCode, TrustsAPreservedRegisterOnlyIfItIsNotWritten) {
    FrameRegisters frame{};
    frame[kDwarfRbx] = 9;
    // mov %ebx,%edi; call
    const auto kept = follow({0x89, 0xdf, 0xe8, 0, 0, 0, 0}, frame);
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->registers[kRdi], 9U);
    EXPECT_EQ(kept->registers[kRbx], 9U);

    // mov %ebx,%edi; add $1,%ebx; call
    const auto written = follow({0x89, 0xdf, 0x83, 0xc3, 1, 0xe8, 0, 0, 0, 0}, frame);
    ASSERT_TRUE(written);
    EXPECT_FALSE(written->registers[kRdi]);
}

TEST(StraightCode, RemembersWordsPushedForTheCall) {
    FrameRegisters frame{};
    frame[kDwarfRsp] = 0x8000;
    // push $-1; push $3; call
    const auto setup = follow({0x6a, 0xff, 0x6a, 3, 0xe8, 0, 0, 0, 0}, frame);

    ASSERT_TRUE(setup);
    EXPECT_EQ(setup->stored.at(0x8000), 3U);
    EXPECT_EQ(setup->stored.at(0x8008), ~std::uint64_t{0});
}

TEST(StraightCode, DividesAsTheProcessorDoes) {
    FrameRegisters frame{};
    frame[kDwarfRbx] = 3;
    // mov $-7,%eax; cdq; idiv %ebx; mov %edx,%edi; call
    const auto setup = follow(
        {0xb8, 0xf9, 0xff, 0xff, 0xff, 0x99, 0xf7, 0xfb, 0x89, 0xd7, 0xe8, 0, 0, 0, 0}, frame);

    ASSERT_TRUE(setup);
    EXPECT_EQ(setup->registers[kRdi], 0xFFFFFFFFU);
}

TEST(StraightCode, DoesNotDivideByZero) {
    // xor %ecx,%ecx; mov $7,%eax; cdq; idiv %ecx; mov %edx,%edi; call
    const auto setup =
        follow({0x31, 0xc9, 0xb8, 7, 0, 0, 0, 0x99, 0xf7, 0xf9, 0x89, 0xd7, 0xe8, 0, 0, 0, 0});
    ASSERT_TRUE(setup);
    EXPECT_FALSE(setup->registers[kRdi]);
}

TEST(StraightCode, FindsTheFunctionBehindALinkageTable) {
    Words memory;
    constexpr std::uint64_t slot = 0x404018;
    memory.words[slot] = 0x7f0000001230;
    // call *slot(%rip)
    const auto offset = static_cast<int>(slot - (kStart + 6));
    const auto setup =
        follow({0xff, 0x15, offset & 0xFF, offset >> 8 & 0xFF, offset >> 16 & 0xFF, 0}, {}, memory);
    ASSERT_TRUE(setup);
    EXPECT_EQ(setup->callee, 0x7f0000001230U);
}

TEST(StraightCode, DoesNotFollowWhatIsNoCode) {
    EXPECT_FALSE(follow({0x06, 0xe8, 0, 0, 0, 0}));
    EXPECT_FALSE(follow({}));
    EXPECT_FALSE(follow({0xbf, 5, 0, 0, 0}));  // no call at the end
}

std::vector<std::optional<std::uint64_t>> arguments_of(const Inspected& inspected,
                                                       const char* function,
                                                       std::size_t count) {
    const auto callee = inspected.view->find_symbol(function);
    EXPECT_TRUE(callee);
    const CapturedMemory memory(inspected.thread, *inspected.memory);
    return passed_arguments(
        *inspected.view, inspected.stack, inspected.frame(function) + 1, memory, *callee, count);
}

TEST(PassedArguments, AreThoseOfTheCallee) {
    for (const char* program : {FIXTURE_WAITER_O0, FIXTURE_WAITER_O2, FIXTURE_WAITER_FIXED}) {
        const Inspected inspected(program, {"stack", "0"});

        const auto arguments = arguments_of(inspected, "inner", 2);

        ASSERT_TRUE(arguments[0]) << program;
        EXPECT_EQ(static_cast<std::uint32_t>(*arguments[0]), 1780U) << program;
        ASSERT_TRUE(arguments[1]) << program;
        const auto text = read_string(*inspected.memory, Address{*arguments[1]}, 100);
        ASSERT_TRUE(text) << program;
        EXPECT_EQ(*text, "done\n") << program;
    }
}

TEST(PassedArguments, AreNotThoseOfAnotherFunction) {
    const Inspected inspected(FIXTURE_WAITER_O0, {"stack", "0"});
    const CapturedMemory memory(inspected.thread, *inspected.memory);

    const auto arguments = passed_arguments(*inspected.view,
                                            inspected.stack,
                                            inspected.frame("inner") + 1,
                                            memory,
                                            *inspected.view->find_symbol("forgetful"),
                                            2);

    EXPECT_FALSE(arguments[0]);
    EXPECT_FALSE(arguments[1]);
    EXPECT_FALSE(
        passed_arguments(*inspected.view, inspected.stack, 1000, memory, Address{1}, 1)[0]);
}

}  // namespace
}  // namespace mqinspect::target
