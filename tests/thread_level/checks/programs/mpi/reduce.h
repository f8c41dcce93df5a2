/* A collective operation and what the compiler plugin would put around it. */
#include <omp.h>
#include <stdlib.h>

#include <mpi.h>

#include "thread_level/checks/checks.h"

#ifdef OPEN_MPI
#define FORM "p"
#else
#define FORM "i"
#endif

#define REDUCE(label, line, communicator)                                            \
    do {                                                                             \
        const char* const site =                                                     \
            "1\tcs\t" FORM "\tMPI_Allreduce\t" label "\t" line "\t3\tmpi_program.c"; \
        int sum = 1;                                                                 \
        mpi_thread_level_call(site, (communicator));                                 \
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, communicator);        \
        mpi_thread_level_return(site);                                               \
    } while (0)

static void start(int required) {
    int provided;
    MPI_Init_thread(NULL, NULL, required, &provided);
    if (provided < required) abort();
}
