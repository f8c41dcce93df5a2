/* What each thread hands on is not its number: something else is written to it, or it is another
   variable.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static int part, color;
#pragma omp threadprivate(part, color)

static void by_part(int me) {
    if (me == 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void by_color(int me) {
    if (me == 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void others(int me) {
    if (me != 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static int number;
#pragma omp threadprivate(number)

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        part = omp_get_thread_num() / 2;
        color = omp_get_thread_num();
        number = omp_get_thread_num();
        if (argc > 1) color = argc;
        by_part(part);
#pragma omp barrier
        by_color(color);
#pragma omp barrier
        others(number);
    }
    MPI_Finalize();
    return 0;
}
