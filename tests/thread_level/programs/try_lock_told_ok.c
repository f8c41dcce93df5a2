/* Whether a lock has been taken is told to the caller, by a pointer, and asked there.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>

struct outcome {
    int tries;
    int done;
};

static omp_lock_t lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void try(int* done) {
    *done = omp_test_lock(&lock);
    if (!*done) return;
    MPI_Barrier(MPI_COMM_WORLD);
    omp_unset_lock(&lock);
}

static void try_mutex(struct outcome* outcome) {
    outcome->done = pthread_mutex_trylock(&mutex) == 0;
    if (outcome->done) {
        MPI_Barrier(MPI_COMM_WORLD);
        pthread_mutex_unlock(&mutex);
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    omp_init_lock(&lock);
#pragma omp parallel
    {
        int done = 0;
        while (!done) try(&done);
    }
#pragma omp parallel
    {
        struct outcome outcome = {0, 0};
        while (!outcome.done) try_mutex(&outcome);
    }
    MPI_Finalize();
    return 0;
}
