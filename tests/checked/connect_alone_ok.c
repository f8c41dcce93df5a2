/* The port is accepted at by the process that the others wait for.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    char port[MPI_MAX_PORT_NAME];
    int number = 0;
    MPI_Comm peer = MPI_COMM_NULL;
    const int rank = start(&argc, &argv);
    if (rank == 1) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &peer);
        MPI_Close_port(port);
        MPI_Send(&number, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &peer);
    }
    if (peer != MPI_COMM_NULL) MPI_Comm_disconnect(&peer);
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
