/* A struct is sent as one element and received as its members; a column as a row.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    struct {
        int count;
        double value;
    } pair = {1, 2};
    const int lengths[2] = {1, 1};
    const MPI_Aint places[2] = {0, (char*)&pair.value - (char*)&pair};
    const MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Datatype record, column;
    int matrix[16] = {0};
    MPI_Type_create_struct(2, lengths, places, types, &record);
    MPI_Type_commit(&record);
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        MPI_Send(&pair, 1, record, 1, 0, MPI_COMM_WORLD);
        MPI_Send(matrix, 1, column, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&pair, 1, record, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(matrix, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&record);
    MPI_Type_free(&column);
    return finish();
}
