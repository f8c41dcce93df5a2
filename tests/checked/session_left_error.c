/* The second of two sessions is never finalized.
 *
 *   ranks: 1
 *   find: error | missing finalize | 0 | MPI_Session_init LINE(second)
 */
#include "tests/checked/checked.h"

int main(void) {
    MPI_Session first;
    MPI_Session second;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &first);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &second);  // @second
    MPI_Session_finalize(&first);
    return EXIT_SUCCESS;
}
