/* Critical sections of different names exclude nothing.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static int value;
static void send(void) {
#pragma omp critical(sending)
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
}
static void receive(void) {
#pragma omp critical(receiving)
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}
int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel sections
    {
#pragma omp section
        send();
#pragma omp section
        receive();
    }
    MPI_Finalize();
}
