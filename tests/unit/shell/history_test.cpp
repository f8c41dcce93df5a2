#include "inspector/shell/history.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace mqinspect::shell {
namespace {

/// Sets variables, an empty optional removes, and puts them back.
class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        value != nullptr ? setenv(name, value, 1) : unsetenv(name);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

private:
    const char* name_;
    std::optional<std::string> before_;
};

TEST(History, IsWhereTheUserWantsIt) {
    const Variable home("HOME", "/home/x");
    {
        const Variable chosen("MQI_HISTORY", "/tmp/lines");
        EXPECT_EQ(history_file(), "/tmp/lines");
    }
    {
        const Variable chosen("MQI_HISTORY", "");
        EXPECT_EQ(history_file(), std::nullopt);
    }
    const Variable unset("MQI_HISTORY", nullptr);
    {
        const Variable state("XDG_STATE_HOME", "/state");
        EXPECT_EQ(history_file(), "/state/mqinspect/history");
    }
    {
        const Variable state("XDG_STATE_HOME", "relative");
        EXPECT_EQ(history_file(), "/home/x/.local/state/mqinspect/history");
    }
}

TEST(History, IsForNobodyElseToRead) {
    std::string folder = (std::filesystem::temp_directory_path() / "history-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    const std::string file = folder + "/mqinspect/history";

    EXPECT_TRUE(make_private(file));
    EXPECT_TRUE(make_private(file)) << "again";

    struct stat status {};
    ASSERT_EQ(stat(file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    EXPECT_FALSE(make_private(file + "/below/a/file"));
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace mqinspect::shell
