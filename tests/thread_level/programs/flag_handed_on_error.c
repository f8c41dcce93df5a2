// Flags of levels, and levels, that come by other functions: threads hand over what leads to MPI.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <stdbool.h>

static void tell(bool flag) {
    if (flag) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
}
static void print_above(int level) { tell(level > 1); }
static void print_all(int level) { print_above(level); }
static void report(int level, int mode) {
    if (level < 2) return;
    if (mode == 1) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
}
static void report_all(int level, int mode) { report(level, mode); }
// What is below 0 is much as it is converted.
static void count(unsigned level) {
    if (level > 1) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
}
// The level is another one.
static void tell_next(bool flag) {
    if (flag) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
}
static void print_next(int level) {
    ++level;
    tell_next(level > 1);
}
// The flag is that of another level.
static void tell_any(bool flag) {
    if (flag) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
}
static void print_any(int level, int other) { tell_any(level > 1 || other > 1); }
// By a pointer it may come from anywhere.
static void by_pointer(bool flag) {
    if (flag) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
}
static void (*function)(bool) = by_pointer;

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        print_all(1);
        print_all(2);
#pragma omp barrier
        report_all(2, 0);
        report_all(2, 1);
#pragma omp barrier
        count(-1);
#pragma omp barrier
        print_next(1);
#pragma omp barrier
        print_any(1, 2);
#pragma omp barrier
        by_pointer(false);
        function(true);
    }
    MPI_Finalize();
}
