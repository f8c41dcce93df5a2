/* Guards by functions that say whether the thread is not the first one, or nothing of it.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>

static int rank;

static int number(void) {
    return omp_get_thread_num();
}
static int is_first(void) {
    return number() == 0;
}
static int is_root(void) {
    return rank == 0;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
    {
        if (!is_first())
            MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        if (is_root())
            MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
