/* Messages, short and long, arrive in the buffers of pending receives while rank 1 does other
 * things; it writes to its buffers before the receives, behind them, and beside them, and to
 * that of a receive from nobody.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

enum { kRounds = 20, kLong = 15000 };
static int data[2][kLong + 1];

static void send_all(void) {
    for (int i = 0; i < kRounds; ++i) {
        data[0][0] = data[1][0] = i;
        MPI_Send(data[0], 10, MPI_INT, 1, i, MPI_COMM_WORLD);
        MPI_Send(data[1], kLong, MPI_INT, 1, i, MPI_COMM_WORLD);
        MPI_Ssend(&i, 1, MPI_INT, 1, kRounds, MPI_COMM_WORLD);
    }
}

static void receive_all(void) {
    MPI_Datatype even;
    MPI_Type_vector(5, 1, 2, MPI_INT, &even);
    MPI_Type_commit(&even);
    for (int i = 0; i < kRounds; ++i) {
        MPI_Request requests[3];
        int flag = 0, other = 0, nobody = 0;
        data[0][0] = data[1][kLong] = -1;
        MPI_Irecv(data[0], 2, even, 0, i, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(data[1], kLong, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[1]);
        MPI_Irecv(&nobody, 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD, &requests[2]);
        data[0][1] = data[1][kLong] = nobody = i;
        MPI_Recv(&other, 1, MPI_INT, 0, kRounds, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Iprobe(0, kRounds + 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
        if (flag) data[0][0] = i;
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        data[0][0] = data[1][0] = other;
    }
    MPI_Type_free(&even);
}

int main(int argc, char** argv) {
    if (start(&argc, &argv) == 0) {
        send_all();
    } else {
        receive_all();
    }
    return finish();
}
