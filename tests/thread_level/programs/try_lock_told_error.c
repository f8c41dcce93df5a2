/* What is told is not whether the lock has been taken: it is written again, or something else is
   asked.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

struct outcome {
    int tries;
    int done;
};

static omp_lock_t lock;

static void try(int* done) {
    *done = omp_test_lock(&lock);
    *done = 1;
    if (!*done) return;
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    omp_unset_lock(&lock);
}

static void try_member(struct outcome* outcome) {
    outcome->done = omp_test_lock(&lock);
    if (outcome->tries) {
        MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
        omp_unset_lock(&lock);
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    omp_init_lock(&lock);
#pragma omp parallel
    {
        int done = 0;
        while (!done) try(&done);
    }
#pragma omp parallel
    {
        struct outcome outcome = {1, 0};
        while (!outcome.done) try_member(&outcome);
    }
    MPI_Finalize();
    return 0;
}
