/* The thread number by reference, and shifted.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

static void ask(int* number) { *number = omp_get_thread_num(); }

int main(int argc, char** argv) {
    int provided, thread;
    double value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel private(thread)
    {
        ask(&thread);
        if (thread == 0) MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        const int number = omp_get_thread_num() + 1;
        if (number == 1) MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (number < 2) MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
