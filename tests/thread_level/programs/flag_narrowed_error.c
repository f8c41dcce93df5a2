// Flags that are asked before they are narrowed, widened, or cleared for the first thread.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

static int may_communicate(void) {
    if (omp_in_parallel() && omp_get_thread_num() == 0) return 0;
    return 1;
}

static void asked_before(int flag) {
    int value = 0;
#pragma omp parallel
    {
        int mine = flag > 1;
        if (mine) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
        mine = mine && omp_get_thread_num() == 0;
        value += mine;
    }
}

static void widened(int flag) {
    int value = 0;
#pragma omp parallel
    {
        int wide = omp_get_thread_num() == 0;
        wide = wide || flag > 2;
        if (wide) MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
}

static void cleared_behind(void) {
    int value = 0;
#pragma omp parallel
    {
        int mine = 1;
        if (mine) MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);  // expect: mpi-thread-level
        if (omp_get_thread_num() != 0) mine = 0;
        value += mine;
    }
}

static void others(void) {
    int value = 0;
#pragma omp parallel
    {
        if (may_communicate())
            MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
}

static void in_rounds(void) {
    int value = 0;
#pragma omp parallel
    {
        int again = 1;
        for (int i = 0; i < 2; i++) {
            if (again)
                MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);  // expect: mpi-thread-level
            if (omp_get_thread_num() != 0) again = 0;
        }
    }
}

static void perhaps_cleared(int flag) {
    int value = 0;
#pragma omp parallel
    {
        int mine = 1;
        if (flag > 3 && omp_get_thread_num() != 0) mine = 0;
        if (mine) MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    asked_before(argc);
    widened(argc);
    cleared_behind();
    others();
    in_rounds();
    perhaps_cleared(argc);
    MPI_Finalize();
    return 0;
}
