/* A ring of MPI_Isendrecv in which one rank computes before it takes part.
 *
 * expect: none
 * ranks: 3
 * running: 0
 * call: 2 MPI_Wait LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int next = (rank + 1) % 3;
    int previous = (rank + 2) % 3;
    int value = 0;
    MPI_Request request;
    if (rank == 0) {
        compute_until_released();
    }
    MPI_Isendrecv(&rank, 1, MPI_INT, previous, 1, &value, 1, MPI_INT, next, 1, MPI_COMM_WORLD,
                  &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
