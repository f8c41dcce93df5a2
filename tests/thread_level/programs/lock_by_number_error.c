// A function takes or releases a lock as a number says: some calls hand over that it does not.
// required: MPI_THREAD_MULTIPLE
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
        take(0);
        MPI_Send(&value, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF);  // expect: mpi-thread-level
        give(0);
    }
#pragma omp parallel
    {
        int value = 0;
        operate('l');
        MPI_Send(&value, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF);  // expect: mpi-thread-level
        operate('u');
    }
    MPI_Finalize();
    return 0;
}
