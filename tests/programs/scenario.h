/// What the scenario programs share, and how they say what is true of them.
///
/// Each program is one situation. `NAME_deadlock.c` and `NAME_hang_up.c` never
/// continue; `NAME_ok.c` looks alike but is no deadlock: it stays in its
/// situation until the file that MQI_RELEASE names exists, then every rank prints
/// "finished RANK" and exits with 0. The first comment of a program holds its
/// expectations, one per line, which tests/support/expectation.h reads:
///
///   expect: deadlock | hang_up | none | finishes (finishes: needs no release)
///   on: DEVICE DIFFERENCE               what is different on devices of MPICH whose name
///                                       starts so ("ch4"):
///       unknown       the verdict: MPICH keeps too little of what the calls wait for
///       perhaps_unknown   the same, or the expected one; so it is everywhere with UCX
///       suspected     no more than that, or as expected: messages that are between two
///                     processes can't be seen, so that what moves may look stuck
///       ends RANK     the rank's MPI_Finalize does not wait for the others
///       stays         the job does not end after the release, with or without a look at it
///   ranks: N                            of all worlds
///   starts: N                           how many of them mpiexec starts, if not all
///   world: RANK...                      one line per MPI_COMM_WORLD, if there are several
///   core: RANK...                       one line per core, ranks ascending
///   wait: RANK all|any|mixed TARGET[,TARGET]... FUNCTION LINE(MARK)
///                                       of a core's rank; mixed: a call that has
///                                       waits of both modes
///   call: RANK FUNCTION LINE(MARK)      of a blocked rank outside the cores
///   victim: RANK RANK...                a chain, from the victim to a core
///   running: RANK... | any
///   exited: RANK...
///   hint: RANK TEXT                     a near miss that the rank's wait names
///   sentence: TEXT                      is in the verdict's sentence
///   mpiexec: OPTION...
///   launch: ARGUMENT | ARGUMENT...      the command of a rank; {} is the program
///
/// LINE(MARK) is the line that ends in the comment "@MARK", so that no line
/// number is ever written down.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

/// More than MPICH sends eagerly: such a send waits for its receive.
enum { kRendezvousInts = 1 << 18 };

static inline int world_rank(void) {
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static inline int world_size(void) {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/// Starts MPI and returns the rank in MPI_COMM_WORLD.
static inline int start(int* argc, char*** argv) {
    MPI_Init(argc, argv);
    return world_rank();
}

static inline int released(void) {
    const char* path = getenv("MQI_RELEASE");
    return path != NULL && access(path, F_OK) == 0;
}

/// User code that calls no MPI function. It sleeps between looks at the file, so
/// that the waiting ranks have the processors.
static inline void compute_until_released(void) {
    const struct timespec pause = {0, 2000000};
    while (!released()) {
        nanosleep(&pause, NULL);
    }
}

/// Ends MPI; the return value is the exit code of the program.
static inline int finish(void) {
    int rank = world_rank();
    MPI_Finalize();
    printf("finished %d\n", rank);
    return EXIT_SUCCESS;
}

/// An array that no eager protocol takes, set to zero; ends the program if there
/// is no memory. Lives as long as the program.
static inline int* large_buffer(void) {
    int* buffer = (int*)calloc(kRendezvousInts, sizeof(int));
    if (buffer == NULL) {
        abort();
    }
    return buffer;
}
