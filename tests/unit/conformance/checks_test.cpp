#include "inspector/conformance/checks.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include <climits>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mqinspect::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

mqs_communicator communicator() {
    mqs_communicator result{};
    result.unique_id = 1;
    result.local_rank = 0;
    result.size = 4;
    std::strcpy(result.name, "grid");
    return result;
}

mqs_pending_operation receive() {
    mqs_pending_operation result{};
    result.desired_local_rank = 2;
    result.desired_global_rank = 2;
    result.desired_tag = 7;
    result.desired_length = 4;
    return result;
}

class Checks : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(0, pipe2(ends_, O_CLOEXEC | O_NONBLOCK)); }
    void TearDown() override {
        close(ends_[0]);
        close(ends_[1]);
    }
    std::vector<std::string> texts() {
        std::string text(65536, '\0');
        const ssize_t size = read(ends_[0], text.data(), text.size());
        text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
        std::vector<std::string> result;
        for (const Violation& violation : read_journal(text, 1, 1).violations)
            result.push_back(violation.text);
        return result;
    }
    std::vector<std::string> of(const mqs_communicator& shown) {
        Journal journal(ends_[1]);
        check_communicator(journal, shown);
        return texts();
    }
    std::vector<std::string> of(const mqs_pending_operation& shown,
                                int queue = mqs_pending_receives) {
        Journal journal(ends_[1]);
        SeenCommunicator seen;
        seen.communicator = communicator();
        seen.group = {3, 1, 2, 0};
        seen.peers_in_group = true;
        check_operation(journal, seen, queue, shown, 3);
        return texts();
    }
    std::vector<std::string> of(const std::vector<int>& group, int own_rank, int guard) {
        Journal journal(ends_[1]);
        const std::vector<int> guards(4, guard);
        check_group(journal, communicator(), group, guards, own_rank);
        return texts();
    }

    int ends_[2] = {-1, -1};
};

TEST_F(Checks, ACommunicatorIsComplete) {
    EXPECT_THAT(of(communicator()), IsEmpty());
    mqs_communicator unwritten = communicator();
    std::memset(&unwritten.unique_id, kUnwritten, sizeof unwritten.unique_id);
    EXPECT_THAT(of(unwritten), testing::Contains(HasSubstr("unique_id is not set")));
}

TEST_F(Checks, ARankIsBelowTheSize) {
    mqs_communicator shown = communicator();
    shown.local_rank = 4;
    EXPECT_THAT(of(shown), ElementsAre(HasSubstr("rank 4 of a size of 4")));
    shown.local_rank = 0;
    shown.size = 0;
    EXPECT_THAT(of(shown), testing::Contains(HasSubstr("rank 0 of a size of 0")));
}

TEST_F(Checks, AnIdIsAPositiveNumber) {
    mqs_communicator shown = communicator();
    shown.unique_id = mqs_taddr_t{LONG_MAX} + 1;
    EXPECT_THAT(of(shown), ElementsAre(HasSubstr("0x8000000000000000")));
}

TEST_F(Checks, ANameIsATerminatedLine) {
    mqs_communicator shown = communicator();
    std::strcpy(shown.name, "two\nlines");
    EXPECT_THAT(of(shown), ElementsAre(HasSubstr("'two?lines' has control characters")));
    std::memset(shown.name, 'x', sizeof shown.name);
    EXPECT_THAT(of(shown), ElementsAre(HasSubstr("is not terminated")));
}

TEST_F(Checks, AGroupHoldsEachRankOnceAndItself) {
    constexpr int untouched = static_cast<int>(0xa5a5a5a5);
    EXPECT_THAT(of({3, 1, 2, 0}, 3, untouched), IsEmpty());
    EXPECT_THAT(of({3, 1, -1, -1}, 3, untouched), IsEmpty());
    EXPECT_THAT(of({3, 1, 1, 0}, 3, untouched), ElementsAre(HasSubstr("member 2 is rank 1")));
    EXPECT_THAT(of({3, 1, -2, 0}, 3, untouched), ElementsAre(HasSubstr("member 2 is rank -2")));
    EXPECT_THAT(of({3, 1, 2, untouched}, 3, untouched), ElementsAre(HasSubstr("not set")));
    EXPECT_THAT(of({3, 1, 2, 0}, 1, untouched), ElementsAre(HasSubstr("is rank 1, not 3")));
    EXPECT_THAT(of({3, 1, 2, 0}, 3, 0), ElementsAre(HasSubstr("more than its size")));
}

TEST_F(Checks, AnOperationIsComplete) {
    EXPECT_THAT(of(receive()), IsEmpty());
    mqs_pending_operation shown = receive();
    shown.status = 3;
    shown.desired_length = LONG_MIN;
    EXPECT_THAT(of(shown), ElementsAre(HasSubstr("status 3")));
    shown = receive();
    shown.desired_local_rank = 65534;
    EXPECT_THAT(of(shown), ElementsAre(HasSubstr("desired_local_rank 65534")));
    shown = receive();
    std::memset(&shown.actual_tag, kUnwritten, sizeof shown.actual_tag);
    EXPECT_THAT(of(shown), IsEmpty());
    EXPECT_THAT(of(shown, mqs_pending_sends), ElementsAre(HasSubstr("actual_tag is not set")));
}

TEST_F(Checks, AWildcardNeedsNoTag) {
    mqs_pending_operation shown = receive();
    std::memset(&shown.desired_tag, kUnwritten, sizeof shown.desired_tag);
    EXPECT_THAT(of(shown), ElementsAre(HasSubstr("desired_tag is not set")));
    shown.tag_wild = 1;
    EXPECT_THAT(of(shown), IsEmpty());
}

TEST_F(Checks, AGlobalRankIsThatOfTheGroup) {
    mqs_pending_operation shown = receive();
    shown.desired_local_rank = 0;
    shown.desired_global_rank = 0;
    EXPECT_THAT(of(shown), ElementsAre(HasSubstr("rank 0 is 3 in MPI_COMM_WORLD, not 0")));
}

TEST_F(Checks, ExtraTextEndsWithAnEmptyLine) {
    mqs_pending_operation shown = receive();
    std::memset(shown.extra_text, kUnwritten, sizeof shown.extra_text);
    EXPECT_THAT(of(shown), ElementsAre(HasSubstr("line 0 is not set")));
    std::strcpy(shown.extra_text[0], "Non-blocking send");
    EXPECT_THAT(of(shown), ElementsAre(HasSubstr("line 1 is not set")));
    shown.extra_text[1][0] = '\0';
    EXPECT_THAT(of(shown), IsEmpty());
    std::strcpy(shown.extra_text[0], "a\nb");
    EXPECT_THAT(of(shown), ElementsAre(HasSubstr("control characters")));
}

TEST(Difference, NamesWhatChanges) {
    Look left;
    left.communicators.resize(1);
    left.communicators[0].communicator = communicator();
    left.communicators[0].queues[mqs_pending_receives].operations = {receive()};
    Look right = left;
    EXPECT_EQ("", difference(left, right));

    right.communicators[0].queues[mqs_pending_receives].operations[0].desired_tag = 8;
    EXPECT_EQ("the posted receives of 'grid' change", difference(left, right));
    right = left;
    right.communicators[0].communicator.unique_id = 2;
    EXPECT_EQ("communicator 'grid' changes", difference(left, right));
    right.communicators.clear();
    EXPECT_EQ("1 communicators become 0", difference(left, right));
}

}  // namespace
}  // namespace mqinspect::conformance
