/* Several threads come to one element, by what they make of their numbers.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

enum { kComms = 8 };

static MPI_Comm comms[kComms + 1];
static MPI_Request requests[kComms];
static MPI_Status statuses[kComms];

/* More threads than elements. */
static void remainder_of(void) {
#pragma omp parallel num_threads(4)
    MPI_Barrier(comms[omp_get_thread_num() % 2]);  // expect: mpi-concurrent-collectives
}

static void unknown_team(void) {
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        MPI_Barrier(comms[me % kComms + 1]);  // expect: mpi-concurrent-collectives
    }
}

static void quotient(void) {
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        MPI_Wait(&requests[me / 2], MPI_STATUS_IGNORE);  // expect: mpi-concurrent-request
    }
}

/* That of the next thread. */
static void neighbour(void) {
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        MPI_Barrier(comms[me]);  // expect: mpi-concurrent-collectives
        MPI_Barrier(comms[me + 1]);
    }
}

static void few_behind(void) {
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        MPI_Barrier(comms[me + 2]);  // expect: mpi-concurrent-collectives
        if (me > 0) MPI_Barrier(comms[me]);
    }
}

/* All of them, while others still start theirs. */
static void wait_for_all(void) {
    int data[kComms];
    MPI_Request own[kComms];
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        MPI_Irecv(&data[me], 1, MPI_INT, 0, me, MPI_COMM_WORLD,  // expect: mpi-concurrent-request
                  &own[me]);
#pragma omp single
        MPI_Waitall(4, own, statuses);
    }
}

int main(int argc, char **argv) {
    int provided, data[kComms];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < kComms; i++)
        MPI_Irecv(&data[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i <= kComms; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    remainder_of();
    unknown_team();
    quotient();
    neighbour();
    few_behind();
    wait_for_all();
    MPI_Finalize();
    return 0;
}
