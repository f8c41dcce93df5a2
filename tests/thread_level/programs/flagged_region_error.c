/* The variable does not say so in front of each region, may not, or changes meanwhile.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static int in_region;
static int in_loop;
static int in_part;
static double total;

static void update(double x) {
    if (in_region) return;
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    total = x;
}

static void add(double x) {
    if (!in_loop) {
        MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
    total = x;
}

static void end(double x) {
    if (in_part) return;
    MPI_Reduce(&x, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);

    in_region = 1;
#pragma omp parallel
    update(1.);
    in_region = 0;
#pragma omp parallel
    update(2.);

    if (argc > 1) in_loop = 1;
#pragma omp parallel for
    for (int i = 0; i < 10; i++)
        add(i);
    in_loop = 0;

    in_part = 1;
#pragma omp parallel
    {
        end(1.);
#pragma omp barrier
#pragma omp master
        in_part = 0;
#pragma omp barrier
        end(2.);
    }
    MPI_Finalize();
    return 0;
}
