/* The member is written behind where teams get it.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

struct parameters { int threads; int limit; };

static void exchange(const struct parameters* parameters) {
    if (parameters->threads == 1) {
        MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    } else {
#pragma omp barrier
#pragma omp single
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void run(struct parameters* parameters) {
    omp_set_num_threads(parameters->threads);
    parameters->threads = 1;
#pragma omp parallel
    exchange(parameters);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    struct parameters parameters = {argc, 4};
    run(&parameters);
    MPI_Finalize();
    return 0;
}
