/* A thread that is only started where MPI provides MPI_THREAD_MULTIPLE: what is called beside it
   needs no level, either. required: MPI_THREAD_SINGLE ways: all */
#include <mpi.h>
#include <pthread.h>

static pthread_t thread;

static void* progress(void* argument) {
    MPI_Barrier(MPI_COMM_SELF);
    return argument;
}

int main(int argc, char** argv) {
    int level;
    MPI_Init(&argc, &argv);
    MPI_Query_thread(&level);
    if (level == MPI_THREAD_MULTIPLE) pthread_create(&thread, NULL, progress, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (level == MPI_THREAD_MULTIPLE) pthread_join(thread, NULL);
#pragma omp parallel sections /* expect: mpi-strict-single */
    {
#pragma omp section
        if (level == MPI_THREAD_MULTIPLE) MPI_Barrier(MPI_COMM_SELF);
#pragma omp section
        if (level == MPI_THREAD_MULTIPLE) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
