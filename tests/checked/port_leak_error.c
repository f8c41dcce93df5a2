/* A port that is opened is never closed.
 *
 *   ranks: 2
 *   find: warning | leaked port | 0 | MPI_Open_port LINE(leaks)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    char port[MPI_MAX_PORT_NAME] = "";
    if (rank == 0) MPI_Open_port(MPI_INFO_NULL, port);  // @leaks
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    return finish();
}
