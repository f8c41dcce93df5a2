/* Who wants to know whether a service is there looks its name up: MPI returns an error until it has
 * been published, and nobody is to blame.
 *
 *   ranks: 2
 *   find: note | MPI error | 0 | MPI_Lookup_name LINE(look)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    char port[MPI_MAX_PORT_NAME];
    const int rank = start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (rank == 0) MPI_Lookup_name("name_not_published", MPI_INFO_NULL, port);  // @look
    return finish();
}
