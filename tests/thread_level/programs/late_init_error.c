/* Whether MPI is initialized is asked where it need not be: main has done so on some of its ways
   only, and has called something before.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <stdio.h>

static int number(void)
{
    int there = 0, rank;
    MPI_Initialized(&there);
    if (!there)
        MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static void reduce(double* x)
{
    int there = 0, level;
    MPI_Initialized(&there);
    if (!there) {
        MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level); /* expect: mpi-init-in-parallel */
        if (level < MPI_THREAD_SERIALIZED)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

int main(int argc, char** argv)
{
    double x = argc;
    if (argc > 1)
        printf("%d %s\n", number(), argv[1]);
#pragma omp parallel /* expect: mpi-strict-single */
    {
#pragma omp single
        reduce(&x);
    }
    MPI_Finalize();
    return 0;
}
