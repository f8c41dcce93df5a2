/* Two sessions are finalized, the first one first.
 *
 *   ranks: 1
 */
#include "tests/checked/checked.h"

int main(void) {
    MPI_Session first;
    MPI_Session second;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &first);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &second);
    MPI_Session_finalize(&first);
    MPI_Session_finalize(&second);
    return EXIT_SUCCESS;
}
