/* Variables of functions that are still running, or that are not on the stack, while MPI uses
 * them.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

__attribute__((noinline)) static void wait_for(MPI_Request* request) {
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void post(int* values, int peer, MPI_Request* request) {
    static int kept[64];
    MPI_Irecv(values, 64, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(kept, 64, MPI_INT, peer, 1, MPI_COMM_WORLD, &request[1]);
}

__attribute__((noinline)) static void exchange(int peer) {
    int mine[64] = {0}, theirs[64], more[64];
    MPI_Request request[3];
    post(theirs, peer, request);
    MPI_Irecv(more, 64, MPI_INT, peer, 2, MPI_COMM_WORLD, &request[2]);
    for (int tag = 0; tag < 3; ++tag)
        MPI_Send(mine, 64, MPI_INT, peer, tag, MPI_COMM_WORLD);
    for (int i = 0; i < 3; ++i)
        wait_for(&request[i]);
}

__attribute__((noinline)) static void use(MPI_Win window) {
    MPI_Win_fence(0, window);
}

int main(int argc, char** argv) {
    int values[64] = {0};
    MPI_Win window;
    const int rank = start(&argc, &argv);
    for (int i = 0; i < 3; ++i)
        exchange(1 - rank);
    MPI_Win_create(values, sizeof values, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    use(window);
    MPI_Win_free(&window);
    return finish();
}
