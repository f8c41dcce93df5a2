// Memory and expressions that mean harm: any answer is right; a crash, an endless walk and
// text without end are not.
#include <chrono>
#include <cstring>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/target/value_fixture.h"

namespace mqinspect::target {
namespace {

using mqinspect::testing::ValueFixture;

constexpr std::size_t kMaxText = 64 << 10;

// Memory that fails now and then, and of which some bytes are not what they were.
class DamagedMemory final : public Memory {
public:
    DamagedMemory(const Memory& memory, unsigned seed) : memory_(memory), random_(seed) {}

    Result<Done> read(Address address, std::span<std::byte> destination) const override {
        ++reads;
        const unsigned dice = random_() % 16;
        if (dice == 0) return Error{ErrorCode::BadAddress, "damaged"};
        if (!memory_.read(address, destination)) {
            for (std::byte& byte : destination)
                byte = static_cast<std::byte>(random_());
            return Done{};
        }
        if (dice < 6 && !destination.empty())
            destination[random_() % destination.size()] ^= static_cast<std::byte>(random_());
        if (dice == 6) std::memset(destination.data(), 0xff, destination.size());
        return Done{};
    }

    mutable std::size_t reads = 0;

private:
    const Memory& memory_;
    mutable std::mt19937 random_;
};

// Words of expressions in any order, mostly in one that means something.
class ExpressionMaker {
public:
    explicit ExpressionMaker(unsigned seed) : random_(seed) {}

    std::string make() {
        std::string text = term(4);
        if (random_() % 4 == 0 && !text.empty())
            text[random_() % text.size()] = static_cast<char>(random_() % 256);
        if (random_() % 8 == 0) text = text.substr(random_() % (text.size() + 1));
        return text;
    }

private:
    template <std::size_t N>
    std::string one_of(const char* const (&words)[N]) {
        return words[random_() % N];
    }

    std::string term(int depth) {
        static const char* const names[] = {
            "argument", "outer",     "first",      "matrix",
            "vla",      "wild",      "flexible",   "numbers",
            "bits",     "huge",      "wide",       "z",
            "twice",    "big_array", "text",       "nowhere",
            "a",        "b",         "cc",         "cells",
            "pp",       "unset",     "field",      "name",
            "data",     "names",     "word",       "diamond",
            "this",     "solver",    "per_thread", "global_counter",
            "0",        "1",         "-1",         "3",
            "2.5",      "1e300",     "'x'",        "0x7fffffffffffffff"};
        static const char* const binary[] = {" + ",
                                             " - ",
                                             " * ",
                                             " / ",
                                             " % ",
                                             "<<",
                                             ">>",
                                             "&",
                                             "|",
                                             "^",
                                             "==",
                                             "<",
                                             "&&",
                                             "||",
                                             "@",
                                             ".and."};
        static const char* const unary[] = {"*",
                                            "&",
                                            "-",
                                            "!",
                                            "~",
                                            "sizeof ",
                                            "(int)",
                                            "(char*)",
                                            "(struct Outer*)",
                                            "(double)",
                                            ".not."};
        static const char* const suffixes[] = {"->list",
                                               "->next",
                                               ".x",
                                               ".y",
                                               ".bits",
                                               "[0]",
                                               "[1]",
                                               "(1)",
                                               "(1,2)",
                                               "(:,1)",
                                               "%id",
                                               "%temp",
                                               "->corners",
                                               ".name",
                                               "[99999999999]",
                                               "[-5]"};
        if (depth == 0) return one_of(names);
        switch (random_() % 7) {
            case 0:
                return term(depth - 1) + one_of(binary) + term(depth - 1);
            case 1:
                return one_of(unary) + term(depth - 1);
            case 2:
                return "(" + term(depth - 1) + ")";
            case 3:
                return term(depth - 1) + "[" + term(depth - 1) + "]";
            case 4:
                return term(depth - 1) + "[" + term(depth - 1) + ":" + term(depth - 1) + "]";
            case 5:
                return term(depth - 1) + one_of(suffixes);
            default:
                return one_of(names);
        }
    }

    std::mt19937 random_;
};

const std::pair<const char*, const char*> kFrames[] = {{FIXTURE_C_O0, "show"},
                                                       {FIXTURE_C_O2, "show"},
                                                       {FIXTURE_CPP_O0, "main"},
                                                       {FIXTURE_F90_O0, "__params_MOD_work"},
                                                       {FIXTURE_F90_O2, "__params_MOD_work"}};

TEST(HostileValues, RandomExpressionsEnd) {
    for (const auto& [program, function] : kFrames) {
        const ValueFixture fixture(program);
        const std::size_t frame = fixture.inspected.frame(function);
        const CapturedMemory memory(fixture.inspected.thread, *fixture.inspected.memory);
        for (unsigned seed = 0; seed < 2000; ++seed) {
            const std::string text = ExpressionMaker(seed).make();
            SCOPED_TRACE(text);
            const auto value = evaluate_expression(
                *fixture.inspected.view, fixture.inspected.stack, frame, memory, text);
            if (value) {
                EXPECT_LT(value->text.size(), kMaxText);
            } else {
                EXPECT_FALSE(value.error().message.empty());
                EXPECT_EQ(value.error().message.find('\n'), std::string::npos);
            }
        }
    }
}

TEST(HostileValues, DamagedMemoryIsShownAsFarAsItGoes) {
    for (const auto& [program, function] : kFrames) {
        const ValueFixture fixture(program);
        const std::size_t frame = fixture.inspected.frame(function);
        const CapturedMemory memory(fixture.inspected.thread, *fixture.inspected.memory);
        for (unsigned seed = 0; seed < 60; ++seed) {
            SCOPED_TRACE(seed);
            const DamagedMemory damaged(memory, seed);
            for (const ShownVariable& variable :
                 frame_variables(*fixture.inspected.view, fixture.inspected.stack, frame, damaged))
                EXPECT_LT(variable.value.text.size(), kMaxText);
            EXPECT_LT(damaged.reads, 200000U);
            const auto value = evaluate_expression(*fixture.inspected.view,
                                                   fixture.inspected.stack,
                                                   frame,
                                                   damaged,
                                                   ExpressionMaker(seed).make());
            EXPECT_LT(value ? value->text.size() : 0, kMaxText);
        }
    }
}

TEST(HostileValues, StacksThatLeadAstrayHaveNoValues) {
    const ValueFixture fixture(FIXTURE_C_O0);
    const std::size_t frame = fixture.inspected.frame("show");
    std::mt19937_64 random(7);
    for (int round = 0; round < 50; ++round) {
        UnwoundStack stack = fixture.inspected.stack;
        for (auto& value : stack.frames[frame].registers)
            value = random() % 3 == 0 ? std::optional<std::uint64_t>{} : random();
        stack.frames[frame].cfa = random() % 3 == 0 ? std::optional<std::uint64_t>{} : random();
        for (const ShownVariable& variable :
             frame_variables(*fixture.inspected.view, stack, frame, *fixture.inspected.memory)) {
            // A static variable is where it was.
            const bool on_stack = variable.name == "argument";
            EXPECT_EQ(variable.value.text.front(), on_stack ? '<' : variable.value.text.front());
        }
    }
}

}  // namespace
}  // namespace mqinspect::target
