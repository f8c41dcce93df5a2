/* How much has been received is asked in another datatype than it has been received in.
 *
 *   ranks: 2
 *   find: warning | invalid argument | 1 | MPI_Get_count LINE(count)
 *   find: warning | invalid argument | 1 | MPI_Get_elements LINE(elements)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int numbers[8] = {0};
    int count = 0;
    if (rank == 0) {
        MPI_Send(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(numbers, 6, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Status status;
        MPI_Request request;
        MPI_Recv(numbers, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &count);  // @count
        MPI_Irecv(numbers, 8, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, &status);
        MPI_Get_elements(&status, MPI_FLOAT, &count);  // @elements
    }
    return finish();
}
