/* Neighbours of a ring exchange 64 messages each way, again and again; now and then a sum, and a
 * message that rank 0 takes from any rank.
 *
 *   exchange ROUNDS
 */
#include <stdlib.h>

#include <mpi.h>

enum { MESSAGES = 64, LENGTH = 8 };

int main(int argc, char** argv) {
    static double in[MESSAGES][LENGTH], out[MESSAGES][LENGTH];
    double one = 1, sum = 0;
    int rank = 0, size = 0;
    MPI_Request requests[2 * MESSAGES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (long round = 0; round < rounds; ++round) {
        for (int i = 0; i < MESSAGES; ++i)
            MPI_Irecv(in[i], LENGTH, MPI_DOUBLE, left, i, MPI_COMM_WORLD, &requests[i]);
        for (int i = 0; i < MESSAGES; ++i) {
            out[i][0] = (double)round;
            MPI_Isend(out[i], LENGTH, MPI_DOUBLE, right, i, MPI_COMM_WORLD,
                      &requests[MESSAGES + i]);
        }
        MPI_Waitall(2 * MESSAGES, requests, MPI_STATUSES_IGNORE);
        if (round % 100 != 0) continue;
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank > 0) MPI_Send(&one, 1, MPI_DOUBLE, 0, MESSAGES, MPI_COMM_WORLD);
        for (int other = 1; rank == 0 && other < size; ++other)
            MPI_Recv(&sum, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MESSAGES, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
