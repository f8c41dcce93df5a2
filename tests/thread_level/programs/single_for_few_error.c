/* `single` that not all threads of the team come to: nothing keeps the others from their own calls.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>

static int in, out;

static void send_once(void) {
#pragma omp single nowait                            /* expect: mpi-invalid-nesting */
    MPI_Send(&out, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        if (thread == 0) {
            MPI_Recv(&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
        } else if (thread == 1) {
#pragma omp single nowait /* expect: mpi-invalid-nesting */
            MPI_Send(&out, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        }
    }
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0)
            MPI_Recv(&in, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        else if (omp_get_thread_num() == 2)
            send_once();
    }
    MPI_Finalize();
}
