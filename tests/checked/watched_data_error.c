/* Rank 1 writes into a table that it has put under watch.
 *
 *   ranks: 2
 *   find: warning | user data changed | 1 | MPI_Bcast LINE(noticed)
 */
#include "include/mqinspect_trace.h"
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    static double table[100];
    const int rank = start(&argc, &argv);
    int value = rank;
    table[3] = 1;
    MQI_TRACE_WATCH("table", table, sizeof table);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) table[5] = 2;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);  // @noticed
    MQI_TRACE_UNWATCH(table);
    return finish();
}
