/* Loops over communicators, requests and the like of which each thread has rounds of its own, or in
   which one thread is let in at a time.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>

enum { kComms = 4 };

static MPI_Comm comms[kComms];
static MPI_Request requests[kComms];
static int owners[kComms];
static omp_lock_t locks[kComms];

/* Every so many rounds, from the number of the thread on. */
static void cyclic(void) {
#pragma omp parallel
    {
        int tid = omp_get_thread_num();
        int nth = omp_get_num_threads();
        for (int j = tid; j < kComms; j += nth)
            MPI_Barrier(comms[j]);
        for (int j = 0; j < kComms; j++) {
            if (j % nth == tid) MPI_Wait(&requests[j], MPI_STATUS_IGNORE);
        }
    }
}

/* A part for each thread. */
static void blocks(void) {
#pragma omp parallel
    {
        int first = omp_get_thread_num() * 2;
        for (int j = first; j < first + 2; j++)
            MPI_Barrier(comms[j]);
    }
}

static void by_owner(void) {
#pragma omp parallel
    {
        int tid = omp_get_thread_num();
        for (int j = 0; j < kComms; j++) {
            if (owners[j] != tid) continue;
            MPI_Barrier(comms[j]);
        }
    }
}

static void worksharing(void) {
#pragma omp parallel for
    for (int j = 0; j < kComms; j++)
        MPI_Barrier(comms[j]);
}

static void one_round_each(void) {
#pragma omp parallel
    for (int j = 0; j < kComms; j++) {
#pragma omp single nowait
        MPI_Barrier(comms[j]);
    }
}

static void lock_for_each(void) {
#pragma omp parallel
    for (int j = 0; j < kComms; j++) {
        omp_set_lock(&locks[j]);
        MPI_Barrier(comms[j]);
        omp_unset_lock(&locks[j]);
    }
}

static void a_task_for_each(void) {
#pragma omp parallel
#pragma omp single
    for (int j = 0; j < kComms; j++) {
#pragma omp task
        MPI_Barrier(comms[j]);
    }
}

/* One of the threads comes first. */
static void first_come(void) {
    int taken[kComms] = {0};
#pragma omp parallel
    for (int j = 0; j < kComms; j++) {
        int before;
#pragma omp atomic capture
        before = taken[j]++;
        if (before == 0) MPI_Barrier(comms[j]);
    }
}

static void own_arrays(void) {
#pragma omp parallel
    {
        MPI_Request own[kComms];
        int data[kComms];
        int tid = omp_get_thread_num();
        for (int j = 0; j < kComms; j++)
            MPI_Irecv(&data[j], 1, MPI_INT, 0, tid, MPI_COMM_WORLD, &own[j]);
        for (int j = 0; j < kComms; j++)
            MPI_Wait(&own[j], MPI_STATUS_IGNORE);
    }
}

static void rows(MPI_Comm grid[][kComms]) {
    MPI_Comm own[kComms][kComms];
    for (int i = 0; i < kComms; i++) {
        for (int j = 0; j < kComms; j++)
            MPI_Comm_dup(grid[i][j], &own[i][j]);
    }
#pragma omp parallel num_threads(kComms)
    {
        int tid = omp_get_thread_num();
        for (int j = 0; j < kComms; j++)
            MPI_Barrier(own[tid][j]);
    }
}

static void one_thread(void) {
#pragma omp parallel
    {
#pragma omp single
        for (int j = 0; j < kComms; j++)
            MPI_Wait(&requests[j], MPI_STATUS_IGNORE);
#pragma omp master
        for (int j = 0; j < kComms; j++)
            MPI_Barrier(comms[j]);
    }
}

/* Another part of each element. */
static void parts(void) {
    struct {
        MPI_Request first, second;
    } own[kComms];
    MPI_Request pairs[kComms][2];
    int data[4 * kComms];
    for (int j = 0; j < kComms; j++) {
        MPI_Irecv(&data[j], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &own[j].first);
        MPI_Irecv(&data[kComms + j], 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &own[j].second);
        MPI_Irecv(&data[2 * kComms + j], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &pairs[j][0]);
        MPI_Irecv(&data[3 * kComms + j], 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &pairs[j][1]);
    }
#pragma omp parallel
    {
#pragma omp single nowait
        for (int j = 0; j < kComms; j++) {
            MPI_Wait(&own[j].first, MPI_STATUS_IGNORE);
            MPI_Wait(&pairs[j][0], MPI_STATUS_IGNORE);
        }
#pragma omp single
        for (int j = 0; j < kComms; j++) {
            MPI_Wait(&own[j].second, MPI_STATUS_IGNORE);
            MPI_Wait(&pairs[j][1], MPI_STATUS_IGNORE);
        }
    }
}

static void *thread(void *number) {
    const int tid = *(int *)number;
    for (int j = 0; j < kComms; j++) {
        if (owners[j] == tid) MPI_Barrier(comms[j]);
    }
    return NULL;
}

static void start(void) {
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
    int provided, data[kComms];
    static MPI_Comm grid[kComms][kComms];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < kComms; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        MPI_Irecv(&data[i], 1, MPI_INT, 0, i, comms[i], &requests[i]);
        omp_init_lock(&locks[i]);
        owners[i] = i % 2;
        for (int j = 0; j < kComms; j++)
            MPI_Comm_dup(MPI_COMM_WORLD, &grid[i][j]);
    }
    cyclic();
    blocks();
    by_owner();
    worksharing();
    one_round_each();
    lock_for_each();
    a_task_for_each();
    first_come();
    own_arrays();
    rows(grid);
    one_thread();
    parts();
    start();
    MPI_Finalize();
    return 0;
}
