/* Every rank waits in MPI_Recv for its neighbour, for ever. Each rank also holds
 * a few operations on a communicator of its own, as programs do. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm halves;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &halves);
    MPI_Comm_set_name(halves, "halves");
    int values[4] = {0};
    MPI_Request requests[3];
    for (int i = 0; i < 3; ++i) {
        MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, 100 + i, halves, &requests[i]);
    }

    if (rank == 0) {
        printf("blocked\n");
        fflush(stdout);
    }
    MPI_Recv(&values[3], 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
