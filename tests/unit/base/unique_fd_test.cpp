#include "base/unique_fd.h"

#include <fcntl.h>

#include <utility>

#include <gtest/gtest.h>

namespace mqinspect {
namespace {

bool is_open(int fd) {
    return ::fcntl(fd, F_GETFD) != -1;
}

int any_fd() {
    return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

TEST(UniqueFd, ClosesWhatItOwns) {
    const int fd = any_fd();
    {
        const UniqueFd owner(fd);
        EXPECT_TRUE(owner);
        EXPECT_EQ(owner.get(), fd);
        EXPECT_TRUE(is_open(fd));
    }
    EXPECT_FALSE(is_open(fd));
    EXPECT_FALSE(UniqueFd());
}

TEST(UniqueFd, MovesOwnership) {
    UniqueFd first(any_fd());
    const int fd = first.get();

    UniqueFd second(std::move(first));
    EXPECT_EQ(second.get(), fd);

    const int other = any_fd();
    UniqueFd third(other);
    third = std::move(second);
    EXPECT_EQ(third.get(), fd);
    EXPECT_FALSE(is_open(other));
    EXPECT_TRUE(is_open(fd));
}

TEST(UniqueFd, GivesAway) {
    UniqueFd owner(any_fd());
    const int fd = owner.release();

    EXPECT_FALSE(owner);
    EXPECT_TRUE(is_open(fd));
    owner.reset(fd);
    owner.reset();
    EXPECT_FALSE(is_open(fd));
}

}  // namespace
}  // namespace mqinspect
