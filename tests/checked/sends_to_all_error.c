/* All send to all others what nobody receives. Were they to wait for each other, they would do so in
 * these sends.
 *
 *   ranks: 4
 *   find: error | nonpaired send | 0 1 2 3 | LINE(send)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int number = rank, size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int peer = 0; peer < size; ++peer)
        if (peer != rank)
            MPI_Send(&number, 1, MPI_INT, peer, 7, MPI_COMM_WORLD);  // @send
    return finish();
}
