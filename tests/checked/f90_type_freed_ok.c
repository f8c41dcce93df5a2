/* The datatype for a kind of Fortran's is used and left, what is made of it is freed.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    double values[2] = {rank, rank};
    MPI_Datatype real, pair;
    MPI_Type_create_f90_real(12, 100, &real);
    MPI_Type_contiguous(2, real, &pair);
    MPI_Type_commit(&pair);
    MPI_Bcast(values, 1, pair, 0, MPI_COMM_WORLD);
    MPI_Type_free(&pair);
    return finish();
}
