/* What a function tells of the thread is handed on where no construct is.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>

static int thread_number(void) { return omp_get_thread_num(); }
static int number_from_1(void) { return omp_get_thread_num() + 1; }
static bool is_master(void) { return omp_get_thread_num() == 0; }

static void meet(int thread) {
    if (thread == 0) MPI_Barrier(MPI_COMM_WORLD);
}

static void share(bool master, double* value) {
    if (master) MPI_Bcast(value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void meet_first(int number) {
    if (number == 1) MPI_Barrier(MPI_COMM_WORLD);
}

void step(double* value) {
    int thread = thread_number();
    meet(thread);
    meet(thread_number());
    share(is_master(), value);
    meet_first(number_from_1());
    if (number_from_1() == 1) MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided;
    double value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    step(&value);
    MPI_Finalize();
}
