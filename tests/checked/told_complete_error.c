/* The program does not look at what MPI_Request_get_status says, changes the buffer of a send that
 * nobody receives yet, and frees the request of another one.
 *
 *   ranks: 2
 *   find: error | send checksum | 0 | MPI_Isend LINE(send)
 *   find: warning | nonpersistent request free | 0 | MPI_Request_free LINE(free)
 */
#include "tests/checked/checked.h"

enum { kMany = 100000 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int* const values = calloc(2 * kMany, sizeof(int));
    MPI_Request requests[2];
    int flag = 0;
    if (rank == 0) {
        MPI_Isend(values, kMany, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);  // @send
        MPI_Isend(values + kMany, kMany, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
        values[0] = 7;
        MPI_Request_get_status(requests[1], &flag, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Request_free(&requests[1]);  // @free
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(values, kMany, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(values + kMany, kMany, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    free(values);
    return finish();
}
