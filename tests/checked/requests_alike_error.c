/* The library gives all requests that are complete at once the same handle. One of them is lost, as
 * its variable takes the next one.
 *
 *   ranks: 1
 *   find: error | unfinished send | 0 | MPI_Isend LINE(lost)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Request requests[2];
    int number = 0;

    MPI_Isend(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[1]);  // @lost
    MPI_Isend(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    return finish();
}
