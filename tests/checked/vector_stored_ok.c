/* The program stores between the blocks of a vector that a message is still to come into.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

enum { kBlocks = 3, kLength = 10, kStride = 100 };

int main(int argc, char** argv) {
    static int numbers[kBlocks * kStride];
    const int rank = start(&argc, &argv);
    int go = 0;
    MPI_Datatype blocks;
    MPI_Type_vector(kBlocks, kLength, kStride, MPI_INT, &blocks);
    MPI_Type_commit(&blocks);
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(numbers, 1, blocks, 1, 0, MPI_COMM_WORLD, &request);
        numbers[2 * kStride + kLength] = 7;
        MPI_Send(&go, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&go, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(numbers, 1, blocks, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Type_free(&blocks);
    return finish();
}
