/* The same request stands twice in the list of MPI_Testall, which MPI may not see.
 *
 *   ranks: 1
 *   find: error | invalid argument | 0 | MPI_Testall LINE(test)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    int values[2] = {0}, done = 0, none = 0;
    MPI_Request requests[2], list[3];
    for (int i = 0; i < 2; ++i)
        MPI_Irecv(&values[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    list[0] = list[1] = requests[0];
    list[2] = requests[1];
    MPI_Testall(3, list, &none, MPI_STATUSES_IGNORE);  // @test
    for (int i = 0; i < 2; ++i)
        MPI_Send(&done, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    return finish();
}
