/* Two active receives into the odd and the even elements of one array, and two active sends of
 * one buffer.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[16] = {0};
    MPI_Request requests[2];
    MPI_Datatype every_second;
    MPI_Type_vector(8, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);
    for (int i = 0; i < 2; ++i) {
        if (rank == 0)
            MPI_Isend(data, 8, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
        else
            MPI_Irecv(data + i, 1, every_second, 0, i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&every_second);
    return finish();
}
