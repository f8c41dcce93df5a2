#include "inspector/target/image.h"

#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/target/child.h"

namespace mqinspect::target {
namespace {

std::unique_ptr<Image> open_image(const std::string& path) {
    auto image = Image::open(path, path);
    EXPECT_TRUE(image) << image.error().message;
    return image ? std::move(*image) : nullptr;
}

std::uint64_t size_of_field(const TypeLayout& type, std::string_view name) {
    for (const auto& field : type.fields) {
        if (field.name == name) return field.size;
    }
    ADD_FAILURE() << "no field " << name;
    return 0;
}

// The same questions to DWARF 5, to compressed DWARF 4, and to a stripped file
// with its debug information elsewhere.
class ImageTypes : public ::testing::TestWithParam<const char*> {
protected:
    std::unique_ptr<Image> image_ = open_image(GetParam());
};

TEST_P(ImageTypes, FlattensAnonymousMembers) {
    const TypeLayout* outer = image_->find_type("Outer");

    ASSERT_NE(outer, nullptr);
    EXPECT_EQ(outer->name, "Outer");
    EXPECT_EQ(outer->size, 112U);
    EXPECT_EQ(outer->offset_of("tag"), 0);
    EXPECT_EQ(outer->offset_of("as_int"), 4);
    EXPECT_EQ(outer->offset_of("low"), 4);
    EXPECT_EQ(outer->offset_of("high"), 6);
    EXPECT_EQ(outer->offset_of("deep"), 8);
    EXPECT_EQ(outer->offset_of("ratio"), 16);
    EXPECT_EQ(outer->offset_of("pointer"), 16);
    EXPECT_EQ(outer->offset_of("inner"), 32);
    EXPECT_EQ(size_of_field(*outer, "inner"), 16U);
    EXPECT_EQ(size_of_field(*outer, "array"), 64U);
    EXPECT_EQ(size_of_field(*outer, "flexible"), 0U);
}

TEST_P(ImageTypes, LeavesBitFieldsOut) {
    const TypeLayout* outer = image_->find_type("Outer");

    ASSERT_NE(outer, nullptr);
    EXPECT_EQ(outer->offset_of("narrow"), -1);
    EXPECT_EQ(outer->offset_of("wide"), -1);
    EXPECT_EQ(outer->offset_of("no such field"), -1);
}

TEST_P(ImageTypes, FollowsTypedefsToTheTypeBehind) {
    for (const char* name : {"Anonymous", "AnonymousAgain", "Qualified"}) {
        const TypeLayout* type = image_->find_type(name);
        ASSERT_NE(type, nullptr) << name;
        EXPECT_EQ(type->size, 16U);
        EXPECT_EQ(type->offset_of("second"), 8);
    }
    EXPECT_EQ(image_->find_type("HandleAlias")->size, 2U);
    EXPECT_EQ(image_->find_type("HiddenPointer")->size, 8U);
}

TEST_P(ImageTypes, FindsUnionsEnumerationsAndBaseTypes) {
    EXPECT_EQ(image_->find_type("Number")->size, 8U);
    EXPECT_EQ(image_->find_type("Number")->offset_of("real"), 0);
    EXPECT_EQ(image_->find_type("Color")->size, 4U);
    EXPECT_EQ(image_->find_type("int")->size, 4U);
}

TEST_P(ImageTypes, TakesDefinitionsNeverDeclarations) {
    EXPECT_EQ(image_->find_type("Declared"), nullptr);
    EXPECT_EQ(image_->find_type("Hidden"), nullptr);
    // Declared in one unit, defined in another.
    ASSERT_NE(image_->find_type("Elsewhere"), nullptr);
    ASSERT_NE(image_->find_type("ElsewhereAlias"), nullptr);
    EXPECT_EQ(image_->find_type("ElsewhereAlias")->offset_of("there"), 8);
}

TEST_P(ImageTypes, KnowsWhatIsNotThere) {
    for (const char* name : {"NoSuchType", "", "Inne", "as_int", "Out", "uter"})
        EXPECT_EQ(image_->find_type(name), nullptr) << name;
    // The answer is the same object each time.
    EXPECT_EQ(image_->find_type("Inner"), image_->find_type("Inner"));
}

TEST_P(ImageTypes, FindsSymbolsOfEveryKind) {
    for (const char* name :
         {"outer_object", "hidden_symbol", "local_symbol", "local_function", "PMPI_Twice"}) {
        const auto symbol = image_->find_symbol(name);
        ASSERT_TRUE(symbol) << name;
        EXPECT_GT(symbol->size, 0U) << name;
    }
    EXPECT_FALSE(image_->find_symbol("no_such_symbol"));
    EXPECT_FALSE(image_->find_symbol(""));
    EXPECT_TRUE(image_->has_symbol_table());
    EXPECT_TRUE(image_->has_debug_info());
    EXPECT_EQ(image_->build_id().size(), 40U);
    // Only exported symbols are dynamic.
    EXPECT_TRUE(image_->find_dynamic_symbol("outer_object"));
    EXPECT_FALSE(image_->find_dynamic_symbol("hidden_symbol"));
}

TEST_P(ImageTypes, PrefersTheNameThatUsersKnow) {
    const auto function = image_->find_symbol("PMPI_Twice");
    ASSERT_TRUE(function);

    EXPECT_EQ(image_->function_at(function->address)->name, "MPI_Twice");
    EXPECT_EQ(image_->function_at(function->address + function->size - 1)->name, "MPI_Twice");
    EXPECT_FALSE(image_->function_at(0));
    EXPECT_FALSE(image_->function_at(UINT64_MAX));
}

TEST_P(ImageTypes, FindsLines) {
    const auto function = image_->find_symbol("local_function");
    ASSERT_TRUE(function);

    const auto location = image_->location_at(function->address);
    ASSERT_TRUE(location);
    // Ninja names it relative to the build directory.
    EXPECT_THAT(location->file, ::testing::StartsWith("/"));
    EXPECT_THAT(location->file, ::testing::EndsWith("/fixtures/types.c"));
    EXPECT_THAT(location->file, ::testing::Not(::testing::HasSubstr("..")));
    EXPECT_THAT(location->line, ::testing::AnyOf(65, 66));
    EXPECT_FALSE(image_->location_at(0));
    EXPECT_FALSE(image_->location_at(UINT64_MAX));
}

std::string file_kind(const ::testing::TestParamInfo<const char*>& file) {
    return std::array{"Dwarf5", "CompressedDwarf4", "Stripped"}.at(file.index);
}

INSTANTIATE_TEST_SUITE_P(Files,
                         ImageTypes,
                         ::testing::Values(FIXTURE_TYPES, FIXTURE_TYPES_4, FIXTURE_STRIPPED),
                         file_kind);

TEST(Image, IgnoresADebugFileThatIsNotItsOwn) {
    const std::filesystem::path directory = mqinspect::testing::temporary_path("mqi_foreign");
    std::filesystem::remove_all(directory);
    std::filesystem::create_directories(directory);
    std::filesystem::copy(FIXTURE_STRIPPED, directory / "types.so");
    // Of the right name, with debug information and another build-id.
    std::filesystem::copy(FIXTURE_TYPES_4, directory / "types.debug");

    const auto image = open_image(directory / "types.so");

    EXPECT_FALSE(image->has_debug_info());
    EXPECT_FALSE(image->has_symbol_table());
    EXPECT_EQ(image->find_type("Outer"), nullptr);
    EXPECT_TRUE(image->find_symbol("outer_object"));
    EXPECT_FALSE(image->find_symbol("hidden_symbol"));
    std::filesystem::remove_all(directory);
}

TEST(Image, RefusesWhatIsNoProgram) {
    EXPECT_EQ(Image::open("/etc/passwd", "").error().code, ErrorCode::CorruptData);
    EXPECT_EQ(Image::open("/dev/zero", "").error().code, ErrorCode::CorruptData);
    EXPECT_EQ(Image::open("/", "").error().code, ErrorCode::CorruptData);
    EXPECT_EQ(Image::open("/no/such/file", "").error().code, ErrorCode::System);
}

TEST(Image, ReadsTheVdso) {
    const auto image = Image::vdso();
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_EQ((*image)->path(), "[vdso]");
    EXPECT_TRUE((*image)->find_symbol("__vdso_clock_gettime"));
}

}  // namespace
}  // namespace mqinspect::target
