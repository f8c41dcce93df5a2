/* Several threads get the role, or all begin with it, or it is one for all of them.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

enum role { TALK, WORK, WRITE };

static void of_two(void) {
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        enum role role;
        if (thread == 0)
            role = TALK;
        else if (thread == 1)
            role = TALK;
        else
            role = WORK;
        if (role == TALK) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
}

static void of_others(void) {
#pragma omp parallel
    {
        int role = 2;
        if (omp_get_thread_num() == 0) role = 1;
        if (role == 2) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
}

static void of_all(void) {
    int role = 2;
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) role = 1;
#pragma omp barrier
        if (role == 1) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    of_two();
    of_others();
    of_all();
    MPI_Finalize();
    return 0;
}
