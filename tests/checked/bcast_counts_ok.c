/* The root broadcasts 4 integers, rank 1 takes them as 2 pairs.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[4] = {rank};
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank == 0)
        MPI_Bcast(data, 4, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(data, 2, pair, 0, MPI_COMM_WORLD);
    MPI_Type_free(&pair);
    return finish();
}
