/* The buffer of a receive is written to in each pass of a long loop, before the receive has begun.
 *
 *   ranks: 2
 *   option: --guard-buffers
 */
#include "tests/checked/checked.h"

enum { kPasses = 4500, kWrong = 4400 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int number = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
        if (rank == 0) {
            MPI_Request request;
            number = pass + kWrong;
            MPI_Irecv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
            MPI_Send(&pass, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    return finish();
}
