/* Communicators that are none until they are made, and again when they are freed.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided = 0;
    int sums[2] = {0, 0};
    MPI_Comm left = MPI_COMM_NULL;
    MPI_Comm right = MPI_COMM_NULL;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &left);
    MPI_Comm_dup(MPI_COMM_WORLD, &right);
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Allreduce(MPI_IN_PLACE, &sums[0], 1, MPI_INT, MPI_SUM, left);
#pragma omp section
        MPI_Allreduce(MPI_IN_PLACE, &sums[1], 1, MPI_INT, MPI_SUM, right);
    }
    if (left != MPI_COMM_NULL) MPI_Comm_free(&left);
    if (right != MPI_COMM_NULL) MPI_Comm_free(&right);
    left = MPI_COMM_NULL;
    right = MPI_COMM_NULL;
    MPI_Finalize();
    return 0;
}
