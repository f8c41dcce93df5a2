/* The number of a thread says nothing of who executes a task that was made elsewhere, or that goes
   on on another thread.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>

static double part[16];

static void send_first(int tag) {
    if (omp_get_thread_num() == 0)
        MPI_Send(part, 4, MPI_DOUBLE, 0, tag, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        for (int i = 0; i < 8; ++i) {
#pragma omp task
            if (thread == 0)
                MPI_Send(part, 16, MPI_DOUBLE, 0, i, MPI_COMM_SELF); /* expect: mpi-thread-level */
        }
    }
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 8; ++i) {
#pragma omp task untied
        {
            if (omp_get_thread_num() == 0) {
#pragma omp taskyield
                MPI_Send(part, 8, MPI_DOUBLE, 0, i, MPI_COMM_SELF);
            }
            send_first(i);
        }
    }
#pragma omp parallel
    {
#pragma omp single nowait
        if (omp_get_thread_num() == 1)
            MPI_Send(part, 2, MPI_DOUBLE, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
        if (omp_get_thread_num() == 1) {
#pragma omp task
            if (omp_get_thread_num() == 0) MPI_Send(part, 3, MPI_DOUBLE, 0, 2, MPI_COMM_SELF);
        }
    }
    MPI_Finalize();
}
