/* How much has been received is asked in the datatype of the receive, in one of the same elements, in
 * bytes; and how much there is, of a message that is not received yet.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int numbers[8] = {0};
    double values[8] = {0};
    int count = 0;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank == 0) {
        MPI_Send(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(values, 2, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Status status;
        MPI_Recv(numbers, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        MPI_Get_count(&status, pair, &count);
        MPI_Get_elements(&status, pair, &count);
        MPI_Get_count(&status, MPI_BYTE, &count);
        MPI_Get_count(&status, MPI_CHAR, &count);
        MPI_Probe(0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &count);
        MPI_Recv(values, count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &count);
    }
    MPI_Type_free(&pair);
    return finish();
}
