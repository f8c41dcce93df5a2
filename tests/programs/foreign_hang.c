/* Everything that a foreign debugger DLL should show of four ranks, which then stand in
 * a wait that nobody ends: receives and rendezvous sends on MPI_COMM_WORLD and on the
 * halves of a split in reverse order, a wildcard, and a persistent send and receive
 * that are not started.
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    static int numbers[1000];
    static int few[4];
    int rank = start(&argc, &argv);
    int size = world_size();
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Request requests[8];

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, size - rank, &half);
    MPI_Comm_set_name(half, rank % 2 == 0 ? "even reversed" : "odd reversed");
    int half_rank = -1;
    MPI_Comm_rank(half, &half_rank);

    int next = (rank + 1) % size;
    MPI_Irecv(numbers, 1000, MPI_INT, next, 42, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(few, 4, MPI_INT, 1 - half_rank, 99, half, &requests[1]);
    MPI_Irecv(few, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, half, &requests[2]);
    MPI_Isend(large_buffer(), kRendezvousInts, MPI_INT, next, 9, MPI_COMM_WORLD, &requests[3]);
    /* Not taken by the wildcard receive: on the other communicator. */
    MPI_Issend(few, 1, MPI_INT, next, 11, MPI_COMM_WORLD, &requests[4]);
    MPI_Send_init(few, 4, MPI_INT, next, 13, MPI_COMM_WORLD, &requests[5]);
    MPI_Recv_init(few, 4, MPI_INT, next, 13, MPI_COMM_WORLD, &requests[6]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    return finish();
}
