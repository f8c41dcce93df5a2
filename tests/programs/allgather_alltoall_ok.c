/* MPI_Allgather, then MPI_Alltoall, for which one rank is late.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Alltoall LINE(exchange)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int out[2] = {rank, rank};
    int in[2] = {0, 0};
    MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    if (rank == 1) {
        compute_until_released();
    }
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);  // @exchange
    return finish();
}
