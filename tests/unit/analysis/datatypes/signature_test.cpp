#include "analysis/datatypes/signature.h"

#include <gtest/gtest.h>

#include "tests/unit/analysis/datatypes/type_table.h"

namespace mqinspect::analysis {
namespace {

using model::DatatypeId;
using test::MapEntry;
using test::TypeTable;

class SignatureTest : public ::testing::Test {
protected:
    Fit fit(DatatypeId sent, std::int64_t send_count, DatatypeId room, std::int64_t room_count) {
        return TypeSignatures{table_.execution()}.fit(sent, send_count, room, room_count);
    }
    std::string difference(DatatypeId sent,
                           std::int64_t send_count,
                           DatatypeId room,
                           std::int64_t room_count) {
        return TypeSignatures{table_.execution()}.difference(sent, send_count, room, room_count);
    }

    TypeTable table_;
    DatatypeId int_ = table_.named("MPI_INT", 4);
    DatatypeId float_ = table_.named("MPI_FLOAT", 4);
    DatatypeId double_ = table_.named("MPI_DOUBLE", 8);
    DatatypeId byte_ = table_.named("MPI_BYTE", 1);
    DatatypeId packed_ = table_.named("MPI_PACKED", 1);
};

TEST_F(SignatureTest, ComparesCountsOfOneDatatype) {
    EXPECT_EQ(fit(int_, 4, int_, 4), Fit::Equal);
    EXPECT_EQ(fit(int_, 3, int_, 4), Fit::Shorter);
    EXPECT_EQ(fit(int_, 5, int_, 4), Fit::Longer);
    EXPECT_EQ(fit(int_, 0, float_, 4), Fit::Shorter);
    EXPECT_EQ(fit(int_, 0, float_, 0), Fit::Equal);
}

TEST_F(SignatureTest, TellsBasicDatatypesApartByName) {
    EXPECT_EQ(fit(int_, 4, float_, 4), Fit::Different);
    EXPECT_EQ(fit(int_, 4, byte_, 16), Fit::Different);
    EXPECT_EQ(fit(int_, 1, table_.named("MPI_INTEGER", 4), 1), Fit::Different);
    EXPECT_EQ(fit(table_.named("MPI_LONG", 8), 1, table_.named("MPI_LONG_LONG", 8), 1),
              Fit::Different);
    EXPECT_EQ(fit(double_, 1, table_.named("MPI_REAL8", 8), 1), Fit::Different);
}

TEST_F(SignatureTest, TakesSynonymsForOneDatatype) {
    EXPECT_EQ(fit(table_.named("MPI_LONG_LONG", 8), 2, table_.named("MPI_LONG_LONG_INT", 8), 2),
              Fit::Equal);
    EXPECT_EQ(fit(table_.named("MPI_C_COMPLEX", 8), 2, table_.named("MPI_C_FLOAT_COMPLEX", 8), 2),
              Fit::Equal);
}

TEST_F(SignatureTest, TakesTypesOfFixedSizesForWhatTheyAreHere) {
    const auto equal = [&](const char* one, const char* other, std::int64_t size) {
        return fit(table_.named(one, size), 2, table_.named(other, size), 2) == Fit::Equal;
    };
    EXPECT_TRUE(equal("MPI_INT", "MPI_INT32_T", 4));
    EXPECT_TRUE(equal("MPI_UINT64_T", "MPI_UNSIGNED_LONG", 8));
    EXPECT_TRUE(equal("MPI_DOUBLE_PRECISION", "MPI_REAL8", 8));
    EXPECT_TRUE(equal("MPI_REAL", "MPI_REAL4", 4));
    EXPECT_TRUE(equal("MPI_INTEGER", "MPI_INTEGER4", 4));
    EXPECT_TRUE(equal("MPI_DOUBLE_COMPLEX", "MPI_COMPLEX16", 16));
    // With -fdefault-real-8.
    EXPECT_TRUE(equal("MPI_REAL", "MPI_DOUBLE_PRECISION", 8));
    EXPECT_FALSE(equal("MPI_INTEGER", "MPI_REAL", 4));
    EXPECT_EQ(fit(table_.named("MPI_2INT", 8), 1, table_.named("MPI_INT32_T", 4), 2), Fit::Equal);
    EXPECT_EQ(difference(int_, 1, table_.named("MPI_INTEGER", 4), 1),
              "MPI_INT sent, MPI_INTEGER received");
}

TEST_F(SignatureTest, ComparesPackedDataByBytes) {
    EXPECT_EQ(fit(packed_, 16, int_, 4), Fit::Equal);
    EXPECT_EQ(fit(int_, 4, packed_, 15), Fit::Longer);
    EXPECT_EQ(fit(packed_, 8, double_, 4), Fit::Shorter);
    EXPECT_EQ(difference(int_, 4, packed_, 15), "16 bytes sent, 15 received");
}

TEST_F(SignatureTest, ExpandsPairs) {
    const DatatypeId pair = table_.named("MPI_DOUBLE_INT", 12);
    const DatatypeId made = table_.structure({1, 1}, {0, 8}, {double_, int_});

    EXPECT_EQ(fit(pair, 3, made, 3), Fit::Equal);
    EXPECT_EQ(fit(double_, 1, pair, 1), Fit::Shorter);
    EXPECT_EQ(fit(pair, 1, double_, 1), Fit::Longer);
    EXPECT_EQ(difference(double_, 2, pair, 1), "element 1: MPI_DOUBLE sent, MPI_INT received");
}

TEST_F(SignatureTest, IgnoresGapsAndOrderInMemory) {
    EXPECT_EQ(fit(table_.vector(3, 2, 5, int_), 2, int_, 12), Fit::Equal);
    EXPECT_EQ(fit(table_.indexed({2, 1}, {7, 0}, int_), 1, table_.contiguous(3, int_), 1),
              Fit::Equal);
    EXPECT_EQ(fit(table_.resized(-8, 64, double_), 3, double_, 3), Fit::Equal);
}

TEST_F(SignatureTest, NamesTheFirstElementThatDiffers) {
    const DatatypeId sent = table_.structure({3, 1}, {0, 16}, {int_, double_});
    const DatatypeId room = table_.structure({3, 1}, {0, 16}, {int_, float_});

    EXPECT_EQ(fit(sent, 100, room, 100), Fit::Different);
    EXPECT_EQ(difference(sent, 100, room, 100), "element 3: MPI_DOUBLE sent, MPI_FLOAT received");
    EXPECT_EQ(difference(int_, 1, float_, 1), "MPI_INT sent, MPI_FLOAT received");
    EXPECT_EQ(difference(int_, 12, int_, 10), "12 elements sent, 10 received");
    EXPECT_EQ(difference(int_, 12, int_, 12), "");
}

TEST_F(SignatureTest, KnowsTheKindsOfF90DatatypesByTheirNumbers) {
    model::RecordedDatatype real;
    real.combiner = "MPI_COMBINER_F90_REAL";
    real.integers = {15, 300};
    real.size = 8;
    const DatatypeId first = table_.raw(real);
    real.integers = {6, 30};
    const DatatypeId second = table_.raw(real);

    EXPECT_EQ(fit(first, 2, first, 2), Fit::Equal);
    EXPECT_EQ(fit(first, 2, second, 2), Fit::Different);
    EXPECT_EQ(difference(first, 2, second, 2),
              "MPI_COMBINER_F90_REAL(15,300) sent, MPI_COMBINER_F90_REAL(6,30) received");
}

TEST_F(SignatureTest, TakesLargeCountFormsWithAllNumbersAmongTheIntegers) {
    model::RecordedDatatype type;
    type.combiner = "MPI_COMBINER_HINDEXED";
    type.integers = {2, 1, 3, 0, 64};
    type.types = {int_};
    const DatatypeId hindexed = table_.raw(type);
    type.combiner = "MPI_COMBINER_HVECTOR";
    type.integers = {2, 2, 64};
    const DatatypeId hvector = table_.raw(type);

    EXPECT_EQ(fit(hindexed, 1, int_, 4), Fit::Equal);
    EXPECT_EQ(fit(hvector, 1, int_, 4), Fit::Equal);
}

TEST_F(SignatureTest, CountsInNoTimeWhatWouldTakeForeverToWriteOut) {
    model::RecordedDatatype type;
    type.combiner = "MPI_COMBINER_CONTIGUOUS";
    type.types = {int_};
    type.integers = {std::int64_t{1} << 40};
    const DatatypeId large = table_.raw(type);
    type.integers = {std::int64_t{1} << 20};
    const DatatypeId other = table_.raw(type);
    type.combiner = "MPI_COMBINER_STRUCT";
    type.integers = {2, 1 << 30, 1};
    type.addresses = {0, std::int64_t{1} << 40};
    type.types = {int_, float_};
    const DatatypeId last = table_.raw(type);

    EXPECT_EQ(fit(large, 1 << 10, other, 1 << 30), Fit::Equal);
    EXPECT_EQ(fit(large, 1 << 10, float_, std::int64_t{1} << 50), Fit::Different);
    EXPECT_EQ(difference(other, 1025, last, 1),
              "element 1073741824: MPI_INT sent, MPI_FLOAT received");
}

TEST_F(SignatureTest, SaysUnknownOfWhatMakesNoSense) {
    const TypeSignatures none{table_.execution()};
    EXPECT_EQ(none.fit(DatatypeId{-1}, 1, int_, 1), Fit::Unknown);
    EXPECT_EQ(none.fit(DatatypeId{99}, 1, int_, 1), Fit::Unknown);
    EXPECT_EQ(none.fit(int_, -1, int_, 1), Fit::Unknown);

    model::RecordedDatatype type;
    const auto unknown = [&](std::string combiner,
                             std::vector<std::int64_t> integers,
                             std::vector<DatatypeId> types) {
        type.combiner = "MPI_COMBINER_" + std::move(combiner);
        type.integers = std::move(integers);
        type.types = std::move(types);
        return fit(table_.raw(type), 1, int_, 1) == Fit::Unknown;
    };
    EXPECT_TRUE(unknown("CONTIGUOUS", {}, {int_}));
    EXPECT_TRUE(unknown("CONTIGUOUS", {-1}, {int_}));
    EXPECT_TRUE(unknown("CONTIGUOUS", {1}, {}));
    EXPECT_TRUE(unknown("CONTIGUOUS", {INT64_MAX}, {int_}));
    EXPECT_TRUE(unknown("CONTIGUOUS", {1}, {DatatypeId{1000}}));
    EXPECT_TRUE(unknown("CONTIGUOUS", {1}, {DatatypeId{-1}}));
    EXPECT_TRUE(unknown("VECTOR", {INT64_MAX, INT64_MAX, 1}, {int_}));
    EXPECT_TRUE(unknown("INDEXED", {INT64_MAX, 1, 1}, {int_}));
    EXPECT_TRUE(unknown("STRUCT", {2, 1, 1}, {int_}));
    EXPECT_TRUE(unknown("SUBARRAY", {INT64_MAX}, {int_}));
    EXPECT_TRUE(unknown("SUBARRAY", {1, 4, 2, 0, 99}, {int_}));
    EXPECT_TRUE(unknown("DARRAY", {1, 0, 1, 4, 121, -49767, 0, 56}, {int_}));
    EXPECT_TRUE(unknown("SOMETHING", {1}, {int_}));
    EXPECT_TRUE(unknown("NAMED", {}, {}));
}

TEST_F(SignatureTest, SaysUnknownOfDatatypesThatContainThemselves) {
    model::RecordedDatatype type;
    type.combiner = "MPI_COMBINER_STRUCT";
    type.integers = {2, 1, 1};
    type.addresses = {0, 4};
    const auto first = DatatypeId{static_cast<int>(table_.execution().datatypes.size())};
    type.types = {int_, DatatypeId{first.value + 1}};
    table_.raw(type);
    type.types = {first, int_};
    const DatatypeId second = table_.raw(type);

    EXPECT_EQ(fit(first, 1, int_, 4), Fit::Unknown);
    EXPECT_EQ(fit(second, 1, int_, 4), Fit::Unknown);
    EXPECT_EQ(difference(second, 1, int_, 4), "");
}

TEST_F(SignatureTest, IsNotAfraidOfDeepNesting) {
    model::RecordedDatatype type;
    type.combiner = "MPI_COMBINER_CONTIGUOUS";
    type.integers = {1};
    // Wholes before parts, so that each is asked for before it is known.
    constexpr int kDepth = 200'000;
    const auto first = static_cast<int>(table_.execution().datatypes.size());
    for (int i = 0; i < kDepth; ++i) {
        type.types = {i + 1 < kDepth ? DatatypeId{first + i + 1} : int_};
        table_.raw(type);
    }
    EXPECT_EQ(fit(DatatypeId{first}, 3, int_, 3), Fit::Equal);
    EXPECT_EQ(difference(DatatypeId{first}, 3, float_, 3), "MPI_INT sent, MPI_FLOAT received");
}

TEST_F(SignatureTest, AgreesWithTypeMapsThatAreWrittenOut) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        std::mt19937 engine{seed};
        TypeTable table;
        table.named("MPI_INT", 4);
        table.named("MPI_FLOAT", 4);
        std::vector<DatatypeId> types{DatatypeId{0}};
        for (int i = 0; i < 12; ++i)
            types.push_back(table.random(engine));
        const TypeSignatures signatures{table.execution()};
        for (const DatatypeId sent : types)
            for (const DatatypeId room : types) {
                const std::int64_t send_count = 1 + static_cast<std::int64_t>(engine() % 3);
                const std::int64_t room_count = 1 + static_cast<std::int64_t>(engine() % 3);
                const auto left = table.map_of(sent, send_count);
                const auto right = table.map_of(room, room_count);
                const auto same = std::mismatch(
                    left.begin(),
                    left.end(),
                    right.begin(),
                    right.end(),
                    [](const MapEntry& a, const MapEntry& b) { return a.name == b.name; });
                const Fit expected = same.first != left.end() && same.second != right.end()
                                         ? Fit::Different
                                     : left.size() == right.size() ? Fit::Equal
                                     : left.size() < right.size()  ? Fit::Shorter
                                                                   : Fit::Longer;
                ASSERT_EQ(signatures.fit(sent, send_count, room, room_count), expected)
                    << "seed " << seed << ", " << signatures.describe(sent, send_count) << ", "
                    << signatures.describe(room, room_count);
                if (expected != Fit::Different) continue;
                const auto at = same.first - left.begin();
                const std::string names =
                    same.first->name + " sent, " + same.second->name + " received";
                EXPECT_EQ(signatures.difference(sent, send_count, room, room_count),
                          at == 0 ? names : "element " + std::to_string(at) + ": " + names)
                    << "seed " << seed;
            }
    }
}

}  // namespace
}  // namespace mqinspect::analysis
