/* Nobody completes the request of MPI_Comm_idup: there is no communicator that could be freed.
 *
 *   ranks: 2
 *   find: error | unfinished gop | 0 1 | MPI_Comm_idup LINE(make)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Comm duplicate;
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &duplicate, &request);  // @make
    return finish();
}
