/* The same, when they are there.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    double number = 1, sum = 0;
    float small = 1;
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Send(&number, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&small, 1, MPI_FLOAT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&number, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&small, 1, MPI_FLOAT, 0, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        sum += number;
        sum += (double)small;
    }
    if (sum < 0) puts("never");
    return finish();
}
