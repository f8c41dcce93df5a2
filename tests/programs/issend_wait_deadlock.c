/* Two ranks start a synchronous send to each other and wait for it.
 *
 * expect: deadlock
 * on: ch4_ofi_plain unknown
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Wait LINE(wait)
 * wait: 1 all 0 MPI_Wait LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int peer = 1 - start(&argc, &argv);
    int out = 1;
    int in = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Issend(&out, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);  // @wait
    MPI_Recv(&in, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &status);
    return finish();
}
