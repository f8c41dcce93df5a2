/* The same constructs within a sequential loop, or a team of their own.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static int sum;

static void inner_loop(void) {
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < 10; ++i)
        sum += i;
}

static void inner_single(void) {
#pragma omp single
    MPI_Barrier(MPI_COMM_WORLD);
}

static void inner_team(void) {
    int product = 1;
#pragma omp parallel for reduction(* : product)
    for (int i = 1; i < 10; ++i)
        product *= i;
    sum += product;
}

static void serial_loop(void) {
#pragma omp for
    for (int i = 0; i < 4; ++i)
        inner_team();
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        for (int i = 0; i < 4; ++i) {
            inner_loop();
            inner_single();
        }
#pragma omp for
        for (int i = 0; i < 4; ++i)
            inner_team();
    }
    serial_loop();
    MPI_Finalize();
}
