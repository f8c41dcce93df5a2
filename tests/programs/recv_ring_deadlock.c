/* Every rank receives from its left neighbour before it sends to its right one.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 1 2
 * wait: 0 all 2 MPI_Recv LINE(receive)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 * wait: 2 all 1 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int size = world_size();
    int left = (rank + size - 1) % size;
    int value = rank;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &status);  // @receive
    MPI_Send(&value, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    return finish();
}
