/* Each thread has an element of its own, by what it makes of its number.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

enum { kComms = 8 };

static MPI_Comm comms[2 * kComms];
static MPI_Request requests[kComms];
static MPI_Status statuses[kComms];

/* As many threads as elements, or less. */
static void remainder_of(int threads) {
#pragma omp parallel num_threads(4)
    {
        MPI_Barrier(comms[omp_get_thread_num() % kComms]);
        MPI_Barrier(comms[omp_get_thread_num() % 4]);
    }
#pragma omp parallel
    MPI_Barrier(comms[omp_get_thread_num() % omp_get_num_threads()]);
#pragma omp parallel num_threads(threads)
    MPI_Barrier(comms[omp_get_thread_num() % 2]);
}

static void guarded(void) {
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (me < 2) MPI_Barrier(comms[me % 2]);
    }
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        if (me < 2) MPI_Barrier(comms[me % 2]);
#pragma omp barrier
#pragma omp critical
        MPI_Wait(&requests[me / 2], MPI_STATUS_IGNORE);
    }
}

/* The last one has no neighbour. */
static void last(void) {
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        MPI_Barrier(comms[me]);
        if (me == omp_get_num_threads() - 1) MPI_Barrier(comms[me + 1]);
    }
}

/* A pair of elements for each, or another half of the array. */
static void apart(void) {
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        MPI_Barrier(comms[2 * me]);
        MPI_Barrier(comms[2 * me + 1]);
#pragma omp barrier
        MPI_Barrier(comms[me]);
        MPI_Barrier(comms[me + 4]);
    }
}

static void in_two_steps(void) {
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        MPI_Barrier(comms[me]);
#pragma omp barrier
        MPI_Barrier(comms[me + 1]);
    }
}

/* Either thread of a pair has one of both. */
static void other_ways(void) {
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        if (me < 2)
            MPI_Barrier(comms[me]);
        else
            MPI_Barrier(comms[me + 1]);
#pragma omp barrier
        if (me % 2 == 0) {
            MPI_Barrier(comms[me]);
            MPI_Barrier(comms[me + 1]);
        }
    }
}

static void wait_for_all(void) {
    int data[kComms];
    MPI_Request own[kComms];
    MPI_Request others[2];
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        MPI_Irecv(&data[me], 1, MPI_INT, 0, me, MPI_COMM_WORLD, &own[me]);
#pragma omp barrier
#pragma omp single
        MPI_Waitall(4, own, statuses);
#pragma omp master
        {
            MPI_Irecv(&data[6], 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &others[0]);
            MPI_Irecv(&data[7], 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &others[1]);
            MPI_Waitall(2, others, statuses);
        }
    }
}

/* The first ones are those of nobody. */
static void behind_the_first(void) {
    int data[kComms];
    MPI_Request own[kComms];
    for (int i = 0; i < 4; i++)
        MPI_Irecv(&data[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &own[i]);
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        MPI_Irecv(&data[me + 4], 1, MPI_INT, 0, me, MPI_COMM_WORLD, &own[me + 4]);
#pragma omp single
        MPI_Waitall(4, own, statuses);
    }
    MPI_Waitall(4, own + 4, statuses);
}

int main(int argc, char **argv) {
    int provided, data[kComms];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < kComms; i++)
        MPI_Irecv(&data[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 2 * kComms; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    remainder_of(2);
    guarded();
    last();
    apart();
    in_two_steps();
    other_ways();
    wait_for_all();
    behind_the_first();
    MPI_Finalize();
    return 0;
}
