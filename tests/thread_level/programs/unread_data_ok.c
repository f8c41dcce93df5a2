/* Broadcasts under one lock may change places if they differ in nothing, and nobody looks at what
   they bring. required: MPI_THREAD_SERIALIZED ways: all */
#include <mpi.h>
#include <stdlib.h>

static void tasks_with_memory(void) {
#pragma omp parallel
    {
#pragma omp task
        {
            int* buffer = malloc(10 * sizeof(int));
#pragma omp critical
            MPI_Bcast(buffer, 10, MPI_INT, 0, MPI_COMM_WORLD);
            free(buffer);
        }
#pragma omp task
        {
            int* buffer = malloc(10 * sizeof(int));
            if (buffer == NULL) abort();
#pragma omp critical
            MPI_Bcast(buffer, 10, MPI_INT, 0, MPI_COMM_WORLD);
            free(buffer);
        }
    }
}

static void sections_with_arrays(void) {
#pragma omp parallel sections
    {
#pragma omp section
        {
            double mine[4], sums[4];
#pragma omp critical
            MPI_Allreduce(mine, sums, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
#pragma omp section
        {
            double mine[4], sums[4];
#pragma omp critical
            MPI_Allreduce(mine, sums, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
    }
}

static void one_root_for_all(int root) {
#pragma omp parallel sections
    {
#pragma omp section
        {
            char text[20];
#pragma omp critical
            MPI_Bcast(text, 20, MPI_CHAR, root, MPI_COMM_WORLD);
        }
#pragma omp section
        {
            char text[20];
#pragma omp critical
            MPI_Bcast(text, 20, MPI_CHAR, root, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    tasks_with_memory();
    sections_with_arrays();
    one_root_for_all(argc);
    MPI_Finalize();
    return 0;
}
