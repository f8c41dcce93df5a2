/* Persistent requests with MPI_PROC_NULL at the ends of a row of processes, completed by calls that
 * need not name them.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

enum { kRequests = 4 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int behind = rank < 2 ? rank + 1 : MPI_PROC_NULL;
    int numbers[kRequests] = {0};
    MPI_Request requests[kRequests];

    MPI_Recv_init(&numbers[0], 1, MPI_INT, before, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&numbers[1], 1, MPI_INT, behind, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Send_init(&numbers[2], 1, MPI_INT, behind, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Send_init(&numbers[3], 1, MPI_INT, before, 1, MPI_COMM_WORLD, &requests[3]);
    for (int pass = 0; pass < 3; ++pass) {
        MPI_Startall(kRequests, requests);
        for (int done = 0; done != MPI_UNDEFINED;) {
            int which[kRequests];
            MPI_Waitsome(kRequests, requests, &done, which, MPI_STATUSES_IGNORE);
        }
    }
    for (int i = 0; i < kRequests; ++i)
        MPI_Request_free(&requests[i]);
    return finish();
}
