/* Collectives over an intercommunicator in a loop: the only rank of one group has
 * its part done, and goes on to the next, while the data is still on its way through
 * the other group.
 *
 * expect: none
 * on: ch3_sock suspected
 * ranks: 4
 * running: any
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    enum { kCount = 1024 };
    static long values[4 * kCount], results[4 * kCount];
    int stop = 0;
    MPI_Comm group;
    MPI_Comm bridge;
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 1, &bridge);
    int per_rank = rank > 0 ? kCount : 3 * kCount;
    while (!stop) {
        int wanted = released();
        MPI_Reduce_scatter_block(values, results, per_rank, MPI_LONG, MPI_SUM, bridge);
        MPI_Allreduce(values, results, kCount, MPI_LONG, MPI_SUM, bridge);
        MPI_Allgather(values, kCount, MPI_LONG, results, kCount, MPI_LONG, bridge);
        MPI_Allreduce(&wanted, &stop, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&bridge);
    MPI_Comm_free(&group);
    return finish();
}
