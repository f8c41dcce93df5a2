/* Each thread makes a copy of another request, or sets the copy itself.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>

static MPI_Request of_round, taken;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t copied;

static void* wait_for_round(void* nothing) {
    MPI_Request mine = of_round;
    pthread_barrier_wait(&copied);
    MPI_Wait(&mine, MPI_STATUS_IGNORE);
    return nothing;
}

static void* wait_for_taken(void* nothing) {
    pthread_mutex_lock(&mutex);
    MPI_Request mine = taken;
    taken = MPI_REQUEST_NULL;
    pthread_mutex_unlock(&mutex);
    MPI_Wait(&mine, MPI_STATUS_IGNORE);
    return nothing;
}

int main(int argc, char** argv) {
    int provided, value = 0;
    pthread_t threads[3];
    MPI_Request local, all[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_barrier_init(&copied, NULL, 2);
    for (int i = 0; i < 3; ++i) {
        MPI_Irecv(&value, 1, MPI_INT, 0, i, MPI_COMM_SELF, &of_round);
        pthread_create(&threads[i], NULL, wait_for_round, NULL);
        pthread_barrier_wait(&copied);
    }
    for (int i = 0; i < 3; ++i)
        pthread_join(threads[i], NULL);
    MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &taken);
    for (int i = 0; i < 3; ++i)
        pthread_create(&threads[i], NULL, wait_for_taken, NULL);
    for (int i = 0; i < 3; ++i)
        pthread_join(threads[i], NULL);
#pragma omp parallel private(value)
    {
        MPI_Request mine;
#pragma omp critical
        {
            MPI_Irecv(&value, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_SELF, &local);
            mine = local;
        }
        MPI_Wait(&mine, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 4; ++i)
        MPI_Irecv(&value, 1, MPI_INT, 0, i, MPI_COMM_SELF, &all[i]);
#pragma omp parallel num_threads(4)
    {
        MPI_Request mine = all[omp_get_thread_num()];
        MPI_Wait(&mine, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}
