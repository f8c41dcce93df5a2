/* A service that nobody has published, and errors end the program.
 *
 *   ranks: 2
 *   find: error | MPI error | 0 | MPI_Lookup_name LINE(look)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    char port[MPI_MAX_PORT_NAME];
    const int rank = start(&argc, &argv);
    if (rank == 0) MPI_Lookup_name("name_not_published", MPI_INFO_NULL, port);  // @look
    return finish();
}
