/* What is packed is unpacked as it was packed, also in other pieces, and behind another message of
 * other types in the same buffer; other messages are received as what they are.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    char packed[64] = {0};
    int counts[2] = {2, 3}, position = 0;
    float numbers[2] = {1, 2};
    MPI_Request request;
    for (int step = 0; step < 2; ++step) {
        position = 0;
        if (rank == 0) {
            if (step == 0) MPI_Pack(counts, 2, MPI_INT, packed, 64, &position, MPI_COMM_WORLD);
            MPI_Pack(numbers, 2, MPI_FLOAT, packed, 64, &position, MPI_COMM_WORLD);
            MPI_Send(packed, position, MPI_PACKED, 1, step, MPI_COMM_WORLD);
            continue;
        }
        MPI_Irecv(packed, 64, MPI_PACKED, 0, step, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; step == 0 && i < 2; ++i)
            MPI_Unpack(packed, 64, &position, &counts[i], 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Unpack(packed, 64, &position, numbers, 2, MPI_FLOAT, MPI_COMM_WORLD);
    }
    /* The beginning of a message again, from the root to all. */
    position = 0;
    if (rank == 0) MPI_Pack(counts, 1, MPI_INT, packed, 64, &position, MPI_COMM_WORLD);
    MPI_Bcast(packed, 64, MPI_PACKED, 0, MPI_COMM_WORLD);
    position = 0;
    MPI_Unpack(packed, 64, &position, counts, 1, MPI_INT, MPI_COMM_WORLD);
    /* What is packed may be received as what it was. */
    position = 0;
    if (rank == 0) {
        MPI_Pack(numbers, 2, MPI_FLOAT, packed, 64, &position, MPI_COMM_WORLD);
        MPI_Send(packed, position, MPI_PACKED, 1, 9, MPI_COMM_WORLD);
    } else {
        MPI_Recv(numbers, 2, MPI_FLOAT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
