/* Two nonblocking collectives started in different order, each waited for before
 * the next is started.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Wait LINE(reduce)
 * wait: 1 all 0 MPI_Wait LINE(broadcast)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    int sum = 0;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Request request;
    MPI_Status status;
    if (rank == 0) {
        MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, world, &request);
        MPI_Wait(&request, &status);  // @reduce
        MPI_Ibcast(&value, 1, MPI_INT, 0, world, &request);
    } else {
        MPI_Ibcast(&value, 1, MPI_INT, 0, world, &request);
        MPI_Wait(&request, &status);  // @broadcast
        MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, world, &request);
    }
    MPI_Wait(&request, &status);
    return finish();
}
