/* Numbers by reference that are not always the thread's, and one that is shifted.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static int last;

static void ask(int* number) { *number = omp_get_thread_num(); }

static void change(int* number) { *number = last; }

static void ask_perhaps(int* number) {
    *number = omp_get_thread_num();
    if (last > 3) change(number);
}

int main(int argc, char** argv) {
    int provided, thread, other, rank;
    double value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
    last = argc;
#pragma omp parallel private(thread)
    {
        ask(&thread);
        change(&thread);
        if (thread == 0) MPI_Send(&value, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel private(other)
    {
        ask_perhaps(&other);
        if (other == 0) MPI_Send(&value, 1, MPI_DOUBLE, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel private(rank)
    {
        ask(&rank);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* expect: mpi-thread-level */
        if (rank == 0) MPI_Send(&value, 1, MPI_DOUBLE, 0, 3, MPI_COMM_SELF);
    }
#pragma omp parallel
    {
        const int number = omp_get_thread_num() + 1;
        if (number == 2) MPI_Send(&value, 1, MPI_DOUBLE, 0, 4, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
