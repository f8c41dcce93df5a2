/* Rank 1 has room for more than comes, and asks how much it was.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[4] = {rank};
    MPI_Status status;
    if (rank == 0) MPI_Send(data, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        int count = 0;
        MPI_Recv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
    }
    return finish();
}
