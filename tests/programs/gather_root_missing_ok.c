/* A large gather whose root is late.
 *
 * expect: none
 * ranks: 2
 * running: 0
 * call: 1 MPI_Gather LINE(gather)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* data = large_buffer();
    int* all = calloc(2 * (size_t)kRendezvousInts, sizeof(int));
    const int n = kRendezvousInts;
    if (rank == 0) {
        compute_until_released();
    }
    MPI_Gather(data, n, MPI_INT, all, n, MPI_INT, 0, MPI_COMM_WORLD);  // @gather
    return finish();
}
