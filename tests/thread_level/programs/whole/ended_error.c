/* The function of another file returns, or is not there.
   required: MPI_THREAD_MULTIPLE */
/* file: stop.c */
#include <stdio.h>
#include <stdlib.h>
void stop(const char* text) {
    puts(text);
    if (getenv("STOP")) exit(1);
}
/* file: main.c */
#include <mpi.h>
#include <omp.h>
void stop(const char* text);
void unknown(const char* text);
int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) stop("level");
#pragma omp parallel
    {
        if (omp_get_thread_num() != 0) stop("thread");
        MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */ /* expect: mpi-concurrent-collectives */
    }
#pragma omp parallel
    {
        if (omp_get_thread_num() != 0) unknown("thread");
        MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */ /* expect: mpi-concurrent-collectives */
    }
    MPI_Finalize();
    return 0;
}
