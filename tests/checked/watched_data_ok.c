/* A table is filled, put under watch, read, and changed only when the watch is over; then once
 * more. What is only noted now and then may change.
 *
 *   ranks: 2
 */
#include "include/mqinspect_trace.h"
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    static double table[100];
    double residual = 1;
    const int rank = start(&argc, &argv);
    int value = rank;
    for (int round = 0; round < 2; ++round) {
        table[3] = round;
        MQI_TRACE_WATCH("table", table, sizeof table);
        MPI_Barrier(MPI_COMM_WORLD);
        residual = residual / 2 + table[3];
        MQI_TRACE_DATA("residual", &residual, sizeof residual);
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MQI_TRACE_UNWATCH(table);
        table[5] = 2 + round;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return finish();
}
