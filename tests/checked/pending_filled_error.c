/* The begin of a receive's buffer is filled with what is there already, before the receive is
 * complete: the C library does so with a wide store, of which a mask lets a part through.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 1 | LINE(touch)
 */
#include <string.h>

#include "tests/checked/checked.h"

enum { kBytes = 200, kBefore = 8 };

/* Not known to the compiler, which would store in its own way. */
volatile size_t length = kBefore + 8;

int main(int argc, char** argv) {
    static _Alignas(64) char memory[kBefore + kBytes];
    const int rank = start(&argc, &argv);
    MPI_Request request;
    memset(memory, 0, length);
    if (rank == 1) {
        MPI_Irecv(memory + kBefore, kBytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
        memset(memory, 0, length);  // @touch
        MPI_Send(NULL, 0, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(NULL, 0, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(memory, kBytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    }
    return finish();
}
