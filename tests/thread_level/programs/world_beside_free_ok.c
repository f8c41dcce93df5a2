/* A thread communicates on MPI_COMM_WORLD while another one frees a communicator: that can't be the
   same one.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static void drop(MPI_Comm* communicator) {
    MPI_Comm_free(communicator);
}

static void* communicate(void* nothing) {
    MPI_Barrier(MPI_COMM_WORLD);
    return nothing;
}

static void* clean_up(void* communicator) {
    drop(communicator);
    return NULL;
}

int main(int argc, char** argv) {
    int provided = 0;
    pthread_t threads[2];
    MPI_Comm own;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    pthread_create(&threads[0], NULL, communicate, NULL);
    pthread_create(&threads[1], NULL, clean_up, &own);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    MPI_Finalize();
    return 0;
}
