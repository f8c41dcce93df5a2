/* A nonblocking barrier of four ranks, of which one has not started it. The part of
 * rank 2 waits for rank 0, whose part waits for the rank that is missing.
 *
 * expect: deadlock
 * ranks: 4
 * core: 2 3
 * wait: 2 all 3 MPI_Wait LINE(wait)
 * wait: 3 all 2 MPI_Recv LINE(receive)
 * hint: 2 its own part of the operation now waits for rank 0
 * call: 0 MPI_Wait LINE(wait)
 * call: 1 MPI_Wait LINE(wait)
 * victim: 0 3
 * victim: 1 3
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Request request;
    if (rank == 3) {
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
    return finish();
}
