/* Ports are closed as often as they are opened.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    char port[MPI_MAX_PORT_NAME] = "";
    if (rank == 0) {
        char other[MPI_MAX_PORT_NAME] = "";
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Open_port(MPI_INFO_NULL, other);
        MPI_Close_port(other);
    }
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Close_port(port);
    return finish();
}
