/* Who only gets told how to call the program needs no level: no region comes behind that, by
   whichever function it is told, nor behind the MPI_Init of the way with one thread.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void tell(const char* text) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) puts(text);
    MPI_Finalize();
}

static void stop(int* argc, char*** argv) {
    MPI_Init(argc, argv);
    tell("wrong");
    exit(1);
}

static void sum_alone(int argc, char** argv) {
    int sum = 1;
    MPI_Init(&argc, &argv);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
}

static void send_from_master(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int value = 1;
#pragma omp master
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}

int main(int argc, char** argv) {
    int provided;
    if (argc < 2) {
        MPI_Init(&argc, &argv);
        tell("usage: program count");
        return 1;
    }
    if (argc > 4) stop(&argc, &argv);
    if (argc == 4) {
        sum_alone(argc, argv);
        return 0;
    }
    if (argc == 3) {
        send_from_master(argc, argv);
        return 0;
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int value = 1;
        MPI_Send(&value, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
