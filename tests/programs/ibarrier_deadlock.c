/* Two of three ranks have started a nonblocking barrier and wait for it; the third
 * has not and waits for one of them.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 2
 * wait: 0 all 2 MPI_Wait LINE(wait)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Wait LINE(wait)
 * victim: 1 2
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Request request;
    MPI_Status status;
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);  // @wait
    return finish();
}
