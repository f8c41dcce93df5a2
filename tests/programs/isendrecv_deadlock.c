/* A ring of MPI_Isendrecv: each rank receives from the next one what that sends to the one
 * behind it, with another tag.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 1 2
 * wait: 0 all 1 MPI_Wait LINE(wait)
 * wait: 1 all 2 MPI_Wait LINE(wait)
 * wait: 2 all 0 MPI_Wait LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int next = (rank + 1) % 3;
    int previous = (rank + 2) % 3;
    int value = 0;
    MPI_Request request;
    MPI_Isendrecv(&rank, 1, MPI_INT, previous, 1, &value, 1, MPI_INT, next, 2, MPI_COMM_WORLD,
                  &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
    return finish();
}
