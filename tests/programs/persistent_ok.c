/* A persistent receive whose sender computes, used twice.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Wait LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Request request;
    if (rank == 0) {
        MPI_Recv_init(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    } else {
        MPI_Send_init(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
    }
    for (int round = 0; round < 2; ++round) {
        if (rank == 1 && round == 1) {
            compute_until_released();
        }
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
    }
    MPI_Request_free(&request);
    return finish();
}
