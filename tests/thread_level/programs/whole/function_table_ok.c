/* A table of functions of another file: one of them is called outside of regions. */
/* required: MPI_THREAD_FUNNELED */
/* file: kernels.c */
#include <mpi.h>
void send_kernel(int i, double *result) {
    *result = i;
    MPI_Send(result, 1, MPI_DOUBLE, MPI_PROC_NULL, i, MPI_COMM_WORLD);
}
void plain_kernel(int i, int j, double *result) {
    *result = i + j;
}
/* file: main.c */
#include <mpi.h>
void send_kernel(int i, double *result);
void plain_kernel(int i, int j, double *result);
static void (*const senders[])(int, double *) = {send_kernel};
static void (*const kernels[])(int, int, double *) = {plain_kernel};
int main(int argc, char **argv) {
    int provided = 0;
    double result = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    senders[argc - 1](3, &result);
#pragma omp parallel private(result)
    {
        kernels[argc - 1](3, 4, &result);
#pragma omp master
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
