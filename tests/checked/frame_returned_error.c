/* Variables of functions that return while MPI still uses them: a receive's buffer, a window's
 * memory. They are so far down on the stack that nothing is lost by it here.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 1 | MPI_Irecv LINE(receive)
 *   find: error | pending buffer access | 0 1 | MPI_Win_create LINE(window)
 *   may: pending buffer access
 */
#include "tests/checked/checked.h"

__attribute__((noinline)) static void post(MPI_Request* request) {
    int values[1 << 16];
    MPI_Irecv(values, 64, MPI_INT, 0, 0, MPI_COMM_WORLD, request);  // @receive
}

__attribute__((noinline)) static void expose(MPI_Win* window) {
    int values[1 << 16];
    MPI_Win_create(values, 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, window);  // @window
}

int main(int argc, char** argv) {
    static int sent[64];
    MPI_Request request;
    MPI_Win window;
    const int rank = start(&argc, &argv);
    if (rank == 1) post(&request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_Isend(sent, 64, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expose(&window);
    MPI_Win_free(&window);
    return finish();
}
