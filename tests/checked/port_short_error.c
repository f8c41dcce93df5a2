/* The array for the name of a port is too short for what it is.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 | MPI_Open_port LINE(open)
 *   may: abend
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    static char port[4];
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);  // @open
        MPI_Close_port(port);
    }
    return finish();
}
