/* Both ranks send before they receive, longer messages each time, until they no longer fit
 * into what MPI buffers.
 *
 *   ranks: 2
 *   stuck
 *   find: error | real deadlock | 0 1 | MPI_Send LINE(send)
 *   find: warning | potential deadlock | 0 1 | MPI_Send LINE(send)
 *   may: unfinished send
 *   may: nonpaired send
 *   may: abort
 *   may: incomplete call
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    static int data[1 << 20];
    MPI_Status status;
    for (int count = 1024; count <= 1 << 20; count += 8192) {
        MPI_Send(data, count, MPI_INT, 1 - rank, 123, MPI_COMM_WORLD);  // @send
        MPI_Recv(data, count, MPI_INT, 1 - rank, 123, MPI_COMM_WORLD, &status);
    }
    return finish();
}
