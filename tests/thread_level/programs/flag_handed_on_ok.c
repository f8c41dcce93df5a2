// Flags of levels, and levels, that come by other functions: threads hand over what does not lead to MPI.
// required: MPI_THREAD_FUNNELED
#include <mpi.h>
#include <stdbool.h>

static void tell(bool flag) {
    if (flag) MPI_Barrier(MPI_COMM_WORLD);
}
static void print_above(int level) { tell(level > 1); }
static void print_all(int level) { print_above(level); }
static void report(int level, int mode) {
    if (level < 2) return;
    if (mode == 1) MPI_Barrier(MPI_COMM_WORLD);
}
static void report_all(int level, int mode) { report(level, mode); }

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    print_all(2);
    report_all(2, 1);
#pragma omp parallel
    {
        print_all(1);
        print_above(0);
        report_all(2, 0);
        report_all(1, 1);
#pragma omp master
        print_all(3);
    }
    MPI_Finalize();
}
