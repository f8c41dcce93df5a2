/* The buffer for buffered sends is freed before it is detached, and the kernel has its pages back
 * when a message is put there.
 *
 *   ranks: 2
 *   find: error | use after free | 0 1 | MPI_Buffer_attach LINE(attach)
 *   may: abort
 */
#include <stdlib.h>

#include "tests/checked/checked.h"

enum { kBytes = 1 << 22 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank, size = 0;
    char* room = malloc(kBytes);
    MPI_Buffer_attach(room, kBytes);  // @attach
    free(room);
    if (rank == 0) MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&room, &size);
    return finish();
}
