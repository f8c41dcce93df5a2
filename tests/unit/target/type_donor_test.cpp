#include "inspector/target/type_donor.h"

#include <unistd.h>

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "include/type_donor.h"
#include "tests/unit/target/inspected.h"

namespace mqinspect::target {
namespace {

using mqinspect::testing::Inspected;
using ::testing::HasSubstr;

TEST(TypeDonor, LendsWhatTheProcessLacks) {
    Inspected inspected(FIXTURE_WAITER_O0, {"echo", "0"});
    ASSERT_EQ(inspected.view->find_type("Lent"), nullptr);

    const auto donor = open_donor(FIXTURE_DONOR, inspected.store);
    ASSERT_TRUE(donor) << donor.error().message;
    const auto fits = check_donor(*donor, *inspected.view, *inspected.memory);
    ASSERT_TRUE(fits) << fits.error().message;
    inspected.view->borrow_types(donor->image);

    const TypeLayout* type = inspected.view->find_type("Lent");
    ASSERT_NE(type, nullptr);
    EXPECT_EQ(type->offset_of("field"), 4);
}

TEST(TypeDonor, ThatDoesNotFitIsRefused) {
    Inspected inspected(FIXTURE_WAITER_O0, {"echo", "0"});

    const auto donor = open_donor(FIXTURE_DONOR_WRONG, inspected.store);
    ASSERT_TRUE(donor) << donor.error().message;
    const auto fits = check_donor(*donor, *inspected.view, *inspected.memory);

    ASSERT_FALSE(fits);
    EXPECT_EQ(fits.error().code, ErrorCode::InvalidArgument);
    EXPECT_THAT(fits.error().message,
                HasSubstr("known_text is \"known to the test\", not \"known to nobody\""));
}

TEST(TypeDonor, ForALibraryThatIsNotThereIsRefused) {
    Inspected inspected(FIXTURE_WAITER_O0, {"echo", "0"});

    const auto donor = open_donor(FIXTURE_DONOR_STRANGE, inspected.store);
    ASSERT_TRUE(donor) << donor.error().message;
    const auto fits = check_donor(*donor, *inspected.view, *inspected.memory);

    ASSERT_FALSE(fits);
    EXPECT_THAT(fits.error().message, HasSubstr("no symbol known_nothing"));
}

TEST(TypeDonor, WithoutChecksOrTypesIsNone) {
    ImageStore store("");

    const auto silent = open_donor(FIXTURE_DONOR_SILENT, store);
    ASSERT_FALSE(silent);
    EXPECT_THAT(silent.error().message, HasSubstr("does not say which library it fits"));

    const auto no_elf = open_donor("/dev/null", store);
    ASSERT_FALSE(no_elf);
    EXPECT_EQ(no_elf.error().code, ErrorCode::InvalidArgument);
    EXPECT_FALSE(open_donor("/nonexistent/types.so", store));
}

TEST(DonorChecks, OfADamagedSectionAreRefused) {
    EXPECT_FALSE(parse_donor_checks("too short"));
    EXPECT_FALSE(parse_donor_checks(std::string(sizeof(mqi_donor_check) * 2000, '\0')));

    mqi_donor_check check{};
    check.kind = mqi_donor_text;
    std::fill(std::begin(check.symbol), std::end(check.symbol), 'x');  // no end
    const auto parsed = parse_donor_checks({reinterpret_cast<const char*>(&check), sizeof check});
    ASSERT_TRUE(parsed);
    ASSERT_EQ(parsed->size(), 1U);
    EXPECT_EQ(parsed->front().symbol.size(), sizeof check.symbol);
}

}  // namespace
}  // namespace mqinspect::target
