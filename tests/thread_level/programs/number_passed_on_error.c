/* Twin of number_passed_on_ok.c: other threads have these numbers, or all.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>

static int thread_number(void) { return omp_get_thread_num() % 2; }
static int number_from_1(void) { return omp_get_thread_num() + 1; }
static bool is_other(void) { return omp_get_thread_num() != 0; }

static void meet(int thread) {
    if (thread == 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void share(bool other, double* value) {
    if (other)
        MPI_Bcast(value, 1, MPI_DOUBLE, 0, /* expect: mpi-concurrent-collectives */
                  MPI_COMM_WORLD);
}

static void meet_second(int number) {
    if (number == 2) MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

void step(double* value) {
    meet(thread_number());
#pragma omp barrier
    share(is_other(), value);
#pragma omp barrier
    meet_second(number_from_1());
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
