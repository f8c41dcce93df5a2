/* One rank is in a loop of user code that does not end; all others wait for it.
 *
 * expect: none
 * ranks: 3
 * running: 1
 * call: 0 MPI_Recv LINE(receive)
 * call: 2 MPI_Barrier LINE(barrier)
 * sentence: rank 1
 */
#include "tests/programs/scenario.h"

static volatile unsigned long iterations = 0;

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 1) {
        while (++iterations % 1000000 != 0 || !released()) {
        }
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    MPI_Barrier(MPI_COMM_WORLD);  // @barrier
    return finish();
}
