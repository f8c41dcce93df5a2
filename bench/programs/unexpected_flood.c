/* Rank 1 sends as many messages as the first argument says, in turn on as many
 * communicators as the second says (1: MPI_COMM_WORLD); rank 0 takes them all into its
 * unexpected queue and then waits for a message that nobody sends. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int count = argc > 1 ? atoi(argv[1]) : 1000;
    const int communicators = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Comm* comms = malloc(sizeof(MPI_Comm) * (size_t)communicators);
    comms[0] = MPI_COMM_WORLD;
    for (int i = 1; i < communicators; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    int value = 0;

    if (rank == 1) {
        for (int i = 0; i < count; ++i) {
            MPI_Send(&value, 1, MPI_INT, 0, 1, comms[i % communicators]);
        }
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("blocked\n");
        fflush(stdout);
    }
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
