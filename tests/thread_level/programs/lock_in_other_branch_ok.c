/* As lock_in_other_branch_error.c, but both calls are under the lock.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
    pthread_mutex_lock(&lock);
}

static void leave(void) {
    pthread_mutex_unlock(&lock);
}

static void direct(int count, int* value) {
#pragma omp parallel
    {
        if (count > 4) {
            pthread_mutex_lock(&lock);
            MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            pthread_mutex_unlock(&lock);
        }
        if (count > 2) {
            pthread_mutex_lock(&lock);
            MPI_Send(value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
            pthread_mutex_unlock(&lock);
        }
    }
}

static void by_calls(int count, int* value) {
#pragma omp parallel
    {
        if (count > 4) {
            enter();
            MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            leave();
        }
        if (count > 2) {
            enter();
            MPI_Send(value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
            leave();
        }
    }
}

int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    direct(argc, &value);
    by_calls(argc, &value);
    MPI_Finalize();
    return 0;
}
