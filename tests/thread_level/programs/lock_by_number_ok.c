// A function takes or releases a lock as a number says that all calls hand over.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <omp.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static omp_lock_t lock;

static void take(int is_on) {
    if (is_on) pthread_mutex_lock(&mutex);
}

static void give(int is_on) {
    if (is_on) pthread_mutex_unlock(&mutex);
}

static void operate(char what) {
    switch (what) {
        case 's':
            omp_set_lock(&lock);
            break;
        case 'u':
            omp_unset_lock(&lock);
            break;
    }
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    omp_init_lock(&lock);
#pragma omp parallel
    {
        int value = 0;
        take(1);
        MPI_Send(&value, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF);
        give(1);
#pragma omp barrier
        operate('s');
        MPI_Send(&value, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF);
        operate('u');
    }
    MPI_Finalize();
    return 0;
}
