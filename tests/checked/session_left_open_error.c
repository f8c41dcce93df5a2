/* A session beside MPI_Init is still open when the processes end: MPI_Finalize does not end it.
 *
 *   ranks: 2
 *   find: error | missing finalize | 0 1 | MPI_Session_init LINE(begins)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);  // @begins
    int sets = 0;
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
    return finish();
}
