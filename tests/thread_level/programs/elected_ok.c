/* The thread that finds a flag as it was calls MPI: by an atomic capture, an exchange, under a lock, and
   by functions that say so.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int captured, swapped, taken, claimed, arrived;
static atomic_bool exchanged;
static atomic_int left;

static bool is_first(void) {
    bool mine = false;
#pragma omp critical
    if (!taken) {
        taken = 1;
        mine = true;
    }
    return mine;
}

static int claim(void) {
    pthread_mutex_lock(&lock);
    if (claimed) {
        pthread_mutex_unlock(&lock);
        return 0;
    }
    claimed = 1;
    pthread_mutex_unlock(&lock);
    return 1;
}

static bool is_last(int threads) { return atomic_fetch_add(&left, 1) + 1 == threads; }

static bool comes_first(void) {
    int before;
#pragma omp atomic capture
    before = arrived++;
    return before == 0;
}

static void* work(void* unused) {
    if (claim()) MPI_Send(&claimed, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    return unused;
}

int main(int argc, char** argv) {
    int provided;
    int local = 0;
    pthread_t threads[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int before;
#pragma omp atomic capture
        { before = captured; captured = 1; }
        if (!before) MPI_Barrier(MPI_COMM_WORLD);
    }
#pragma omp parallel
    if (__sync_bool_compare_and_swap(&swapped, 0, 1)) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel
    if (!atomic_exchange(&exchanged, true)) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel
    if (is_first()) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel num_threads(4)
    if (is_last(4)) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel
    if (comes_first()) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel
    {
        int mine = 0;
#pragma omp critical
        if (local == 0) {
            local = 1;
            mine = 1;
        }
        if (mine) MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < 4; ++i)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; ++i)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
