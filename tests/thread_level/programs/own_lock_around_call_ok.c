/* A lock that is a variable of a function is one for the team that this makes, and a static one is one for all.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static void to_next(int rank, int size) {
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
}

static void work(int rank, int size) {
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        omp_set_lock(&lock);
        to_next(rank, size);
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
}

static void to_last(int rank, int size) {
    MPI_Send(&rank, 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD);
}

static void with_lock(omp_lock_t* lock, int rank, int size) {
    omp_set_lock(lock);
    to_last(rank, size);
    omp_unset_lock(lock);
}

static omp_lock_t handed;

/* One of the two is enough. */
static void hand_over(int rank, int size) {
    omp_lock_t own;
    omp_init_lock(&own);
    omp_set_lock(&own);
    with_lock(&handed, rank, size);
    omp_unset_lock(&own);
    omp_destroy_lock(&own);
}

static void to_first(int rank) {
    MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
}

/* Called by one thread of the team, at the end of which the others wait. */
static void alone(int rank) {
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    to_first(rank);
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
}

int main(int argc, char** argv) {
    int provided, rank, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    omp_init_lock(&handed);
    work(rank, size);
#pragma omp parallel for
    for (int i = 0; i < 100; ++i) hand_over(rank, size);
#pragma omp parallel
    {
#pragma omp single
        alone(rank);
    }
    omp_destroy_lock(&handed);
    MPI_Finalize();
    return 0;
}
