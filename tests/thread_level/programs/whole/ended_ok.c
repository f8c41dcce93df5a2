/* All threads but the first one come to a function of another file, which ends the program by one of a third.
   required: MPI_THREAD_FUNNELED */
/* file: end.c */
#include <mpi.h>
void end(int code) { MPI_Abort(MPI_COMM_WORLD, code); }
/* file: stop.c */
#include <stdio.h>
#include <stdlib.h>
void end(int code);
void stop(const char* text) {
    puts(text);
    exit(1);
}
void quit(const char* text) {
    puts(text);
    end(1);
}
/* file: main.c */
#include <mpi.h>
#include <omp.h>
void stop(const char* text);
void quit(const char* text);
int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) stop("level");
#pragma omp parallel
    {
        if (omp_get_thread_num() != 0) stop("thread");
        MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */
    }
#pragma omp parallel
    {
        if (omp_get_thread_num() != 0) quit("thread");
        MPI_Barrier(MPI_COMM_WORLD); /* compiler: mpi-concurrent-collectives */
    }
    MPI_Finalize();
    return 0;
}
