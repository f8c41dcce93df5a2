/* In a team of two the thread that is not the first is one thread: collective operations of both,
   on communicators of their own.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Comm second;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            MPI_Barrier(second);
        else
            MPI_Barrier(MPI_COMM_WORLD);
    }
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() != 1)
            MPI_Barrier(second);
        else
            MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&second);
    MPI_Finalize();
}
