#include "inspector/target/core_file.h"

#include <elf.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/core_builder.h"

namespace mqinspect::target {
namespace {

using testing::CoreBuilder;
using ::testing::HasSubstr;

using Bytes = std::vector<std::byte>;

constexpr std::uint64_t kData = 0x10000;

Bytes counted(std::size_t size) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<std::byte>(i);
    return bytes;
}

/// Two threads, one of which was in a fault; data; an environment.
CoreBuilder crashed() {
    CoreBuilder builder;
    builder.add_thread({.tid = 12, .signal = SIGSEGV, .rip = 0x401000, .rsp = kData});
    builder.add_signal(SIGSEGV, SEGV_MAPERR, 0x18);
    builder.add_thread({.tid = 11, .signal = 0, .rip = 0x402000, .rsp = kData + 64});
    builder.set_pid(11);
    builder.add_file(0x400000, 0x403000, 2, "/bin/program");
    builder.add_memory(kData, counted(256), 256);
    builder.add_environment({"A=b", "PMI_RANK=3"}, 0x401000);
    return builder;
}

struct Opened {
    Bytes bytes;
    Result<std::unique_ptr<CoreFile>> core = Error{ErrorCode::System, ""};
};

Opened open(Bytes bytes) {
    Opened opened{std::move(bytes)};
    opened.core = CoreFile::from_bytes(opened.bytes, "core.1");
    return opened;
}

TEST(CoreFile, TellsThreadsAndTheFault) {
    const Opened opened = open(crashed().bytes());

    ASSERT_TRUE(opened.core) << opened.core.error().message;
    const CoreFile& core = **opened.core;
    EXPECT_EQ(core.pid(), 11);
    ASSERT_EQ(core.threads().size(), 2U);
    EXPECT_EQ(core.threads()[0].tid, 12);
    EXPECT_EQ(core.threads()[0].registers.rip, 0x401000U);
    EXPECT_EQ(core.threads()[1].registers.rsp, kData + 64);
    ASSERT_TRUE(core.signal());
    EXPECT_EQ(core.signal()->name, "SIGSEGV");
    EXPECT_EQ(core.signal()->address, 0x18U);
    EXPECT_FALSE(core.signal()->sender_pid);
    ASSERT_EQ(core.files().size(), 1U);
    EXPECT_EQ(core.files()[0].offset, 8192U);
    EXPECT_EQ(core.missing_bytes(), 0U);
}

TEST(CoreFile, ReadsTheEnvironmentFromTheInitialStack) {
    const Opened opened = open(crashed().bytes());

    ASSERT_TRUE(opened.core);
    EXPECT_EQ((*opened.core)->environment(), std::string("A=b\0PMI_RANK=3\0", 15));
}

TEST(CoreFile, TellsASenderFromTheProcessItself) {
    CoreBuilder aborted;
    aborted.add_thread({.tid = 11, .signal = SIGABRT});
    aborted.add_signal(SIGABRT, SI_TKILL, 11);
    CoreBuilder killed;
    killed.add_thread({.tid = 11, .signal = SIGABRT});
    killed.add_signal(SIGABRT, SI_USER, 4711);

    const Opened own = open(aborted.bytes());
    const Opened other = open(killed.bytes());

    ASSERT_TRUE(own.core && (*own.core)->signal());
    EXPECT_TRUE(model::is_own_doing(*(*own.core)->signal()));
    ASSERT_TRUE(other.core && (*other.core)->signal());
    EXPECT_EQ((*other.core)->signal()->sender_pid, 4711);
}

TEST(CoreFile, ACopyOfALivingProcessHasNoSignal) {
    for (const int signal : {0, SIGSTOP, SIGINT, SIGTERM}) {
        CoreBuilder builder;
        builder.add_thread({.tid = 11, .signal = signal});

        const Opened opened = open(builder.bytes());

        ASSERT_TRUE(opened.core);
        EXPECT_FALSE((*opened.core)->signal()) << signal;
    }
}

TEST(CoreFile, ReadsOnlyWhatIsStored) {
    CoreBuilder builder;
    builder.add_thread({.tid = 11});
    builder.add_memory(kData, counted(128), 4096);
    builder.add_memory(kData + 4096, counted(16), 16);
    const Opened opened = open(builder.bytes());
    ASSERT_TRUE(opened.core);
    const CoreFile& core = **opened.core;

    EXPECT_EQ(*read_value<std::uint8_t>(core, Address{kData + 127}), 127);
    EXPECT_FALSE(read_value<std::uint16_t>(core, Address{kData + 127}));
    EXPECT_EQ(*read_value<std::uint8_t>(core, Address{kData + 4096 + 15}), 15);
    EXPECT_FALSE(read_value<std::uint8_t>(core, Address{kData - 1}));
    const auto end = read_value<std::uint64_t>(core, Address{~std::uint64_t{0}});
    ASSERT_FALSE(end);
    EXPECT_THAT(end.error().message, HasSubstr("0xffffffffffffffff"));
}

TEST(CoreFile, UsesWhatACutFileHas) {
    Bytes bytes = crashed().bytes();
    const std::size_t whole = bytes.size();
    for (std::size_t size = 0; size < whole; ++size) {
        Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        const Opened opened = open(std::move(cut));
        if (!opened.core) {
            EXPECT_THAT(opened.core.error().message, HasSubstr("core.1 is no core file"));
            continue;
        }
        EXPECT_GT((*opened.core)->missing_bytes(), 0U) << size;
        EXPECT_FALSE((*opened.core)->threads().empty());
    }
    bytes.resize(whole - 1);
    const Opened almost = open(std::move(bytes));
    ASSERT_TRUE(almost.core);
    EXPECT_EQ((*almost.core)->missing_bytes(), 1U);
}

TEST(CoreFile, SaysWhatElseAFileIs) {
    EXPECT_THAT(open(counted(200)).core.error().message, HasSubstr("it is no ELF file"));
    Bytes bytes = crashed().bytes();
    Elf64_Ehdr header{};
    std::memcpy(&header, bytes.data(), sizeof header);
    header.e_type = ET_DYN;
    std::memcpy(bytes.data(), &header, sizeof header);
    EXPECT_THAT(open(bytes).core.error().message, HasSubstr("an executable or a library"));
    EXPECT_THAT(open(CoreBuilder().bytes()).core.error().message, HasSubstr("no threads"));
}

TEST(CoreFile, WithstandsNotesWithWildSizes) {
    for (const std::uint32_t said : {0U, 1U, 8U, 15U, 0x7fffffffU, 0xfffffffcU, 0xffffffffU}) {
        for (const int type : {NT_PRSTATUS, NT_FILE, NT_AUXV, NT_SIGINFO}) {
            CoreBuilder builder;
            builder.add_thread({.tid = 11, .signal = SIGSEGV});
            builder.add_note(static_cast<std::uint32_t>(type), Bytes(16, std::byte{0xff}), said);

            const Opened opened = open(builder.bytes());

            ASSERT_TRUE(opened.core) << opened.core.error().message;
            EXPECT_EQ((*opened.core)->threads().size(), 1U);
            EXPECT_TRUE((*opened.core)->files().empty());
        }
    }
}

TEST(CoreFile, LeavesOutSegmentsThatOverlapOrWrap) {
    CoreBuilder builder;
    builder.add_thread({.tid = 11});
    builder.add_memory(kData, counted(64), 64);
    builder.add_memory(kData + 32, counted(64), 64);
    builder.add_memory(~std::uint64_t{15}, counted(64), 64);
    builder.add_memory(0x20000, counted(64), 0);

    const Opened opened = open(builder.bytes());

    ASSERT_TRUE(opened.core);
    ASSERT_EQ((*opened.core)->segments().size(), 1U);
    EXPECT_EQ((*opened.core)->segments()[0].start, kData);
}

// Any byte may be any other: nothing is read that is not there, and all ends.
TEST(CoreFile, WithstandsDamage) {
    const Bytes whole = crashed().bytes();
    std::mt19937 random(7);
    for (int round = 0; round < 20000; ++round) {
        Bytes bytes = whole;
        for (unsigned i = random() % 8; i < 8; ++i)
            bytes[random() % bytes.size()] = static_cast<std::byte>(random());
        const Opened opened = open(std::move(bytes));
        if (!opened.core) continue;
        static_cast<void>((*opened.core)->environment());
        for (const CoreSegment& segment : (*opened.core)->segments()) {
            Bytes content(std::min<std::uint64_t>(segment.stored, 4096));
            EXPECT_TRUE((*opened.core)->read(Address{segment.start}, content));
        }
    }
}

TEST(CoreFile, SaysHowToUnpack) {
    const std::string path = ::testing::TempDir() + "packed_core";
    for (const auto& [magic, command] : {std::pair{"\x28\xb5\x2f\xfd packed", "zstd -d "},
                                         std::pair{"\x04\x22\x4d\x18 packed", "lz4 -d "}}) {
        std::ofstream(path) << magic;

        const auto core = CoreFile::open(path);

        ASSERT_FALSE(core);
        EXPECT_THAT(core.error().message, HasSubstr(command + path));
    }
    EXPECT_THAT(CoreFile::open("/nowhere/core").error().message,
                HasSubstr("cannot open /nowhere/core: No such file"));
    EXPECT_THAT(CoreFile::open("/tmp").error().message, HasSubstr("not a regular file"));
}

}  // namespace
}  // namespace mqinspect::target
