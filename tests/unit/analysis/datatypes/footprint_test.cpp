#include "analysis/datatypes/footprint.h"

#include <set>

#include <gtest/gtest.h>

#include "tests/unit/analysis/datatypes/type_table.h"

namespace mqinspect::analysis {
namespace {

using model::DatatypeId;
using test::TypeTable;

class FootprintTest : public ::testing::Test {
protected:
    struct Buffer {
        std::int64_t address = 0;
        std::int64_t count = 1;
        DatatypeId type;
    };

    Overlap meet(const Buffer& left, const Buffer& right) {
        Footprints footprints{table_.execution()};
        return overlap(footprints.of(left.address, left.count, left.type),
                       footprints.of(right.address, right.count, right.type));
    }

    TypeTable table_;
    DatatypeId int_ = table_.named("MPI_INT", 4);
    DatatypeId double_ = table_.named("MPI_DOUBLE", 8);
};

TEST_F(FootprintTest, ContiguousBuffersMeetWhereTheyShareAByte) {
    EXPECT_EQ(meet({100, 4, int_}, {116, 4, int_}), Overlap::None);
    EXPECT_EQ(meet({100, 4, int_}, {115, 4, int_}), Overlap::Some);
    EXPECT_EQ(meet({100, 0, int_}, {100, 4, int_}), Overlap::None);
}

TEST_F(FootprintTest, ColumnsOfAMatrixAreApart) {
    const DatatypeId column = table_.vector(100, 1, 50, double_);

    EXPECT_EQ(meet({0x1000, 1, column}, {0x1008, 1, column}), Overlap::None);
    EXPECT_EQ(meet({0x1000, 1, column}, {0x1004, 1, column}), Overlap::Some);
    EXPECT_EQ(meet({0x1000, 1, column}, {0x1000 + 50 * 8 * 7, 1, column}), Overlap::Some);
    EXPECT_EQ(meet({0x1000, 1, column}, {0x1000 + 50 * 8 * 7 + 8, 49, double_}), Overlap::None);
}

TEST_F(FootprintTest, AnswersForHugeStridedBuffersAtOnce) {
    model::RecordedDatatype type;
    type.combiner = "MPI_COMBINER_HVECTOR";
    type.types = {int_};
    const auto strided = [&](std::int64_t count, std::int64_t stride) {
        type.integers = {count, 1};
        type.addresses = {stride};
        return table_.raw(type);
    };
    const DatatypeId first = strided(std::int64_t{1} << 30, 1'000'000'006);
    const DatatypeId second = strided(std::int64_t{1} << 30, 999'999'990);

    // Both strides are even and the buffers two bytes apart, modulo both of them.
    EXPECT_EQ(meet({0, 1, first}, {1, 1, second}), Overlap::Some);
    EXPECT_EQ(meet({0, 1, strided(1 << 30, 16)}, {8, 1, strided(1 << 30, 24)}), Overlap::Some);
    EXPECT_EQ(meet({0, 1, strided(1 << 30, 16)}, {4, 1, strided(1 << 30, 24)}), Overlap::None);
}

TEST_F(FootprintTest, FacesOfACubeMeetInTheirEdges) {
    const DatatypeId left = table_.subarray({8, 8, 8}, {8, 8, 1}, {0, 0, 0}, false, int_);
    const DatatypeId right = table_.subarray({8, 8, 8}, {8, 8, 1}, {0, 0, 7}, false, int_);
    const DatatypeId top = table_.subarray({8, 8, 8}, {1, 8, 8}, {0, 0, 0}, false, int_);
    const DatatypeId inner = table_.subarray({8, 8, 8}, {6, 6, 6}, {1, 1, 1}, false, int_);

    EXPECT_EQ(meet({0x1000, 1, left}, {0x1000, 1, right}), Overlap::None);
    EXPECT_EQ(meet({0x1000, 1, left}, {0x1000, 1, top}), Overlap::Some);
    EXPECT_EQ(meet({0x1000, 1, left}, {0x1000, 1, inner}), Overlap::None);
    EXPECT_EQ(meet({0x1000, 1, top}, {0x1000, 1, inner}), Overlap::None);
    EXPECT_EQ(meet({0x1004, 1, left}, {0x1000, 1, inner}), Overlap::Some);
}

TEST_F(FootprintTest, PartsOfDistributedArraysAreApart) {
    using D = TypeTable::Distribution;
    std::vector<DatatypeId> parts;
    for (std::int64_t rank = 0; rank < 6; ++rank)
        parts.push_back(
            table_.darray(rank, {{17, D::Cyclic, 3, 2}, {11, D::Block, -1, 3}}, true, int_));

    for (const DatatypeId left : parts)
        for (const DatatypeId right : parts) {
            EXPECT_EQ(meet({0, 1, left}, {0, 1, right}),
                      left == right ? Overlap::Some : Overlap::None);
        }
}

TEST_F(FootprintTest, SaysUnknownOfWhatMakesNoSense) {
    model::RecordedDatatype type;
    type.combiner = "MPI_COMBINER_VECTOR";
    type.types = {int_};
    type.integers = {INT64_MAX, 1, INT64_MAX};
    const DatatypeId huge = table_.raw(type);
    type.combiner = "MPI_COMBINER_CONTIGUOUS";
    type.integers = {2};
    type.types = {DatatypeId{huge.value + 1}};
    const DatatypeId itself = table_.raw(type);

    EXPECT_EQ(meet({0, 1, huge}, {0, 1, int_}), Overlap::Unknown);
    EXPECT_EQ(meet({0, 1, itself}, {0, 1, int_}), Overlap::Unknown);
    EXPECT_EQ(meet({0, 1, DatatypeId{-1}}, {0, 1, int_}), Overlap::Unknown);
    EXPECT_EQ(meet({0, -1, int_}, {0, 1, int_}), Overlap::Unknown);
    EXPECT_EQ(meet({INT64_MAX - 2, 1, int_}, {0, 1, int_}), Overlap::Unknown);
}

TEST_F(FootprintTest, GivesUpOnWhatWouldTakeTooLong) {
    // Strides without a common pattern, far too many to try them all.
    model::RecordedDatatype type;
    type.combiner = "MPI_COMBINER_HVECTOR";
    DatatypeId left = int_;
    DatatypeId right = int_;
    for (const std::int64_t stride : {1'000'004, 1'000'036, 1'000'116}) {
        type.integers = {1 << 20, 1};
        type.addresses = {stride};
        type.types = {left};
        left = table_.raw(type);
        type.addresses = {stride + 8};
        type.types = {right};
        right = table_.raw(type);
    }
    EXPECT_NE(meet({0, 1, left}, {2, 1, right}), Overlap::None);
}

TEST_F(FootprintTest, AgreesWithBytesThatAreWrittenOut) {
    int some = 0;
    int none = 0;
    for (unsigned seed = 0; seed < 80; ++seed) {
        std::mt19937 engine{seed};
        TypeTable table;
        table.named("MPI_INT", 4);
        table.named("MPI_SHORT", 2);
        std::vector<DatatypeId> types;
        for (int i = 0; i < 10; ++i)
            types.push_back(table.random(engine));
        Footprints footprints{table.execution()};
        const auto bytes = [&](const Buffer& buffer) {
            std::set<std::int64_t> result;
            for (const auto& entry : table.map_of(buffer.type, buffer.count))
                for (std::int64_t i = 0; i < entry.bytes; ++i)
                    result.insert(buffer.address + entry.displacement + i);
            return result;
        };
        for (int trial = 0; trial < 60; ++trial) {
            const Buffer left{
                500, 1 + static_cast<std::int64_t>(engine() % 3), types[engine() % types.size()]};
            const Buffer right{420 + static_cast<std::int64_t>(engine() % 160),
                               static_cast<std::int64_t>(engine() % 3),
                               types[engine() % types.size()]};
            const auto left_bytes = bytes(left);
            const auto right_bytes = bytes(right);
            const bool meet =
                std::any_of(right_bytes.begin(), right_bytes.end(), [&](std::int64_t at) {
                    return left_bytes.count(at) != 0;
                });

            ASSERT_EQ(overlap(footprints.of(left.address, left.count, left.type),
                              footprints.of(right.address, right.count, right.type)),
                      meet ? Overlap::Some : Overlap::None)
                << "seed " << seed << ", trial " << trial;
            (meet ? some : none)++;

            const auto hull = footprints.hull(left.address, left.count, left.type);
            ASSERT_TRUE(hull);
            EXPECT_EQ(hull->empty(), left_bytes.empty());
            if (!left_bytes.empty()) {
                EXPECT_EQ(hull->low, *left_bytes.begin()) << "seed " << seed;
                EXPECT_EQ(hull->high, *left_bytes.rbegin() + 1) << "seed " << seed;
            }
        }
    }
    EXPECT_GT(some, 500);
    EXPECT_GT(none, 500);
}

TEST_F(FootprintTest, OwnOverlapAgreesWithBytesThatAreWrittenOut) {
    int some = 0;
    int none = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        std::mt19937 engine{seed};
        TypeTable table;
        table.named("MPI_INT", 4);
        table.named("MPI_SHORT", 2);
        std::vector<DatatypeId> types;
        for (int i = 0; i < 12; ++i)
            types.push_back(table.random(engine));
        Footprints footprints{table.execution()};
        for (const DatatypeId type : types) {
            for (std::int64_t count = 1; count < 4; ++count) {
                std::set<std::int64_t> bytes;
                bool twice = false;
                for (const auto& entry : table.map_of(type, count))
                    for (std::int64_t i = 0; i < entry.bytes; ++i)
                        twice = !bytes.insert(entry.displacement + i).second || twice;

                ASSERT_EQ(footprints.own_overlap(count, type),
                          twice ? Overlap::Some : Overlap::None)
                    << "seed " << seed << ", type " << type.value << ", count " << count;
                (twice ? some : none)++;
            }
        }
    }
    EXPECT_GT(some, 500);
    EXPECT_GT(none, 500);
}

}  // namespace
}  // namespace mqinspect::analysis
