/* What thread 0, and no other, is to do is one of several constants.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

enum role { TALK, WORK, WRITE };

static double x;

static void by_steps(void) {
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        enum role role;
        if (thread == 0)
            role = TALK;
        else if (thread == 1)
            role = WRITE;
        else
            role = WORK;
        if (role == TALK) MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void by_default(void) {
#pragma omp parallel
    {
        int role = 2;
        if (omp_get_thread_num() == 0) role = 1;
        if (role == 1)
            MPI_Barrier(MPI_COMM_WORLD);
        else
            x = role;
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    by_steps();
    by_default();
    MPI_Finalize();
    return 0;
}
