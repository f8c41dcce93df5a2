// What instructions load and store, by their machine code.
#include "tracer/control/instruction.h"

#include <cpuid.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace mqinspect::tracer {
namespace {

constexpr std::uint64_t kRdi = 0x1000;
constexpr std::uint64_t kRsi = 0x2000;
constexpr std::uint64_t kRbp = 0x3000;

std::optional<Instruction> decoded(const std::vector<std::uint8_t>& code) {
    if (!can_decode()) return std::nullopt;
    ucontext_t context{};
    greg_t* const registers = context.uc_mcontext.gregs;
    registers[REG_RIP] = reinterpret_cast<greg_t>(code.data());
    registers[REG_RDI] = kRdi;
    registers[REG_RSI] = kRsi;
    registers[REG_RBP] = kRbp;
    registers[REG_RCX] = 3;
    Instruction instruction;
    if (!decode(context, instruction)) return std::nullopt;
    return instruction;
}

void expect_one(const std::vector<std::uint8_t>& code,
                std::uint64_t address,
                std::uint64_t bytes,
                bool stores) {
    const auto instruction = decoded(code);
    ASSERT_TRUE(instruction);
    ASSERT_EQ(1U, instruction->count);
    EXPECT_EQ(address, instruction->accesses[0].address);
    EXPECT_EQ(bytes, instruction->accesses[0].bytes);
    EXPECT_EQ(stores, instruction->accesses[0].stores);
}

TEST(Instruction, LoadsAndStoresAreToldApart) {
    expect_one({0x8b, 0x45, 0xfc}, kRbp - 4, 4, false);                // mov -4(%rbp), %eax
    expect_one({0x89, 0x45, 0xfc}, kRbp - 4, 4, true);                 // mov %eax, -4(%rbp)
    expect_one({0x83, 0x45, 0xfc, 0x01}, kRbp - 4, 4, true);           // addl $1, -4(%rbp)
    expect_one({0x3b, 0x45, 0xfc}, kRbp - 4, 4, false);                // cmp -4(%rbp), %eax
    expect_one({0x0f, 0xb6, 0x07}, kRdi, 1, false);                    // movzbl (%rdi), %eax
    expect_one({0x48, 0x8b, 0x04, 0xcf}, kRdi + 24, 8, false);         // mov (%rdi,%rcx,8), %rax
    expect_one({0xc5, 0xfe, 0x6f, 0x46, 0x20}, kRsi + 32, 32, false);  // vmovdqu 32(%rsi), %ymm0
    expect_one({0xf2, 0x0f, 0x11, 0x07}, kRdi, 8, true);               // movsd %xmm0, (%rdi)
    expect_one({0xf0, 0x0f, 0xc1, 0x07}, kRdi, 4, true);               // lock xadd %eax, (%rdi)
}

TEST(Instruction, CopiesLoadAndStore) {
    const auto instruction = decoded({0xf3, 0xa4});  // rep movsb
    ASSERT_TRUE(instruction);
    ASSERT_EQ(2U, instruction->count);
    for (std::size_t i = 0; i < 2; ++i) {
        const Access& access = instruction->accesses[i];
        EXPECT_EQ(access.stores ? kRdi : kRsi, access.address);
        EXPECT_EQ(1U, access.bytes);
    }
}

TEST(Instruction, AddressesRelativeToTheInstruction) {
    const std::vector<std::uint8_t> code = {0x8b, 0x05, 0x10, 0, 0, 0};  // mov 16(%rip), %eax
    expect_one(code, reinterpret_cast<std::uint64_t>(code.data()) + 6 + 16, 4, false);
}

TEST(Instruction, WhatIsNoAccessOfTheProgramsOwnData) {
    for (const std::vector<std::uint8_t>& code : std::vector<std::vector<std::uint8_t>>{
             {0x55},                                            // push %rbp
             {0xc3},                                            // ret
             {0xe8, 0, 0, 0, 0},                                // call
             {0x48, 0x8d, 0x45, 0xfc},                          // lea -4(%rbp), %rax
             {0x0f, 0x18, 0x0f},                                // prefetcht0 (%rdi)
             {0x0f, 0x1f, 0x44, 0x00, 0x00},                    // nopl 0(%rax,%rax)
             {0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0}}) {  // mov %fs:0x28, %rax
        const auto instruction = decoded(code);
        ASSERT_TRUE(instruction);
        EXPECT_EQ(0U, instruction->count) << std::hex << int{code[0]};
    }
}

// vmovdqu8 %zmm16, (%rdi){%k1}, as in memset
const std::vector<std::uint8_t> kMaskedStore = {0x62, 0xe1, 0x7f, 0x49, 0x7f, 0x07};

TEST(Instruction, WithoutTheMaskWhatIsStoredIsNotKnown) {
    const auto instruction = decoded(kMaskedStore);
    ASSERT_TRUE(instruction);
    ASSERT_EQ(1U, instruction->count);
    EXPECT_TRUE(instruction->accesses[0].partial);
    EXPECT_EQ(64U, instruction->accesses[0].bytes);
    // vmaskmovps %ymm0, %ymm1, (%rdi)
    const auto by_vector = decoded({0xc4, 0xe2, 0x75, 0x2e, 0x07});
    ASSERT_TRUE(by_vector);
    ASSERT_EQ(1U, by_vector->count);
    EXPECT_TRUE(by_vector->accesses[0].partial);
}

/// What the kernel saves of a thread whose k1 is `mask`.
std::vector<std::uint8_t> saved_state(std::uint64_t mask) {
    unsigned registers[4] = {};
    __get_cpuid_count(0xd, 5, &registers[0], &registers[1], &registers[2], &registers[3]);
    const std::uint32_t bytes = 4096;
    std::vector<std::uint8_t> state(bytes);
    const std::uint32_t magic = 0x4650'5853;
    const std::uint64_t present = 1U << 5U;
    std::memcpy(&state[464], &magic, sizeof magic);
    std::memcpy(&state[480], &bytes, sizeof bytes);
    std::memcpy(&state[512], &present, sizeof present);
    std::memcpy(&state[registers[1] + sizeof mask], &mask, sizeof mask);
    return state;
}

/// Of a machine without masks it is not known.
void expect_masked(std::uint64_t mask, std::size_t count, std::uint64_t at, std::uint64_t bytes) {
    if (!can_decode()) GTEST_SKIP() << "needs Debian's package libzydis4.0";
    std::vector<std::uint8_t> state = saved_state(mask);
    ucontext_t context{};
    context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(kMaskedStore.data());
    context.uc_mcontext.gregs[REG_RDI] = kRdi;
    context.uc_mcontext.fpregs = reinterpret_cast<fpregset_t>(state.data());
    Instruction instruction;
    ASSERT_TRUE(decode(context, instruction));
    if (instruction.count == 1 && instruction.accesses[0].partial) return;
    ASSERT_EQ(count, instruction.count);
    if (count == 0) return;
    EXPECT_TRUE(instruction.accesses[0].stores);
    EXPECT_EQ(kRdi + at, instruction.accesses[0].address);
    EXPECT_EQ(bytes, instruction.accesses[0].bytes);
}

TEST(Instruction, MasksSelectWhatIsStored) {
    expect_masked(0xff, 1, 0, 8);
    expect_masked(0x0ff0, 1, 4, 8);
    expect_masked(UINT64_MAX, 1, 0, 64);
    expect_masked(0, 0, 0, 0);
}

/// Behind the store, of a range of 8 bytes. Nothing: the machine has no masks.
std::optional<bool> leaves_out(std::uint64_t mask, std::uint64_t begin) {
    std::vector<std::uint8_t> code(15, 0x90);
    code.insert(code.end(), kMaskedStore.begin(), kMaskedStore.end());
    std::vector<std::uint8_t> state = saved_state(mask);
    ucontext_t context{};
    context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(code.data() + code.size());
    context.uc_mcontext.gregs[REG_RDI] = kRdi;
    context.uc_mcontext.fpregs = reinterpret_cast<fpregset_t>(state.data());
    ucontext_t before = context;
    before.uc_mcontext.gregs[REG_RIP] -= static_cast<greg_t>(kMaskedStore.size());
    Instruction instruction;
    if (!decode(before, instruction) || instruction.count != 1 || instruction.accesses[0].partial)
        return std::nullopt;
    return has_left_out(context, begin & ~std::uint64_t{7}, begin, 8);
}

// As memset() of 16 bytes does it; processors of AMD stop for all that the operand has.
TEST(Instruction, MasksLeaveOutWhatIsBeside) {
    if (!can_decode()) GTEST_SKIP() << "needs Debian's package libzydis4.0";
    if (!leaves_out(0xffff, kRdi)) return;
    EXPECT_EQ(true, leaves_out(0xffff, kRdi + 0x20));
    EXPECT_EQ(true, leaves_out(0xffff, kRdi + 0x10));
    EXPECT_EQ(false, leaves_out(0xffff, kRdi + 8));
    EXPECT_EQ(false, leaves_out(0x1'ffff, kRdi + 0x10));
    EXPECT_EQ(false, leaves_out(0x80'0000, kRdi + 0x10));  // the last byte of the word
    EXPECT_EQ(false, leaves_out(0xffff, kRdi + 0x40));     // beyond the operand
    EXPECT_EQ(false, leaves_out(UINT64_MAX, kRdi + 0x20));
}

TEST(Instruction, SystemCallsAreKnown) {
    const auto call = decoded({0x0f, 0x05});
    ASSERT_TRUE(call);
    EXPECT_TRUE(call->is_system_call);
    const auto other = decoded({0x90});
    ASSERT_TRUE(other);
    EXPECT_FALSE(other->is_system_call);
    // An interrupt is one in disguise.
    const auto interrupt = decoded({0xcd, 0x80});
    ASSERT_TRUE(interrupt);
    EXPECT_TRUE(interrupt->is_system_call);
}

TEST(Instruction, WhatIsNoneIsNotKnown) {
    EXPECT_FALSE(decoded(std::vector<std::uint8_t>(15, 0x06)));
}

/// Behind the code, whose loads are from `kRdi` on; of a range of 16 bytes from `begin` on.
bool loads_beyond(const std::vector<std::uint8_t>& last, std::uint64_t begin) {
    std::vector<std::uint8_t> code(15, 0x90);
    code.insert(code.end(), last.begin(), last.end());
    ucontext_t context{};
    greg_t* const registers = context.uc_mcontext.gregs;
    registers[REG_RIP] = reinterpret_cast<greg_t>(code.data() + code.size());
    registers[REG_RDI] = kRdi;
    return has_loaded_beyond(context, begin, begin, 16);
}

TEST(Instruction, NumbersInVectorRegistersAreShort) {
    if (!can_decode()) GTEST_SKIP() << "needs Debian's package libzydis4.0";
    for (const std::vector<std::uint8_t>& code : std::vector<std::vector<std::uint8_t>>{
             {0xf2, 0x0f, 0x10, 0x07},        // movsd (%rdi), %xmm0
             {0xf3, 0x0f, 0x10, 0x07},        // movss (%rdi), %xmm0
             {0xf2, 0x44, 0x0f, 0x58, 0x0f},  // addsd (%rdi), %xmm9
             {0xf3, 0x0f, 0x5a, 0x07}}) {     // cvtss2sd (%rdi), %xmm0
        EXPECT_FALSE(loads_beyond(code, kRdi + 4));
    }
    EXPECT_TRUE(loads_beyond({0x0f, 0x10, 0x07}, kRdi + 4));              // movups (%rdi), %xmm0
    EXPECT_TRUE(loads_beyond({0x66, 0x44, 0x0f, 0x10, 0x07}, kRdi + 4));  // movupd (%rdi), %xmm8
}

TEST(Instruction, WideLoadsOfWhatIsBesideARange) {
    if (!can_decode()) GTEST_SKIP() << "needs Debian's package libzydis4.0";
    // vmovdqu (%rdi), %ymm0, as in strlen
    const std::vector<std::uint8_t> wide = {0xc5, 0xfe, 0x6f, 0x07};
    EXPECT_TRUE(loads_beyond(wide, kRdi + 8));
    EXPECT_TRUE(loads_beyond(wide, kRdi));
    EXPECT_FALSE(loads_beyond(wide, kRdi + 32));
    // movdqu (%rdi), %xmm0: all of the range
    EXPECT_FALSE(loads_beyond({0xf3, 0x0f, 0x6f, 0x07}, kRdi));
    // mov (%rdi), %rax
    EXPECT_FALSE(loads_beyond({0x48, 0x8b, 0x07}, kRdi + 4));
    // vmovdqu %ymm0, (%rdi)
    EXPECT_FALSE(loads_beyond({0xc5, 0xfe, 0x7f, 0x07}, kRdi + 8));
}

}  // namespace
}  // namespace mqinspect::tracer
