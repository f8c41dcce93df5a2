/* A guard on a function that returns the thread number, far above the call; MPI_Init is too little.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

static int number_of_thread(void) { return omp_get_thread_num(); }

static void exchange(double* x, int n) {
    MPI_Sendrecv_replace(x, n, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, /* expect: mpi-thread-level */
                         MPI_STATUS_IGNORE);
}

static void update(double* x, int n) { exchange(x, n); }

static void smooth(double* x, int n) {
#pragma omp parallel /* expect: mpi-strict-single */
    {
        int thread = number_of_thread();
        x[thread] += 1;
#pragma omp barrier
        if (thread == 0) update(x, n);
#pragma omp barrier
        x[thread] -= 1;
    }
}

int main(int argc, char** argv) {
    static double x[256];
    MPI_Init(&argc, &argv);
    smooth(x, 256);
    MPI_Finalize();
}
