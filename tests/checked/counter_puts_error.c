/* Three processes take work by a counter and put what they have found to one place: the
 * counter orders nothing of that.
 *
 *   ranks: 3
 *   find: error | RMA conflict | 1 2 | MPI_Put LINE(put)
 */
#include "tests/checked/checked.h"

enum { kMany = 3 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int one = 1, found = rank;
    int *counter = NULL, *results = NULL, next = 0;
    MPI_Win counters, places;
    MPI_Win_allocate(sizeof(int), 4, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &counters);
    MPI_Win_allocate(kMany * sizeof(int), 4, MPI_INFO_NULL, MPI_COMM_WORLD, &results, &places);
    *counter = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, counters);
    MPI_Win_lock_all(0, places);
    if (rank != 0) {
        MPI_Fetch_and_op(&one, &next, MPI_INT, 0, 0, MPI_SUM, counters);
        MPI_Win_flush(0, counters);
        MPI_Put(&found, 1, MPI_INT, 0, 0, 1, MPI_INT, places);  // @put
        MPI_Win_flush(0, places);
    }
    MPI_Win_unlock_all(places);
    MPI_Win_unlock_all(counters);
    MPI_Win_free(&places);
    MPI_Win_free(&counters);
    return finish();
}
