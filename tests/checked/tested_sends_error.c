/* Messages whose sends were tested have been received; then two ranks send to each other before they
 * receive.
 *
 *   ranks: 2
 *   find: warning | potential deadlock | 0 1 | MPI_Send LINE(send)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int other = 1 - rank;
    int out = rank, in, sent = 0;
    MPI_Request request;
    MPI_Isend(&out, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &request);
    while (!sent)
        MPI_Request_get_status(request, &sent, MPI_STATUS_IGNORE);
    for (sent = 0; !sent;)
        MPI_Test(&request, &sent, MPI_STATUS_IGNORE);
    MPI_Recv(&in, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&out, 1, MPI_INT, other, 2, MPI_COMM_WORLD);  // @send
    MPI_Recv(&in, 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
