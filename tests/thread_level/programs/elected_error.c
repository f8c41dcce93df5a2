/* Several threads find a flag as it was: it is let down again in the region, set to what it was, asked
   for what all others find, read before the lock, or the function says the opposite.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int captured, kept, found, taken, claimed;

static bool is_other(void) {
    bool mine = false;
#pragma omp critical
    if (!taken) {
        taken = 1;
        mine = true;
    }
    return !mine;
}

static int claim(void) {
    if (claimed) return 0;
    pthread_mutex_lock(&lock);
    claimed = 1;
    pthread_mutex_unlock(&lock);
    return 1;
}

static void* work(void* unused) {
    if (claim()) MPI_Send(&claimed, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    return unused;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t threads[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int before;
#pragma omp atomic capture
        { before = captured; captured = 1; }
        if (!before) {
#pragma omp atomic write
            captured = 0;
            MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
        }
    }
#pragma omp parallel
    {
        int before;
#pragma omp atomic capture
        { before = kept; kept = 0; }
        if (!before) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
#pragma omp parallel
    {
        int before;
#pragma omp atomic capture
        { before = found; found = 1; }
        if (before == 1) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
#pragma omp parallel
    if (is_other()) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    for (int i = 0; i < 4; ++i)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; ++i)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
