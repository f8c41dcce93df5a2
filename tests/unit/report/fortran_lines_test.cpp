#include "report/fortran_lines.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace mqinspect::report {
namespace {

using Lines = std::vector<std::string>;

TEST(FortranLines, AreKnownByTheNameOfTheFile) {
    EXPECT_TRUE(is_fortran_source("/home/user/heat.f90"));
    EXPECT_TRUE(is_fortran_source("heat.F"));
    EXPECT_FALSE(is_fortran_source("heat.c"));
    EXPECT_FALSE(is_fortran_source("f90"));
}

TEST(FortranLines, StatementOfFreeForm) {
    const Lines lines{
        "x = 1                       ! what & is in a comment &",  // 1
        "call MPI_Send(field, &      ! how many",                  // 2
        "",                                                        // 3
        "  ! between",                                             // 4
        "     & 4, MPI_REAL, &",                                   // 5
        "     1, 0, comm, ierr)",                                  // 6
        "print *, '! no comment &",                                // 7
        "  &, and no &'",                                          // 8
        "y = 2",                                                   // 9
    };
    for (const auto& [line, first] :
         {std::pair{1, 1}, {2, 2}, {5, 2}, {6, 2}, {7, 7}, {8, 7}, {9, 9}})
        EXPECT_EQ(first, first_line_of_statement(lines, "a.f90", line)) << line;
}

TEST(FortranLines, StatementOfFixedForm) {
    const Lines lines{
        "      x = 1",                   // 1
        "      call MPI_Send(field,",    // 2
        "C between &",                   // 3
        "     &     4, MPI_REAL,",       // 4
        "",                              // 5
        "     +     1, 0, comm, ierr)",  // 6
        "     0y = 2",                   // 7
        "\tcall MPI_Recv(field,",        // 8
        "\t1    4, MPI_REAL)",           // 9
        "  100 continue",                // 10
    };
    for (const auto& [line, first] :
         {std::pair{1, 1}, {2, 2}, {4, 2}, {6, 2}, {7, 7}, {8, 8}, {9, 8}, {10, 10}})
        EXPECT_EQ(first, first_line_of_statement(lines, "a.f", line)) << line;
}

TEST(FortranLines, WhatIsNotThereStays) {
    const Lines lines{"  & x", "  & y"};
    EXPECT_EQ(1, first_line_of_statement(lines, "a.f90", 1));
    EXPECT_EQ(0, first_line_of_statement(lines, "a.f90", 0));
    EXPECT_EQ(7, first_line_of_statement(lines, "a.f90", 7));
    EXPECT_EQ(3, first_line_of_statement({}, "a.f", 3));
    EXPECT_EQ(1, first_line_of_statement({"     & x"}, "a.f", 1));
}

}  // namespace
}  // namespace mqinspect::report
