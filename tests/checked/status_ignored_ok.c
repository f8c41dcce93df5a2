/* MPI_Get_count is asked of a status that the receive has filled.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int number = 0, count = 0;
    if (rank == 0) {
        MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Status* const status = &(MPI_Status){0};
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, status);
        MPI_Get_count(status, MPI_INT, &count);
    }
    return finish();
}
