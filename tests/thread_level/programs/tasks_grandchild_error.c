/* taskwait does not wait for the tasks of tasks.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static void send_later(int tag) {
#pragma omp task firstprivate(tag)
    {
#pragma omp task firstprivate(tag)
        MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
#pragma omp single
    {
        send_later(1);
#pragma omp taskwait
        MPI_Recv(&provided, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}
