// Values of parameters, as texts.
#include "report/recorded_values.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace mqinspect::report {
namespace {

using model::ParameterKind;

TEST(RecordedValues, NumbersHaveTheNamesThatTheyHaveInTheLibrary) {
    model::Execution execution;
    execution.constants = {{"MPI_LOCK_EXCLUSIVE", 234},
                           {"MPI_LOCK_SHARED", 235},
                           {"MPI_MODE_NOCHECK", 1024},
                           {"MPI_MODE_NOPUT", 4096},
                           {"MPI_THREAD_SINGLE", 0}};
    const auto text = [&](const char* name, std::int64_t value) {
        return value_text(execution, {name, ParameterKind::Integer}, {value});
    };
    EXPECT_EQ("MPI_LOCK_SHARED", text("lock_type", 235));
    EXPECT_EQ("7", text("lock_type", 7));
    EXPECT_EQ("0", text("assert", 0));
    EXPECT_EQ("MPI_MODE_NOCHECK | MPI_MODE_NOPUT", text("assert", 5120));
    EXPECT_EQ("MPI_MODE_NOCHECK | 3", text("assert", 1027));
    EXPECT_EQ("MPI_THREAD_SINGLE", text("required", 0));
    EXPECT_EQ("235", text("count", 235));
    EXPECT_EQ("MPI_GROUP_NULL",
              value_text(execution, {"group", ParameterKind::Group}, {model::kNullGroup}));
}

TEST(RecordedValues, DisplacementsAreNumbersUnlessTheyAreAddresses) {
    const model::Execution none;
    const auto text = [&](const char* name, ParameterKind kind, std::vector<std::int64_t> values) {
        return value_text(none, {name, kind}, values);
    };
    EXPECT_EQ("[0, 40, -8]",
              text("array_of_displacements", ParameterKind::AddressList, {0, 40, -8}));
    EXPECT_EQ("0", text("target_disp", ParameterKind::Address, {0}));
    EXPECT_EQ("0x7f0012345678", text("target_disp", ParameterKind::Address, {0x7f00'1234'5678}));
    EXPECT_EQ("NULL", text("extra_state", ParameterKind::Address, {0}));
}

}  // namespace
}  // namespace mqinspect::report
