/* Each thread goes through a loop over communicators or requests by itself, so that two of them may be
   at one of those at the same time.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>

enum { kComms = 4 };

static MPI_Comm comms[kComms];
static MPI_Request requests[kComms];
static int how_many = kComms;

static void all(void) {
#pragma omp parallel
    for (int j = 0; j < kComms; j++) {
        if (j % 2 == 0) MPI_Barrier(comms[j]);  // expect: mpi-concurrent-collectives
    }
}

static void bounds(void) {
    MPI_Comm own[kComms];
    int last = kComms;
    for (int i = 0; i < kComms; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
#pragma omp parallel
    {
        int n = omp_get_num_threads();
        for (int k = 1; k < last && k < n; k++)
            MPI_Barrier(own[k - 1]);  // expect: mpi-concurrent-collectives
    }
}

static void requests_of_all(void) {
#pragma omp parallel
    {
        int j = 0;
        while (j < how_many) {
            MPI_Wait(&requests[j], MPI_STATUS_IGNORE);  // expect: mpi-concurrent-request
            ++j;
        }
    }
}

static void inner(void) {
#pragma omp parallel for
    for (int i = 0; i < kComms; i++) {
        for (int j = 0; j < kComms; j++)
            MPI_Barrier(comms[j]);  // expect: mpi-concurrent-collectives
    }
}

static void in_tasks(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < kComms; i++) {
#pragma omp task
        for (int j = 0; j < kComms; j++)
            MPI_Barrier(comms[j]);  // expect: mpi-concurrent-collectives
    }
}

static void two_loops(void) {
    MPI_Request own[kComms];
    int data[kComms];
#pragma omp parallel
    {
#pragma omp single nowait
        for (int j = 0; j < kComms; j++)
            MPI_Irecv(&data[j], 1, MPI_INT, 0, j, MPI_COMM_WORLD, &own[j]);  // expect: mpi-concurrent-request
#pragma omp single
        for (int k = 0; k < kComms; k++)
            MPI_Wait(&own[k], MPI_STATUS_IGNORE);
    }
}

static void *thread(void *unused) {
    (void)unused;
    for (int j = 0; j < kComms; j++)
        MPI_Barrier(comms[j]);  // expect: mpi-concurrent-collectives
    return NULL;
}

static void start(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
    int provided, data[kComms];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < kComms; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        MPI_Irecv(&data[i], 1, MPI_INT, 0, i, comms[i], &requests[i]);
    }
    all();
    bounds();
    requests_of_all();
    inner();
    in_tasks();
    two_loops();
    start();
    MPI_Finalize();
    return 0;
}
