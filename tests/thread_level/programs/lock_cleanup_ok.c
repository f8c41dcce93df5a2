/* Locks that are released at the end of the scope, or through a second pointer, behind the call.
   required: MPI_THREAD_SERIALIZED */
#include <omp.h>

#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static omp_lock_t lock, *const the_lock = &lock, *same;

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
        __attribute__((cleanup(release))) pthread_mutex_t* held = take(&mutex);
        MPI_Send(&provided, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    }
#pragma omp parallel sections
    {
#pragma omp section
        {
            omp_set_lock(&lock);
            MPI_Send(&provided, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
            omp_unset_lock(the_lock);
        }
#pragma omp section
        {
            omp_set_lock(same);
            MPI_Recv(&argc, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
            unlock(the_lock);
        }
    }
    MPI_Finalize();
}
