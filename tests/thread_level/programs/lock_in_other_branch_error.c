/* A call without a lock beside one with it, each under a condition of its own: that lock says nothing
   of the first.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
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
        if (count > 4)
            MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
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
        if (count > 4)
            MPI_Send(value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        if (count > 2) {
            enter();
            MPI_Send(value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
            leave();
        }
    }
}

static void collective(int* value) {
#pragma omp parallel
    {
        if (omp_get_thread_num() == 1)
            MPI_Barrier(MPI_COMM_WORLD);
        else if (omp_get_thread_num() == 0) {
            pthread_mutex_lock(&lock);
            MPI_Bcast(value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
            pthread_mutex_unlock(&lock);
        }
    }
}

int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    direct(argc, &value);
    by_calls(argc, &value);
    collective(&value);
    MPI_Finalize();
    return 0;
}
