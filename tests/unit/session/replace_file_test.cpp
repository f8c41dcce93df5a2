#include "inspector/session/replace_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/unique_fd.h"

namespace mqinspect::session {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ReplaceFile : public ::testing::Test {
protected:
    ReplaceFile() {
        folder_ = (fs::temp_directory_path() / "replace-XXXXXX").string();
        EXPECT_NE(mkdtemp(folder_.data()), nullptr);
    }
    ~ReplaceFile() override { fs::remove_all(folder_); }

    std::string path(const std::string& name) const { return folder_ + "/" + name; }
    static std::string content(const std::string& file) {
        std::ifstream stream(file);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

private:
    std::string folder_;
};

TEST_F(ReplaceFile, WritesANewFileAndReplacesAnOldOne) {
    for (const char* text : {"first, and longer", "second"}) {
        ASSERT_TRUE(replace_file(path("a"), text));
        EXPECT_EQ(content(path("a")), text);
        EXPECT_FALSE(fs::exists(path("a.new")));
    }
}

TEST_F(ReplaceFile, ALinkStaysALink) {
    ASSERT_TRUE(replace_file(path("a"), "first"));
    fs::create_symlink(path("a"), path("link"));

    ASSERT_TRUE(replace_file(path("link"), "second"));

    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(content(path("a")), "second");
}

TEST_F(ReplaceFile, APipeStaysAPipe) {
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    const UniqueFd reader(open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK));

    ASSERT_TRUE(replace_file(path("pipe"), "text"));

    EXPECT_TRUE(fs::is_fifo(path("pipe")));
    std::array<char, 8> text{};
    EXPECT_EQ(read(reader.get(), text.data(), text.size()), 4);
}

// Through a link: a test that fails must not harm the machine.
TEST_F(ReplaceFile, ADeviceStaysADevice) {
    fs::create_symlink("/dev/null", path("null"));

    ASSERT_TRUE(replace_file(path("null"), "text"));

    EXPECT_TRUE(fs::is_symlink(path("null")));
    EXPECT_TRUE(fs::is_character_file(path("null")));
    EXPECT_FALSE(fs::exists(path("null.new")));
}

TEST_F(ReplaceFile, SaysWhatCannotBeWritten) {
    const auto folder = replace_file(path(""), "text");
    const auto nowhere = replace_file(path("none/file"), "text");

    ASSERT_FALSE(folder || nowhere);
    EXPECT_THAT(folder.error().message, HasSubstr("Is a directory"));
    EXPECT_THAT(nowhere.error().message, HasSubstr("No such file"));
}

}  // namespace
}  // namespace mqinspect::session
