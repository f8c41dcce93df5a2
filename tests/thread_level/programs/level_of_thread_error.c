/* As level_of_thread_ok.c, but for less than what is needed, or with a third one.
   required: MPI_THREAD_MULTIPLE ways: all */
#include <mpi.h>
#include <pthread.h>

static pthread_t thread;

static void* progress(void* argument) {
    MPI_Barrier(MPI_COMM_SELF); /* expect: mpi-thread-level */
    return argument;
}

static void too_low(int level) {
    if (level >= MPI_THREAD_SERIALIZED) pthread_create(&thread, NULL, progress, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (level >= MPI_THREAD_SERIALIZED) pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
    int level;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Query_thread(&level);
    too_low(level);
#pragma omp parallel sections /* expect: mpi-strict-single */
    {
#pragma omp section
        if (level == MPI_THREAD_MULTIPLE) MPI_Barrier(MPI_COMM_SELF);
#pragma omp section
        MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
#pragma omp section
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    MPI_Finalize();
    return rank;
}
