#include "inspector/target/process_view.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/target/live_memory.h"
#include "tests/unit/target/child.h"

namespace mqinspect::target {
namespace {

using mqinspect::testing::Child;
using mqinspect::testing::wait_for_state;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class ProcessViewOf : public ::testing::TestWithParam<const char*> {};

TEST_P(ProcessViewOf, FindsWhereObjectsAreLoaded) {
    Child child(GetParam(), {"echo"});
    ImageStore store("");
    const auto view = ProcessView::create(child.pid(), store);
    const auto memory = LiveMemory::open(child.pid());
    ASSERT_TRUE(view) << view.error().message;

    const auto text = view->find_symbol("known_text");
    ASSERT_TRUE(text);
    EXPECT_EQ(*read_string(**memory, *text, 100), "known to the test");
    const TypeLayout* point = view->find_type("Point");
    ASSERT_NE(point, nullptr);
    const auto object = view->find_symbol("known_point");
    ASSERT_TRUE(object);
    const auto y = static_cast<std::uint64_t>(point->offset_of("y"));
    EXPECT_EQ(*read_value<int>(**memory, *object + y), 4);
    EXPECT_FALSE(view->find_symbol("no_such_symbol"));
    EXPECT_EQ(view->find_type("NoSuchType"), nullptr);
    EXPECT_EQ(view->mpi_module(), nullptr);
}

TEST_P(ProcessViewOf, ListsTheExecutableFirstAndDescribesItsCode) {
    Child child(GetParam(), {"echo"});
    ImageStore store("");
    const auto view = ProcessView::create(child.pid(), store);
    ASSERT_TRUE(view);

    EXPECT_EQ(view->modules().front().image->path(), GetParam());
    const auto main = view->find_symbol("main");
    ASSERT_TRUE(main);
    const model::Frame frame = view->describe(*main, false);
    EXPECT_EQ(frame.function, "main");
    EXPECT_EQ(frame.image, GetParam());
    EXPECT_THAT(frame.location.file, EndsWith("waiter.c"));
    EXPECT_GT(frame.location.line, 100);
    EXPECT_EQ(view->module_at(*main), &view->modules().front());
    ASSERT_NE(view->mapping_at(*main), nullptr);
    EXPECT_TRUE(view->mapping_at(*main)->executable);
    // The address behind a function's last instruction is a return address in it.
    EXPECT_NE(view->describe(*main, true).function, "main");
    EXPECT_EQ(view->describe(Address::Null, false).function, "");
    EXPECT_EQ(view->module_at(Address{UINT64_MAX}), nullptr);
}

std::string program_kind(const ::testing::TestParamInfo<const char*>& program) {
    return std::array{"O0", "O2", "NotRelocatable"}.at(program.index);
}

INSTANTIATE_TEST_SUITE_P(Programs,
                         ProcessViewOf,
                         ::testing::Values(FIXTURE_WAITER_O0,
                                           FIXTURE_WAITER_O2,
                                           FIXTURE_WAITER_FIXED),
                         program_kind);

TEST(ProcessView, AsksTheMpiLibraryFirst) {
    Child child(FIXTURE_MPI_PROGRAM, {});
    ImageStore store("");
    const auto view = ProcessView::create(child.pid(), store);
    const auto memory = LiveMemory::open(child.pid());
    ASSERT_TRUE(view);

    ASSERT_NE(view->mpi_module(), nullptr);
    EXPECT_THAT(view->mpi_module()->image->path(), HasSubstr("mpi_like"));
    EXPECT_EQ(view->mpi_module()->mpi_evidence, 3);
    EXPECT_EQ(view->find_type("Twin")->size, 64U);
    // The program's copy is the one in use.
    const auto shared = view->find_symbol("shared_value");
    ASSERT_TRUE(shared);
    EXPECT_EQ(*read_value<int>(**memory, *shared), 88);
    const auto own = view->find_symbol("program_twin");
    ASSERT_TRUE(own);
    EXPECT_EQ(view->module_at(*own), &view->modules().front());
}

TEST(ProcessView, SharesImagesBetweenProcesses) {
    Child one(FIXTURE_WAITER_O0, {"echo"});
    Child two(FIXTURE_WAITER_O0, {"echo"});
    ImageStore store("");
    const auto first = ProcessView::create(one.pid(), store);
    const auto second = ProcessView::create(two.pid(), store);
    ASSERT_TRUE(first && second);

    ASSERT_EQ(first->modules().size(), second->modules().size());
    for (std::size_t i = 0; i < first->modules().size(); ++i)
        EXPECT_EQ(first->modules()[i].image, second->modules()[i].image);
}

TEST(ProcessView, ReadsAProgramThatWasDeleted) {
    const auto path = mqinspect::testing::temporary_path("mqi_deleted");
    std::filesystem::copy_file(
        FIXTURE_WAITER_O0, path, std::filesystem::copy_options::overwrite_existing);
    Child child(path, {"echo"});
    std::filesystem::remove(path);
    std::filesystem::copy_file(FIXTURE_WAITER_O2, path);  // something else of that name
    ImageStore store("");

    const auto view = ProcessView::create(child.pid(), store);

    std::filesystem::remove(path);
    ASSERT_TRUE(view);
    if (geteuid() != 0) GTEST_SKIP() << "needs root to open /proc/PID/map_files";
    EXPECT_EQ(view->modules().front().image->path(), path);
    EXPECT_TRUE(view->find_symbol("known_text"));
    EXPECT_NE(view->find_type("Point"), nullptr);
}

TEST(ProcessView, SaysWhyAProcessCannotBeSeen) {
    ImageStore store("");
    const pid_t zombie = fork();
    if (zombie == 0) _exit(0);
    ASSERT_TRUE(wait_for_state(zombie, 'Z'));
    EXPECT_EQ(ProcessView::create(zombie, store).error().code, ErrorCode::TargetExited);
    EXPECT_THAT(ProcessView::create(zombie, store).error().message, HasSubstr("zombie"));
    waitpid(zombie, nullptr, 0);
    EXPECT_EQ(ProcessView::create(zombie, store).error().code, ErrorCode::TargetExited);
    EXPECT_FALSE(ProcessView::create(0, store));
    EXPECT_FALSE(ProcessView::create(-1, store));
}

TEST(ProcessView, NamesAKernelThread) {
    if (!mqinspect::testing::sees_kernel_threads() || geteuid() != 0)
        GTEST_SKIP() << "no kernel thread to try";
    ImageStore store("");
    const auto view = ProcessView::create(2, store);
    ASSERT_FALSE(view);
    EXPECT_THAT(view.error().message, HasSubstr("kernel thread"));
}

TEST(ProcessView, NamesTheOwnerOfSomebodyElsesProcess) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root to become another user";
    Child child(FIXTURE_WAITER_O0, {"echo"});
    const pid_t other = fork();
    if (other == 0) {
        if (setgid(65534) != 0 || setuid(65534) != 0) _exit(3);
        ImageStore store("");
        const auto view = ProcessView::create(child.pid(), store);
        const auto memory = LiveMemory::open(child.pid());
        const bool right = !view && view.error().code == ErrorCode::PermissionDenied && !memory &&
                           memory.error().code == ErrorCode::PermissionDenied &&
                           view.error().message.find("belongs to root") != std::string::npos;
        _exit(right ? 0 : 4);
    }
    int status = 0;
    waitpid(other, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace mqinspect::target
