/* One of 6000 requests, more than a block of the record log holds, is left out of MPI_Waitall.
 *
 *   ranks: 1
 *   find: error | unfinished recv | 0 | MPI_Irecv LINE(irecv)
 */
#include "tests/checked/checked.h"

enum { kMost = 3000 };

/* Each message goes to the process itself, so that no buffer space is in the way. */
static void exchange(int count, int missing) {
    static int sent[kMost], received[kMost];
    static MPI_Request requests[2 * kMost];
    for (int i = 0; i < count; ++i) {
        sent[i] = i;
        MPI_Irecv(&received[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);  // @irecv
        MPI_Isend(&sent[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[count + i]);
    }
    MPI_Waitall(2 * count - missing, requests + missing, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
    start(&argc, &argv);
    exchange(1, 0);
    exchange(200, 0);
    exchange(kMost, 1);
    return finish();
}
