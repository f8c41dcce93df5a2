/* A variable that has been set to one constant or the other in front of a condition.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided, is_hybrid = 1;
    if (argc > 1) is_hybrid = 0;
    if (is_hybrid) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
        if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (is_hybrid == 0) MPI_Init(&argc, &argv);
    for (int round = 0, is_first = 1; round < 3; ++round) {
        if (is_first == 0) {
#pragma omp parallel for /* expect: mpi-strict-single */
            for (int i = 0; i < 8; ++i)
                MPI_Send(&i, 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        }
        is_first = 0;
    }
    MPI_Finalize();
    return 0;
}
