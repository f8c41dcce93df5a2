/* Null is no place for statuses, and not MPI_STATUSES_IGNORE either: the library refuses the call,
 * and does so as well when it is recorded.
 *
 *   ranks: 1
 *   find: error | invalid argument | 0 | MPI_Waitall LINE(wait)
 *   may: MPI error
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    int in = 0, out = 1;
    MPI_Request requests[2];
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[1]);
    const int code = MPI_Waitall(2, requests, NULL);  // @wait
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (code == MPI_SUCCESS) puts("not refused");
    return finish();
}
