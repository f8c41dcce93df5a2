/// What the programs of the correctness analyzer share, and how they say what is true of them.
///
/// `NAME_error.c` has one error, `NAME_ok.c` looks alike and has none. The first comment of a
/// program holds its expectations, one per line:
///
///   ranks: N
///   option: WORD                        of `mqinspect record`
///   watchpoints                         are needed, which not every machine has; elsewhere
///                                       it may be missed, or seen at another call
///   stuck                               it never ends, and is ended from outside
///   find: SEVERITY | NAME | RANK... | FUNCTION LINE(MARK)
///                                       a finding, who is involved, and one of its calls; the
///                                       function may be left out
///   may: NAME                           what may be found besides, as it follows from it
///
/// Further errors and warnings are false alarms. LINE(MARK) is the line that ends in the comment
/// "@MARK".
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

/// Starts MPI and returns the rank in MPI_COMM_WORLD.
static inline int start(int* argc, char*** argv) {
    int rank = -1;
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/// Ends MPI; the return value is the exit code of the program.
static inline int finish(void) {
    MPI_Finalize();
    return EXIT_SUCCESS;
}
