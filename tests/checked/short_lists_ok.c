/* Arrays of requests, statuses, counts and dimensions that are as long as the calls say, and some
 * that are not looked at.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

struct exchange {
    MPI_Request requests[2];
    MPI_Request more[2];
};

static void wait_for(MPI_Request* requests, MPI_Status* statuses, int count) {
    MPI_Waitall(count, requests, statuses);
}

int main(int argc, char** argv) {
    struct exchange both = {{MPI_REQUEST_NULL, MPI_REQUEST_NULL},
                            {MPI_REQUEST_NULL, MPI_REQUEST_NULL}};
    MPI_Status statuses[4];
    MPI_Status* const last = &statuses[3];
    MPI_Comm grid;
    int values[2];
    int counts[2] = {1, 1};
    const int displacements[2] = {0, 1};
    const int no_counts[1] = {1};
    const int dims[2] = {2, 1};
    const int periods[2] = {0, 0};
    int flag;
    int number = 0;
    const int rank = start(&argc, &argv);
    MPI_Waitall(2, both.requests, statuses);
    MPI_Waitall(4, both.requests, statuses);  // all that the structure has
    MPI_Waitall(2, &both.more[0], &statuses[2]);
    MPI_Testall(1, both.more + 1, &flag, last);
    wait_for(both.more, statuses + 2, 2);
    // Counts are the root's alone, and what is sent in place has none.
    MPI_Gatherv(&rank, 1, MPI_INT, values, rank == 0 ? counts : no_counts, displacements, MPI_INT,
                0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Gatherv(&rank, 1, MPI_INT, values, counts, displacements, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
        MPI_Gatherv(&rank, 1, MPI_INT, NULL, no_counts, no_counts, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Alltoallv(MPI_IN_PLACE, &number, &number, MPI_INT, values, counts, displacements, MPI_INT,
                  MPI_COMM_WORLD);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_free(&grid);
    return finish();
}
