#include <cstring>
#include <initializer_list>
#include <random>
#include <vector>

#include <dwarf.h>
#include <gtest/gtest.h>

#include "inspector/target/dwarf_expression.h"

namespace mqinspect::target {
namespace {

class NoMemory final : public Memory {
public:
    Result<Done> read(Address address, std::span<std::byte> destination) const override {
        if (to_integer(address) != 0x100) return Error{ErrorCode::BadAddress, "unmapped"};
        constexpr std::uint64_t word = 0x8877665544332211;
        std::memcpy(destination.data(), &word, std::min(destination.size(), sizeof word));
        return Done{};
    }
};

class FakeFrame final : public ExpressionFrame {
public:
    FakeFrame() { registers_[3] = 0x100; }
    const Memory& memory() const override { return memory_; }
    const FrameRegisters& registers() const override { return registers_; }
    std::optional<std::uint64_t> cfa() const override { return 0x7000; }
    std::uint64_t bias() const override { return 0x10000; }
    Result<std::uint64_t> frame_base() const override { return std::uint64_t{0x7100}; }
    Result<std::uint64_t> entry_value(unsigned) const override { return std::uint64_t{0}; }

private:
    NoMemory memory_;
    FrameRegisters registers_{};
};

Dwarf_Op op(unsigned atom,
            std::uint64_t number = 0,
            std::uint64_t number2 = 0,
            std::uint64_t offset = 0) {
    return {static_cast<std::uint8_t>(atom), number, number2, offset};
}

Result<std::vector<ValuePart>> run(std::vector<Dwarf_Op> operations) {
    return evaluate(operations, nullptr, FakeFrame{});
}

// What is left on the stack: the address of the value.
std::uint64_t result(std::vector<Dwarf_Op> operations) {
    const auto parts = run(std::move(operations));
    EXPECT_TRUE(parts) << parts.error().message;
    if (!parts || parts->size() != 1) return 0xbad;
    EXPECT_EQ(parts->front().kind, ValuePart::Kind::Memory);
    return parts->front().value;
}

TEST(Expression, ComputesAddresses) {
    EXPECT_EQ(result({op(DW_OP_addr, 0x20)}), 0x10020U);
    EXPECT_EQ(result({op(DW_OP_fbreg, static_cast<std::uint64_t>(-16))}), 0x70f0U);
    EXPECT_EQ(result({op(DW_OP_breg3, 8)}), 0x108U);
    EXPECT_EQ(result({op(DW_OP_bregx, 3, 8)}), 0x108U);
    EXPECT_EQ(result({op(DW_OP_call_frame_cfa), op(DW_OP_plus_uconst, 8)}), 0x7008U);
}

TEST(Expression, DoesArithmetic) {
    const auto binary = [](unsigned atom) {
        return result({op(DW_OP_const1u, 100), op(DW_OP_lit7), op(atom)});
    };
    EXPECT_EQ(binary(DW_OP_plus), 107U);
    EXPECT_EQ(binary(DW_OP_minus), 93U);
    EXPECT_EQ(binary(DW_OP_mul), 700U);
    EXPECT_EQ(binary(DW_OP_div), 14U);
    EXPECT_EQ(binary(DW_OP_mod), 2U);
    EXPECT_EQ(binary(DW_OP_and), 4U);
    EXPECT_EQ(binary(DW_OP_or), 103U);
    EXPECT_EQ(binary(DW_OP_xor), 99U);
    EXPECT_EQ(binary(DW_OP_shl), 12800U);
    EXPECT_EQ(binary(DW_OP_shr), 0U);
    EXPECT_EQ(binary(DW_OP_lt), 0U);
    EXPECT_EQ(binary(DW_OP_ge), 1U);
    EXPECT_EQ(result({op(DW_OP_lit5), op(DW_OP_neg)}), static_cast<std::uint64_t>(-5));
    EXPECT_EQ(result({op(DW_OP_lit5), op(DW_OP_neg), op(DW_OP_abs)}), 5U);
    EXPECT_EQ(result({op(DW_OP_lit0), op(DW_OP_not)}), UINT64_MAX);
    EXPECT_EQ(result({op(DW_OP_lit1), op(DW_OP_const1u, 64), op(DW_OP_shl)}), 0U);
    EXPECT_EQ(result({op(DW_OP_lit8), op(DW_OP_neg), op(DW_OP_lit1), op(DW_OP_shra)}),
              static_cast<std::uint64_t>(-4));
}

TEST(Expression, MovesTheStack) {
    EXPECT_EQ(result({op(DW_OP_lit1), op(DW_OP_lit2), op(DW_OP_drop)}), 1U);
    EXPECT_EQ(result({op(DW_OP_lit3), op(DW_OP_dup), op(DW_OP_plus)}), 6U);
    EXPECT_EQ(result({op(DW_OP_lit9), op(DW_OP_lit2), op(DW_OP_swap), op(DW_OP_minus)}),
              static_cast<std::uint64_t>(-7));
    EXPECT_EQ(result({op(DW_OP_lit9), op(DW_OP_lit2), op(DW_OP_over)}), 9U);
    EXPECT_EQ(result({op(DW_OP_lit9), op(DW_OP_lit2), op(DW_OP_lit4), op(DW_OP_pick, 2)}), 9U);
    EXPECT_EQ(result({op(DW_OP_lit1), op(DW_OP_lit2), op(DW_OP_lit3), op(DW_OP_rot)}), 2U);
}

TEST(Expression, ReadsMemory) {
    EXPECT_EQ(result({op(DW_OP_breg3, 0), op(DW_OP_deref)}), 0x8877665544332211U);
    EXPECT_EQ(result({op(DW_OP_breg3, 0), op(DW_OP_deref_size, 2)}), 0x2211U);
    EXPECT_EQ(run({op(DW_OP_lit1), op(DW_OP_deref)}).error().code, ErrorCode::BadAddress);
    EXPECT_FALSE(run({op(DW_OP_breg3, 0), op(DW_OP_deref_size, 9)}));
}

TEST(Expression, DescribesPlacesAndPieces) {
    auto parts = run({op(DW_OP_reg5)});
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->front().kind, ValuePart::Kind::Register);
    EXPECT_EQ(parts->front().value, 5U);

    parts = run({op(DW_OP_lit7), op(DW_OP_stack_value)});
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->front().kind, ValuePart::Kind::Value);
    EXPECT_EQ(parts->front().value, 7U);

    parts = run({op(DW_OP_reg3),
                 op(DW_OP_piece, 4),
                 op(DW_OP_piece, 2),
                 op(DW_OP_lit1),
                 op(DW_OP_stack_value),
                 op(DW_OP_piece, 2)});
    ASSERT_TRUE(parts);
    ASSERT_EQ(parts->size(), 3U);
    EXPECT_EQ(parts->at(0).size, 4U);
    EXPECT_EQ(parts->at(1).kind, ValuePart::Kind::Unavailable);
    EXPECT_EQ(parts->at(2).kind, ValuePart::Kind::Value);

    parts = run({op(DW_OP_implicit_pointer, 1, 2)});
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->front().kind, ValuePart::Kind::Unavailable);
}

TEST(Expression, TakesBranches) {
    // if (1) 5 else 6
    EXPECT_EQ(result({op(DW_OP_lit1, 0, 0, 0),
                      op(DW_OP_bra, 4, 0, 1),
                      op(DW_OP_lit6, 0, 0, 4),
                      op(DW_OP_skip, 1, 0, 5),
                      op(DW_OP_lit5, 0, 0, 8),
                      op(DW_OP_nop, 0, 0, 9)}),
              5U);
}

TEST(Expression, RefusesWhatCannotBe) {
    EXPECT_FALSE(run({op(DW_OP_plus)}));
    EXPECT_FALSE(run({op(DW_OP_lit1), op(DW_OP_lit0), op(DW_OP_div)}));
    EXPECT_FALSE(run({op(DW_OP_lit1), op(DW_OP_pick, 9)}));
    EXPECT_FALSE(run({op(DW_OP_breg7, 0)}));   // not preserved
    EXPECT_FALSE(run({op(DW_OP_bregx, 99)}));  // no such register
    EXPECT_FALSE(run({op(DW_OP_form_tls_address)}));
    EXPECT_FALSE(run({op(DW_OP_lit0), op(DW_OP_form_tls_address)}));
    EXPECT_FALSE(run({op(DW_OP_entry_value)}));
    EXPECT_FALSE(run({op(DW_OP_convert, 4)}));
    // A loop that never ends, and one that fills the stack.
    EXPECT_EQ(run({op(DW_OP_skip, static_cast<std::uint64_t>(-3))}).error().code,
              ErrorCode::CorruptData);
    EXPECT_EQ(run({op(DW_OP_lit1, 0, 0, 0), op(DW_OP_skip, static_cast<std::uint64_t>(-4), 0, 1)})
                  .error()
                  .code,
              ErrorCode::CorruptData);
}

TEST(Expression, SurvivesAnyOperations) {
    std::mt19937_64 random(99);
    for (int round = 0; round < 20000; ++round) {
        std::vector<Dwarf_Op> operations(random() % 8);
        std::uint64_t offset = 0;
        for (Dwarf_Op& one : operations) {
            const std::uint64_t number = random() % 3 == 0 ? random() : random() % 16;
            one = op(random() % 256, number, random() % 16, offset++);
        }
        run(operations).has_value();
    }
}

}  // namespace
}  // namespace mqinspect::target
