/* A rank is in MPI_Finalize, the others are late: nobody waits for a message.
 *
 * expect: none
 * ranks: 2
 * running: 0
 * call: 1 MPI_Finalize LINE(finalize)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        compute_until_released();
    }
    MPI_Finalize();  // @finalize
    printf("finished %d\n", rank);
    return EXIT_SUCCESS;
}
