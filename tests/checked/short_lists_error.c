/* Arrays of requests, statuses, counts and dimensions that are shorter than the calls say.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Waitall LINE(requests)
 *   find: error | invalid argument | 0 1 | MPI_Waitall LINE(statuses)
 *   find: error | invalid argument | 0 | MPI_Gatherv LINE(counts)
 *   find: error | invalid argument | 0 1 | MPI_Cart_create LINE(dims)
 */
#include "tests/checked/checked.h"

// What lies behind a short array is one of its neighbours, so that nothing breaks.
#define OF_REQUESTS __attribute__((used, section("list_requests")))
#define OF_NUMBERS __attribute__((used, section("list_numbers")))

static OF_REQUESTS MPI_Request before[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
static OF_REQUESTS MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
static OF_REQUESTS MPI_Request behind[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
static OF_NUMBERS int one_before[1] = {1};
static OF_NUMBERS int counts[1] = {1};
static OF_NUMBERS int one_behind[1] = {1};
static MPI_Status statuses_before[3];
static MPI_Status statuses[2];
static MPI_Status statuses_behind[3];

int main(int argc, char** argv) {
    MPI_Request four[4];
    MPI_Comm grid;
    int values[2];
    const int displacements[2] = {0, 1};
    const int periods[2] = {0, 0};
    const int rank = start(&argc, &argv);
    for (int i = 0; i < 4; i++)
        four[i] = MPI_REQUEST_NULL;
    before[1] = behind[0];
    one_before[0] = one_behind[0];
    statuses_before[0] = statuses_behind[0];
    MPI_Waitall(2, &requests[1], MPI_STATUSES_IGNORE);  // @requests
    MPI_Waitall(3, four, statuses);                     // @statuses
    MPI_Gatherv(&rank, 1, MPI_INT, values, counts, displacements,  // @counts
                MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Cart_create(MPI_COMM_WORLD, 2, counts, periods, 0, &grid);  // @dims
    if (grid != MPI_COMM_NULL) MPI_Comm_free(&grid);
    return finish();
}
