/* A synchronous send of a vector that is received as a structure, later.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Ssend LINE(send)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    double matrix[8][8] = {{0}};
    MPI_Status status;
    if (rank == 0) {
        MPI_Datatype column;
        MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &column);
        MPI_Type_commit(&column);
        MPI_Ssend(matrix, 1, column, 1, 0, MPI_COMM_WORLD);  // @send
    } else {
        const int lengths[2] = {5, 3};
        const MPI_Aint offsets[2] = {0, 5 * sizeof(double)};
        const MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE};
        MPI_Datatype row;
        MPI_Type_create_struct(2, lengths, offsets, types, &row);
        MPI_Type_commit(&row);
        compute_until_released();
        MPI_Recv(matrix, 1, row, 0, 0, MPI_COMM_WORLD, &status);
    }
    return finish();
}
