/* Locks that are released at the end of a scope, or through a second pointer, before the call.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static omp_lock_t lock, *const the_lock = &lock, *same;
static int calls;

static pthread_mutex_t* take(pthread_mutex_t* one) {
    pthread_mutex_lock(one);
    return one;
}

static void release(pthread_mutex_t** held) { pthread_mutex_unlock(*held); }

static void unlock(omp_lock_t* one) { omp_unset_lock(one); }

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    omp_init_lock(&lock);
    same = &lock;
#pragma omp parallel
    {
        {
            __attribute__((cleanup(release))) pthread_mutex_t* held = take(&mutex);
            ++calls;
        }
        MPI_Send(&provided, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        omp_set_lock(&lock);
        ++calls;
        omp_unset_lock(the_lock);
        MPI_Send(&provided, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        omp_set_lock(the_lock);
        ++calls;
        unlock(same);
        MPI_Send(&provided, 1, MPI_INT, 0, 3, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
