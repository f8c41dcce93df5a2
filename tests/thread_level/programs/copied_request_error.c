/* Each thread makes a copy of one request, and waits for that.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static MPI_Request request;

static void* wait_for_copy(void* nothing) {
    MPI_Request mine = request;
    MPI_Wait(&mine, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
    return nothing;
}

int main(int argc, char** argv) {
    int provided, value = 0;
    pthread_t threads[3];
    MPI_Request local;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    for (int i = 0; i < 3; ++i)
        pthread_create(&threads[i], NULL, wait_for_copy, NULL);
    for (int i = 0; i < 3; ++i)
        pthread_join(threads[i], NULL);
    MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &local);
#pragma omp parallel
    {
        MPI_Request mine = local;
        MPI_Wait(&mine, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
    }
    MPI_Finalize();
}
