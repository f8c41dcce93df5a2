/* The program knows why it chooses the lower level, and when. required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static int initialize(int argc, char** argv) {
    int provided;
    int required = MPI_THREAD_FUNNELED;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--single") == 0) required = MPI_THREAD_SINGLE;
        if (strcmp(argv[i], "--threads") == 0) required = MPI_THREAD_MULTIPLE;
    }
    const int least = required;
    MPI_Init_thread(&argc, &argv, least, &provided);
    if (provided < least) MPI_Abort(MPI_COMM_WORLD, 1);
    return required == MPI_THREAD_MULTIPLE;
}

int main(int argc, char** argv) {
    int rank;
    const int by_all = initialize(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
    {
        if (by_all)
            MPI_Send(&rank, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
