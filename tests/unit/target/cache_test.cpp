#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "inspector/target/image_cache.h"
#include "tests/unit/target/child.h"

namespace mqinspect::target {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBuildId = "0123456789abcdef";

ImageFacts some_facts() {
    ImageFacts facts;
    TypeLayout layout{.name = "Outer", .size = 24, .fields = {}};
    layout.fields.push_back({"first", 0, 8});
    layout.fields.push_back({"second", -8, 16});
    facts.types["Outer"] = std::make_unique<TypeLayout>(layout);
    facts.types["Empty"] = std::make_unique<TypeLayout>(TypeLayout{"Empty", 0, {}});
    facts.types["Absent"] = nullptr;
    facts.lines[0x1234] = model::SourceLocation{"/home/user/my code.c", 42};
    facts.lines[0x5678] = std::nullopt;
    return facts;
}

std::string read_file(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST(ImageFacts, SurviveWritingAndParsing) {
    const auto parsed = parse_facts(write_facts(some_facts(), kBuildId), kBuildId);

    ASSERT_TRUE(parsed);
    ASSERT_EQ(parsed->types.size(), 3U);
    EXPECT_EQ(parsed->types.at("Absent"), nullptr);
    const TypeLayout& outer = *parsed->types.at("Outer");
    EXPECT_EQ(outer.size, 24U);
    EXPECT_EQ(outer.offset_of("second"), -8);
    EXPECT_EQ(outer.fields.at(1).size, 16U);
    ASSERT_EQ(parsed->lines.size(), 2U);
    EXPECT_EQ(parsed->lines.at(0x1234), (model::SourceLocation{"/home/user/my code.c", 42}));
    EXPECT_FALSE(parsed->lines.at(0x5678));
}

TEST(ImageFacts, LeaveOutNamesThatALineCannotHold) {
    ImageFacts facts = some_facts();
    facts.types["two words"] = nullptr;
    facts.types["line\nfeed"] = nullptr;
    facts.types[""] = nullptr;
    facts.lines[1] = model::SourceLocation{"evil\nline 2 3 x", 1};

    const auto parsed = parse_facts(write_facts(facts, kBuildId), kBuildId);

    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->types.size(), 3U);
    EXPECT_EQ(parsed->lines.size(), 2U);
}

TEST(ImageFacts, OfAnotherBuildOrVersionAreRefused) {
    std::string text = write_facts(some_facts(), kBuildId);

    EXPECT_FALSE(parse_facts(text, "another"));
    EXPECT_FALSE(parse_facts("", kBuildId));
    text.replace(text.find(" 2 "), 3, " 1 ");
    EXPECT_FALSE(parse_facts(text, kBuildId));
}

TEST(ImageFacts, ThatAreTornAreRefused) {
    const std::string text = write_facts(some_facts(), kBuildId);
    for (std::size_t length = 0; length < text.size(); ++length)
        EXPECT_FALSE(parse_facts(text.substr(0, length), kBuildId)) << length;
}

TEST(ImageFacts, ThatAreDamagedAreRefused) {
    const std::string text = write_facts(some_facts(), kBuildId);
    std::mt19937 random(4711);
    for (int round = 0; round < 5000; ++round) {
        std::string damaged = text;
        const std::size_t count = 1 + random() % 4;
        for (std::size_t i = 0; i < count; ++i)
            damaged[random() % damaged.size()] = static_cast<char>(random());
        if (damaged == text) continue;
        EXPECT_FALSE(parse_facts(damaged, kBuildId)) << "round " << round;
    }
}

class ImageCacheFile : public ::testing::Test {
protected:
    ImageCacheFile() {
        fs::remove_all(root_);
        fs::create_directories(root_);
    }
    void TearDown() override { fs::remove_all(root_); }

    void fill() const {
        ImageCache cache(directory_, kBuildId);
        cache.add_type("Absent", nullptr);
        cache.save();
    }
    bool remembers() const {
        return ImageCache(directory_, kBuildId).facts().types.contains("Absent");
    }

    fs::path root_ = mqinspect::testing::temporary_path("mqi_image_cache");
    fs::path directory_ = root_ / "deep" / "images";
    fs::path file_ = directory_ / kBuildId;
};

TEST_F(ImageCacheFile, IsPrivateAndRemembered) {
    fill();

    EXPECT_TRUE(remembers());
    struct stat status {};
    ASSERT_EQ(stat(directory_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700U);
    ASSERT_EQ(stat(file_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0077, 0U);
    // Nothing but the file itself is left.
    EXPECT_EQ(std::distance(fs::directory_iterator(directory_), {}), 1);
}

TEST_F(ImageCacheFile, IsIgnoredAndReplacedWhenDamaged) {
    fill();
    std::ofstream(file_, std::ios::app) << "more";
    EXPECT_FALSE(remembers());
    fill();
    EXPECT_TRUE(remembers());
    EXPECT_EQ(read_file(file_).find("more"), std::string::npos);
}

TEST_F(ImageCacheFile, IsIgnoredWhenOthersCanWriteIt) {
    fill();
    chmod(file_.c_str(), 0666);
    EXPECT_FALSE(remembers());
    chmod(file_.c_str(), 0600);
    EXPECT_TRUE(remembers());
    chmod(directory_.c_str(), 0777);
    EXPECT_FALSE(remembers());
}

TEST_F(ImageCacheFile, IsIgnoredWhenItIsSomebodyElses) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root to give a file away";
    fill();
    ASSERT_EQ(chown(file_.c_str(), 65534, 65534), 0);
    EXPECT_FALSE(remembers());
}

TEST_F(ImageCacheFile, IsIgnoredWhenItIsALink) {
    fill();
    fs::rename(file_, root_ / "real");
    fs::create_symlink(root_ / "real", file_);
    EXPECT_FALSE(remembers());
}

TEST_F(ImageCacheFile, DoesNothingWithoutADirectoryOrBuildId) {
    ImageCache nowhere("", kBuildId);
    nowhere.add_type("Absent", nullptr);
    nowhere.save();
    ImageCache nameless(directory_, "");
    nameless.add_type("Absent", nullptr);
    nameless.save();
    EXPECT_FALSE(fs::exists(directory_));
    // Where nothing can be created, nothing happens either.
    ImageCache impossible("/proc/nothing/here", kBuildId);
    impossible.add_type("Absent", nullptr);
    impossible.save();
}

}  // namespace
}  // namespace mqinspect::target
