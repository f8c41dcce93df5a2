/* A ring of large Sendrecv with one rank that waits for another tag instead. The
 * first rank has sent and lacks its receive, the second lacks its send.
 *
 * expect: deadlock
 * ranks: 3
 * core: 1 2
 * wait: 1 all 2 MPI_Sendrecv LINE(exchange)
 * wait: 2 all 1 MPI_Recv LINE(receive)
 * call: 0 MPI_Sendrecv LINE(exchange)
 * victim: 0 2
 * hint: 2 tag 5
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* out = large_buffer();
    int* in = large_buffer();
    int right = (rank + 1) % 3;
    int left = (rank + 2) % 3;
    const int n = kRendezvousInts;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Status status;
    if (rank == 2) {
        MPI_Recv(in, n, MPI_INT, left, 9, world, &status);  // @receive
    }
    MPI_Sendrecv(out, n, MPI_INT, right, 5, in, n, MPI_INT, left, 5, world, &status);  // @exchange
    return finish();
}
