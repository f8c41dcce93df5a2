/* Two collectives in different order.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Allreduce LINE(reduce_first)
 * wait: 1 all 0 MPI_Bcast LINE(broadcast_first)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    int sum = 0;
    MPI_Comm world = MPI_COMM_WORLD;
    if (rank == 0) {
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, world);  // @reduce_first
        MPI_Bcast(&value, 1, MPI_INT, 0, world);
    } else {
        MPI_Bcast(&value, 1, MPI_INT, 0, world);  // @broadcast_first
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, world);
    }
    return finish();
}
