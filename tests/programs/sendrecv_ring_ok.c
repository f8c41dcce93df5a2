/* A ring of large Sendrecv with one rank that is late.
 *
 * expect: none
 * ranks: 3
 * running: 2
 * call: 0 MPI_Sendrecv LINE(exchange)
 * call: 1 MPI_Sendrecv LINE(exchange)
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
        compute_until_released();
    }
    MPI_Sendrecv(out, n, MPI_INT, right, 5, in, n, MPI_INT, left, 5, world, &status);  // @exchange
    return finish();
}
