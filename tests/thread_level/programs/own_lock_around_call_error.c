/* A lock that is a variable of a function is another one in each call of that: it keeps nobody from what is called under
   it.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static void to_next(int rank, int size) {
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void work(int rank, int size) {
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    to_next(rank, size);
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
}

static void to_last(int rank, int size) {
    MPI_Send(&rank, 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void with_lock(omp_lock_t* lock, int rank, int size) {
    omp_set_lock(lock);
    to_last(rank, size);
    omp_unset_lock(lock);
}

/* The one that is handed over is of each call, too, and so is the one that is taken here. */
static void hand_over(int rank, int size) {
    omp_lock_t outer;
    omp_lock_t handed;
    omp_init_lock(&outer);
    omp_init_lock(&handed);
    omp_set_lock(&outer);
    with_lock(&handed, rank, size);
    omp_unset_lock(&outer);
    omp_destroy_lock(&handed);
    omp_destroy_lock(&outer);
}

int main(int argc, char** argv) {
    int provided, rank, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel
    work(rank, size);
#pragma omp parallel for
    for (int i = 0; i < 100; ++i) hand_over(rank, size);
    MPI_Finalize();
    return 0;
}
