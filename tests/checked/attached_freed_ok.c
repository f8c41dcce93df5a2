/* The buffer for buffered sends is freed when it has been detached, with it all messages
 * that were put there.
 *
 *   ranks: 2
 */
#include <stdlib.h>

#include "tests/checked/checked.h"

enum { kBytes = 1 << 22 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank, size = 0;
    char* room = malloc(kBytes);
    MPI_Buffer_attach(room, kBytes);
    if (rank == 0) MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&room, &size);
    free(room);
    return finish();
}
