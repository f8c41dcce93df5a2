/* A process connects to a port of its own that nobody accepts at; another waits for it.
 *
 *   ranks: 3
 *   stuck
 *   find: error | incomplete call | 1 | MPI_Comm_connect LINE(connect)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    char port[MPI_MAX_PORT_NAME];
    int number = 0;
    MPI_Comm peer;
    const int rank = start(&argc, &argv);
    if (rank == 1) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &peer);  // @connect
        MPI_Comm_disconnect(&peer);
        MPI_Close_port(port);
        MPI_Send(&number, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
