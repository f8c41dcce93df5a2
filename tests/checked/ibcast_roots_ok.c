/* Each rank is the root of a nonblocking broadcast in turn.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[2] = {rank, rank};
    MPI_Request requests[2];
    for (int root = 0; root < 2; ++root)
        MPI_Ibcast(&values[root], 1, MPI_INT, root, MPI_COMM_WORLD, &requests[root]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    return finish();
}
