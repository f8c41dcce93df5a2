/* The level is not wanted where MPI is initialized, but it is asked for, and compared, later; or the
   caller may have given a pointer, and compares what is there.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

void open_library(int* level)
{
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, level);
}

int main(int argc, char** argv)
{
    double part = argc, sum = 0;
    int level = MPI_THREAD_SINGLE;
    if (argc > 1)
        open_library(&level);
    else
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, NULL);
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
#pragma omp parallel
    {
#pragma omp single
        MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum < 0;
}
