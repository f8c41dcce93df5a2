/* One critical section around both.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

static int value;
static void call(int sends) {
#pragma omp critical(mpi)
    {
        if (sends)
            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        else
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
}
int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel sections
    {
#pragma omp section
        call(1);
#pragma omp section
        call(0);
    }
    MPI_Finalize();
}
