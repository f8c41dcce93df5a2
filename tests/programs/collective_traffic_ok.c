/* Collectives in a loop: ranks are in different ones at any moment, since a root
 * and a sender leave early, and all of them go on.
 *
 * expect: none
 * on: ch3_sock suspected
 * ranks: 4
 * running: any
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    MPI_Comm twin;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    int values[4] = {0}, results[4];
    int stop = 0;
    for (int i = 0; !stop; ++i) {
        int wanted = released();
        MPI_Bcast(values, 4, MPI_INT, i % 4, twin);
        MPI_Reduce(values, results, 4, MPI_INT, MPI_SUM, i % 4, twin);
        MPI_Scan(&rank, results, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Alltoall(values, 1, MPI_INT, results, 1, MPI_INT, twin);
        MPI_Allreduce(&wanted, &stop, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&twin);
    return finish();
}
