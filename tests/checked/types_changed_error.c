/* Rank 1 changes the datatypes of a nonblocking exchange before that is complete.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 1 | MPI_Ialltoallw LINE(exchange)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int out[2] = {rank, rank}, in[2] = {0};
    int counts[2] = {1, 1}, bytes[2] = {0, sizeof(int)};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Request request;
    MPI_Ialltoallw(out, counts, bytes, types, in, counts, bytes, types, MPI_COMM_WORLD,  // @exchange
                   &request);
    if (rank == 1) types[1] = MPI_FLOAT;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
