/* Functions that a team calls through a pointer.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

typedef void (*kernel)(double*, int);

static void send(double* part, int n) {
    MPI_Send(part, n, MPI_DOUBLE, 0, omp_get_thread_num(), MPI_COMM_WORLD); /* expect: mpi-thread-level */
}
static void compute(double* part, int n) { part[n - 1] = 0; }

static const kernel kernels[] = {send, compute};

static void run(kernel each) {
    double part[10];
#pragma omp parallel
    each(part, 10);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    for (int i = 0; i < 2; ++i)
        run(kernels[i]);
    MPI_Finalize();
}
