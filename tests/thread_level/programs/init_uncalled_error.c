/* Two ways to initialize MPI, of which main takes one or the other.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <stddef.h>

static double x[64];

void init_level(int level) {
    int provided;
    MPI_Init_thread(NULL, NULL, level, &provided);
    if (provided < level) MPI_Abort(MPI_COMM_WORLD, 1);
}

void init_single(void) {
    init_level(MPI_THREAD_SINGLE);
}

int main(int argc, char** argv) {
    if (argc > 1 && argv[1][0] == 's') {
        init_single();
    } else {
        init_level(MPI_THREAD_MULTIPLE);
    }
#pragma omp parallel for /* expect: mpi-strict-single */
    for (int i = 0; i < 64; i++)
        MPI_Send(&x[i], 1, MPI_DOUBLE, MPI_PROC_NULL, i, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    MPI_Finalize();
    return 0;
}
