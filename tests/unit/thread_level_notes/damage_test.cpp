// Notes that are damaged: nothing worse than an error comes of them.
#include <random>

#include <gtest/gtest.h>

#include "tests/unit/thread_level_facts/unit_builder.h"
#include "tests/unit/thread_level_notes/random_unit.h"

#include "thread_level/facts/join.h"
#include "thread_level/facts/print.h"
#include "thread_level/notes/format.h"
#include "thread_level/notes/notes.h"

namespace mqinspect::thread_level {
namespace {

std::string error_of(std::string_view section) {
    return decode(section).error;
}

std::string record(unsigned version, const std::string& rest) {
    return "MTL" + std::string(1, static_cast<char>(version)) + rest;
}

TEST(DamagedNotes, AreNamedWithTheOffset) {
    const std::string good = encode(rich_unit());

    EXPECT_EQ("offset 2: no note starts here", error_of(std::string("\0\0ELF", 5)));
    EXPECT_EQ("offset 3: version 99 is not known here", error_of(record(99, good.substr(4))));
    EXPECT_EQ("offset 3: it ends too early", error_of("MTL"));
    EXPECT_EQ("offset 6: a count is larger than what follows",
              error_of(good.substr(0, good.size() - 1)));
    EXPECT_EQ("offset 15: a number is too large",
              error_of(record(notes::kVersion, "\x0c" + std::string(10, '\xff') + "\x7f ")));
    // What is no count, in a deflated block that is stored as it is.
    EXPECT_EQ("offset 5, unpacked 2: a count is larger than what follows",
              error_of(record(notes::kPackedVersion,
                              std::string("\x09\x03\x01\x03\x00\xfc\xff\x00\x7f\x00", 10))));
    EXPECT_EQ("offset 6: its packed bytes are damaged",
              error_of(record(notes::kPackedVersion, std::string("\x03\x04\x00\x01", 4))));
}

TEST(DamagedNotes, LoseOnlyThemselves) {
    const std::string first = encode(rich_unit("first.c"));
    std::string second = encode(rich_unit("second.c"));
    second[7] = '\xf0';  // of its table of strings
    const std::string third = encode(rich_unit("third.c"));

    const Decoded decoded = decode(first + second + third);

    ASSERT_EQ(2U, decoded.units.size());
    EXPECT_EQ("third.c", decoded.units[1].strings[decoded.units[1].source]);
    EXPECT_TRUE(decoded.error.starts_with("offset ")) << decoded.error;
}

TEST(DamagedNotes, CantAskForMuchMemory) {
    // A table of strings each of which repeats the one before.
    std::string strings("\x00\xe8\x07\x00\x80\x10", 6);
    strings += std::string(2048, 'x');
    for (int more = 1; more < 1000; ++more)
        strings += std::string("\x80\x10\x01y", 4);
    std::string note = record(notes::kVersion, "");
    note += static_cast<char>(0x80U | (strings.size() & 0x7fU));
    note += static_cast<char>(strings.size() >> 7U);
    note += strings;

    EXPECT_NE(std::string::npos, error_of(note).find("strings share too much")) << error_of(note);
}

TEST(DamagedNotes, TruncatedAreReadWithoutHarm) {
    const std::string good = encode(rich_unit());
    for (std::size_t length = 1; length < good.size(); ++length)
        EXPECT_NE("", error_of(good.substr(0, length))) << length;
}

TEST(DamagedNotes, RandomDamageDoesNoHarm) {
    std::mt19937 random(2015);
    std::size_t errors = 0;
    for (std::uint32_t round = 0; round < 4000; ++round) {
        std::string note = encode(random_unit(round % 40)) + encode(rich_unit());
        for (std::uint32_t change = 1 + static_cast<std::uint32_t>(random() % 4); change > 0;
             --change)
            note[random() % note.size()] = static_cast<char>(random());
        const Decoded decoded = decode(note);
        if (!decoded.error.empty()) ++errors;
        ASSERT_FALSE(print(join(decoded.units)).empty());
    }
    EXPECT_GT(errors, 1000U);
}

}  // namespace
}  // namespace mqinspect::thread_level
