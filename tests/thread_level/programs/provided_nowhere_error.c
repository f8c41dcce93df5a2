/* There is no variable for the level that is provided: a null pointer, by whatever name.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <stddef.h>
#include <string.h>

#define NOT_OF_INTEREST ((int*)0)

static void open_library(int* count, char*** arguments)
{
    if (*count > 1 && strcmp((*arguments)[1], "quiet") == 0)
        MPI_Init_thread(count, arguments, MPI_THREAD_SERIALIZED, NOT_OF_INTEREST); /* expect: mpi-provided-untested */
    else
        MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, NULL); /* expect: mpi-provided-untested */
}

int main(int argc, char** argv)
{
    double part = argc, sum = 0;
    open_library(&argc, &argv);
#pragma omp parallel
    {
#pragma omp single
        MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum < 0;
}
