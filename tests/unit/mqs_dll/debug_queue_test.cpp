// The lists that MPICH keeps for debuggers, and the groups of MPICH 5.
#include "mqs_dll/debug_queue.h"

#include <cstddef>
#include <vector>

#include "mqs_dll/group_ranks.h"
#include "tests/unit/mqs_dll/dll_fixture.h"

namespace mqinspect::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

struct Entry {
    std::uint64_t req = 0;
    std::int32_t tag = 0, rank = 0, context_id = 0;
    std::uint64_t buf = 0;
    std::int64_t count = 0;
    std::uint64_t next = 0, prev = 0;
};

class DebugQueueTest : public testing::Test {
protected:
    DebugQueueTest() {
        stub.memory = &memory;
        layout = {offsetof(Entry, req),
                  offsetof(Entry, tag),
                  offsetof(Entry, rank),
                  offsetof(Entry, context_id),
                  offsetof(Entry, buf),
                  offsetof(Entry, count),
                  offsetof(Entry, next)};
        head = memory.allocate(8);
    }
    std::uint64_t prepend(std::int32_t tag) {
        const std::uint64_t address =
            memory.add(Entry{1, tag, 2, 64, 0x1000, 5, memory.at<std::uint64_t>(head), 0});
        memory.at<std::uint64_t>(head) = address;
        return address;
    }
    dll::Status read() {
        const dll::Target target(stub.process(), &debugger.process_callbacks(), 8);
        return dll::read_debug_list(target, layout, head, entries);
    }
    std::vector<std::int32_t> tags() const {
        std::vector<std::int32_t> result;
        for (const dll::DebugEntry& entry : entries)
            result.push_back(entry.tag);
        return result;
    }

    StubDebugger debugger;
    FakeMemory memory{std::size_t{4} << 20};
    StubTarget stub;
    dll::DebugListLayout layout;
    std::uint64_t head = 0;
    dll::Array<dll::DebugEntry> entries;
};

TEST_F(DebugQueueTest, TheNewestEntryIsTheLast) {
    for (const std::int32_t tag : {1, 2, 3})
        prepend(tag);
    EXPECT_EQ(read(), dll::Status::Ok);
    EXPECT_THAT(tags(), ElementsAre(1, 2, 3));
    EXPECT_EQ(entries[0].context, 64U);
    EXPECT_EQ(entries[0].count, 5);
    EXPECT_TRUE(entries[0].has_envelope);
}

TEST_F(DebugQueueTest, AnEnvelopeWithoutItsTagIsUnknown) {
    prepend(1);
    layout.tag = -1;
    EXPECT_EQ(read(), dll::Status::Ok);
    EXPECT_FALSE(entries[0].has_envelope);
}

TEST_F(DebugQueueTest, ALoopIsDamage) {
    const std::uint64_t first = prepend(1);
    memory.at<Entry>(first).next = prepend(2);
    EXPECT_EQ(read(), dll::Status::CorruptData);
    EXPECT_THAT(tags(), ElementsAre(1, 2));
}

TEST_F(DebugQueueTest, AnUnreadableEntryKeepsTheNewerOnes) {
    const std::uint64_t oldest = prepend(1);
    prepend(2);
    memory.forbid(oldest);
    EXPECT_EQ(read(), dll::Status::UnreadableMemory);
    EXPECT_THAT(tags(), ElementsAre(2));
}

TEST_F(DebugQueueTest, WithoutAVariableOrATypeThereIsNone) {
    head = 0;
    EXPECT_EQ(read(), dll::Status::NoInformation);
    layout.next = -1;
    EXPECT_EQ(read(), dll::Status::NoInformation);
}

TEST_F(DebugQueueTest, ManyEntriesCostFewReads) {
    constexpr std::int32_t kEntries = 20000;
    for (std::int32_t i = 0; i < kEntries; ++i)
        prepend(i);
    ASSERT_EQ(read(), dll::Status::Ok);
    EXPECT_THAT(entries, SizeIs(kEntries));
    EXPECT_LE(stub.reads, kEntries / 20U);
}

class GroupRanksTest : public testing::Test {
protected:
    struct Group {
        std::int32_t handle = 0, ref_count = 1, size = 0, rank = 0;
        std::int32_t pmap_size = 0;
        std::int32_t use_map = 0;
        std::int64_t u[3] = {};
        std::uint64_t session_ptr = 0;
    };
    GroupRanksTest() {
        stub.memory = &memory;
        layout.group_pmap = 16;
        layout.pmap_size = 0;
        layout.pmap_use_map = 4;
        layout.pmap_u = 8;
        layout.pmap_bytes = 32;
    }
    std::vector<std::int32_t> ranks(const Group& group, std::int32_t size) {
        const dll::Target target(stub.process(), &debugger.process_callbacks(), 8);
        dll::Array<std::int32_t> found;
        status = dll::read_group_ranks(target, layout, memory.add(group), size, found);
        return {found.begin(), found.end()};
    }

    StubDebugger debugger;
    FakeMemory memory{std::size_t{1} << 16};
    StubTarget stub;
    dll::Layout layout;
    dll::Status status = dll::Status::Ok;
};

TEST_F(GroupRanksTest, LieInBlocksAtAStride) {
    EXPECT_THAT(ranks({.size = 5, .pmap_size = 5, .u = {1, 4, 2}}, 5), ElementsAre(1, 2, 5, 6, 9));
    EXPECT_THAT(ranks({.size = 3, .pmap_size = 3, .u = {7, -2, 1}}, 3), ElementsAre(7, 5, 3));
    EXPECT_THAT(ranks({.size = 3, .pmap_size = 3, .u = {1, -1, 1}}, 3), ElementsAre(1, 0, -1));
}

TEST_F(GroupRanksTest, HadNoBlocksAtFirst) {
    layout.pmap_bytes = 24;
    EXPECT_THAT(ranks({.size = 3, .pmap_size = 3, .u = {1, 2, -99}}, 3), ElementsAre(1, 3, 5));
    layout.pmap_bytes = -1;
    layout.group_session = 40;
    EXPECT_THAT(ranks({.size = 3, .pmap_size = 3, .u = {1, 2, -99}}, 3), ElementsAre(1, 3, 5));
}

TEST_F(GroupRanksTest, AreListedInAMap) {
    const std::uint64_t map = memory.allocate(24);
    memory.store(map, std::int64_t{2});
    memory.store(map + 8, std::int64_t{1} << 32);         // another world
    memory.store(map + 16, (std::int64_t{1} << 62) | 1);  // without a world yet
    const Group group{
        .size = 3, .pmap_size = 3, .use_map = 1, .u = {static_cast<std::int64_t>(map)}};
    EXPECT_THAT(ranks(group, 3), ElementsAre(2, MQS_INVALID_PROCESS, MQS_INVALID_PROCESS));
    memory.forbid(map + 20);
    EXPECT_THAT(ranks(group, 3), SizeIs(0));
    EXPECT_EQ(status, dll::Status::UnreadableMemory);
}

TEST_F(GroupRanksTest, AreUnknownIfTheNumbersCannotBeTrue) {
    constexpr std::int64_t kHuge = INT64_MAX;
    for (const Group& group : {Group{.pmap_size = 3, .u = {kHuge, 1, 1}},
                               Group{.pmap_size = 3, .u = {0, kHuge, 1}},
                               Group{.pmap_size = 3, .u = {0, 1, 0}},
                               Group{.pmap_size = 3, .u = {0, 1, -1}},
                               Group{.pmap_size = 2, .u = {0, 1, 1}}}) {
        EXPECT_THAT(ranks(group, 3), SizeIs(0));
        EXPECT_EQ(status, dll::Status::NoInformation);
    }
}

TEST_F(GroupRanksTest, AreUnknownIfNothingSaysWhetherThereAreBlocks) {
    layout.pmap_bytes = -1;
    EXPECT_THAT(ranks({.size = 3, .pmap_size = 3, .u = {0, 1, 1}}, 3), SizeIs(0));
    EXPECT_EQ(status, dll::Status::NoInformation);
}

}  // namespace
}  // namespace mqinspect::test
