/* A critical section for point-to-point messages: their order is free.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int value = 0;
#pragma omp critical
        MPI_Sendrecv_replace(&value, 1, MPI_INT, 0, omp_get_thread_num(), 0, omp_get_thread_num(),
                             MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}
