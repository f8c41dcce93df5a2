// Two threads reduce at a time, each on a communicator of its own, though the program asks for a
// level at which only one may communicate. With -DRIGHT it asks for what it needs.
#include <stdio.h>

#include <mpi.h>

#ifdef RIGHT
enum { wanted = MPI_THREAD_MULTIPLE };
#else
enum { wanted = MPI_THREAD_SERIALIZED };
#endif

static void reduce(double* value, MPI_Comm communicator) {
    MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE, MPI_SUM, communicator);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, wanted, &provided);
    if (provided < wanted) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm pressure, velocity;
    MPI_Comm_dup(MPI_COMM_WORLD, &pressure);
    MPI_Comm_dup(MPI_COMM_WORLD, &velocity);
    double p = 1, v = 2;

#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
        reduce(&p, pressure);
#pragma omp single
        reduce(&v, velocity);
    }

    printf("residuals: %g %g\n", p, v);
    MPI_Comm_free(&pressure);
    MPI_Comm_free(&velocity);
    MPI_Finalize();
    return 0;
}
