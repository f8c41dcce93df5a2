#include "inspector/mqs_host/dll_search.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/target/live_memory.h"
#include "inspector/target/process_view.h"
#include "tests/unit/mqs_host/fixture_target.h"

// As an MPI library that is not MPICH has it; here this program plays that part.
char MPIR_dll_name[4096] = "";
char** mpimsgq_dll_locations = nullptr;

namespace mqinspect::mqs_host {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class DllSearch : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "mqi-dll-XXXXXX").string();
        ASSERT_NE(nullptr, mkdtemp(pattern.data()));
        folder_ = pattern;
        auto view = target::ProcessView::create(getpid(), store_);
        ASSERT_TRUE(view) << view.error().message;
        view_ = std::make_unique<target::ProcessView>(std::move(*view));
        auto memory = target::LiveMemory::open(getpid());
        ASSERT_TRUE(memory) << memory.error().message;
        memory_ = std::move(*memory);
        name_in_target("");
    }

    void TearDown() override {
        name_in_target("");
        mpimsgq_dll_locations = nullptr;
        unsetenv("MQI_DLL");
        fs::remove_all(folder_);
    }

    static void name_in_target(const std::string& name) {
        name.copy(MPIR_dll_name, sizeof MPIR_dll_name - 1);
        MPIR_dll_name[name.size()] = '\0';
    }

    std::string file(const std::string& name) {
        const fs::path path = folder_ / name;
        std::ofstream(path) << "text";
        fs::permissions(path, fs::perms::owner_all);
        return path.string();
    }

    Result<DllChoice> choose(const std::string& wanted = "") {
        return choose_dll(*view_, *memory_, wanted);
    }

    fs::path folder_;
    target::ImageStore store_{""};
    std::unique_ptr<target::ProcessView> view_;
    std::unique_ptr<target::LiveMemory> memory_;
};

TEST_F(DllSearch, TakesTheUserAtTheirWord) {
    const auto choice = choose("/any/where.so");

    ASSERT_TRUE(choice);
    EXPECT_EQ("/any/where.so", choice->path);
}

TEST_F(DllSearch, TakesTheFileThatTheProcessNames) {
    name_in_target(file("dll.so"));

    const auto choice = choose();

    ASSERT_TRUE(choice) << choice.error().message;
    EXPECT_EQ(folder_ / "dll.so", choice->path);
    EXPECT_TRUE(choice->notes.empty());
}

TEST_F(DllSearch, AsksTheListOfLocationsFirst) {
    std::string absent = (folder_ / "absent.so").string();
    std::string listed = file("listed.so");
    char* locations[] = {absent.data(), listed.data(), nullptr};
    mpimsgq_dll_locations = locations;
    name_in_target(file("dll.so"));

    const auto choice = choose();

    ASSERT_TRUE(choice) << choice.error().message;
    EXPECT_EQ(listed, choice->path);
    EXPECT_THAT(choice->notes, ElementsAre(HasSubstr("does not exist")));
}

TEST_F(DllSearch, LoadsNoFileThatOthersCanWrite) {
    const std::string path = file("dll.so");
    name_in_target(path);
    fs::permissions(path, fs::perms::others_write, fs::perm_options::add);

    const auto choice = choose();

    ASSERT_FALSE(choice);
    EXPECT_THAT(choice.error().message, HasSubstr("can be written by others"));
    EXPECT_THAT(choice.error().message, HasSubstr("--dll"));
}

TEST_F(DllSearch, LoadsNoFileFromAFolderThatOthersCanWrite) {
    name_in_target(file("dll.so"));
    fs::permissions(folder_, fs::perms::others_write, fs::perm_options::add);

    EXPECT_FALSE(choose());
}

TEST_F(DllSearch, LoadsNoFileBelowAFolderThatOthersCanWrite) {
    fs::create_directories(folder_ / "lib/openmpi");
    name_in_target(file("lib/openmpi/dll.so"));
    EXPECT_TRUE(choose());
    fs::permissions(folder_, fs::perms::others_write, fs::perm_options::add);

    const auto choice = choose();

    ASSERT_FALSE(choice);
    EXPECT_THAT(choice.error().message, HasSubstr(folder_.string() + " can be written by others"));
}

TEST_F(DllSearch, TrustsAFolderWhereOthersReplaceOnlyWhatIsTheirs) {
    name_in_target(file("dll.so"));
    fs::permissions(folder_, fs::perms::all | fs::perms::sticky_bit);

    EXPECT_TRUE(choose());
}

TEST_F(DllSearch, FollowsLinksBeforeItTrusts) {
    fs::create_directory(folder_ / "open");
    const std::string real = file("open/dll.so");
    fs::permissions(folder_ / "open", fs::perms::all);
    fs::create_symlink(real, folder_ / "dll.so");
    name_in_target((folder_ / "dll.so").string());

    EXPECT_FALSE(choose());
}

TEST_F(DllSearch, LoadsNoFileOfAnotherUser) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
    const std::string path = file("dll.so");
    name_in_target(path);
    ASSERT_EQ(0, chown(path.c_str(), 65534, 65534));

    const auto choice = choose();

    ASSERT_FALSE(choice);
    EXPECT_THAT(choice.error().message, HasSubstr("belongs to user 65534"));
}

TEST_F(DllSearch, RefusesRelativeNamesAndFolders) {
    for (const auto& name : {std::string("libdll.so"), folder_.string()}) {
        name_in_target(name);
        EXPECT_FALSE(choose()) << name;
    }
}

TEST_F(DllSearch, SaysThatThereIsNone) {
    const auto choice = choose();

    ASSERT_FALSE(choice);
    EXPECT_EQ(ErrorCode::MissingDebugInfo, choice.error().code);
}

TEST_F(DllSearch, FindsTheBundledDllByItsVariable) {
    const std::string path = file("bundled.so");
    setenv("MQI_DLL", path.c_str(), 1);
    const auto found = bundled_dll();
    setenv("MQI_DLL", "/absent.so", 1);
    const auto missing = bundled_dll();

    ASSERT_TRUE(found);
    EXPECT_EQ(path, *found);
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("/absent.so"));
}

}  // namespace
}  // namespace mqinspect::mqs_host
