#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SplitCollectives, EndWithTheSameBuffer) {
    EXPECT_THAT(check_between(1, R"(
        file f = "data.bin"
        0: MPI_File_open(filename=data.bin, fh=f)
        0: MPI_File_write_all_begin(fh=f, buf=0x1000, count=4)
        0: MPI_File_write_all_end(fh=f, buf=0x1000)
        0: MPI_File_read_all_begin(fh=f, buf=0x2000, count=4)
        0: MPI_File_read_all_end(fh=f, buf=0x2000)
        0: MPI_File_close(fh=f)
    )"),
                IsEmpty());
    EXPECT_THAT(
        check_between(1, R"(
        file f = "data.bin"
        0: MPI_File_open(filename=data.bin, fh=f)
        0: MPI_File_write_all_begin(fh=f, buf=0x1000, count=4) @a.c:1
        0: MPI_File_write_all_end(fh=f, buf=0x2000) @a.c:2
        0: MPI_File_close(fh=f)
    )"),
        ElementsAre(
            "error invalid argument 0: MPI_File_write_all_end a.c:2, MPI_File_write_all_begin "
            "a.c:1"));
}

TEST(SplitCollectives, EndBeforeTheFileIsClosed) {
    EXPECT_THAT(check_between(1, R"(
        file f = "data.bin"
        0: MPI_File_open(filename=data.bin, fh=f)
        0: MPI_File_read_all_begin(fh=f, buf=0x1000, count=4) @a.c:1
        0: MPI_File_close(fh=f) @a.c:2
    )"),
                ElementsAre("error unfinished gop 0: MPI_File_read_all_begin a.c:1, "
                            "MPI_File_close a.c:2"));
}

TEST(SplitCollectives, AreAloneAmongCollectiveAccesses) {
    EXPECT_THAT(check_between(1, R"(
        file f = "data.bin"
        0: MPI_File_open(filename=data.bin, fh=f)
        0: MPI_File_write_all(fh=f, buf=0x3000, count=4)
        0: MPI_File_write_all_begin(fh=f, buf=0x1000, count=4) @a.c:1
        0: MPI_File_write_all(fh=f, buf=0x2000, count=4) @a.c:2
        0: MPI_File_write(fh=f, buf=0x2000, count=4) @a.c:3
        0: MPI_File_write_all_end(fh=f, buf=0x1000)
        0: MPI_File_write_all(fh=f, buf=0x3000, count=4)
        0: MPI_File_close(fh=f)
    )"),
                ElementsAre("error invalid argument 0: MPI_File_write_all a.c:2, "
                            "MPI_File_write_all_begin a.c:1"));
}

// MPI refuses the second one, and its end.
TEST(SplitCollectives, OneAtATime) {
    EXPECT_THAT(check_between(1, R"(
        file f = "data.bin"
        0: MPI_File_open(filename=data.bin, fh=f)
        0: MPI_File_write_all_begin(fh=f, buf=0x1000, count=4) @a.c:1
        0: MPI_File_read_all_begin(fh=f, buf=0x2000, count=4) = 5 @a.c:2
        0: MPI_File_read_all_end(fh=f, buf=0x2000) = 5
        0: MPI_File_write_all_end(fh=f, buf=0x1000)
        0: MPI_File_close(fh=f)
    )"),
                ElementsAre("error invalid argument 0: MPI_File_read_all_begin a.c:2, "
                            "MPI_File_write_all_begin a.c:1"));
}

}  // namespace
}  // namespace mqinspect::analysis::test
