/* A buffer with room for four messages, and one for a single message that has been answered, or
 * that MPI_Buffer_detach has waited for, before the next.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

enum { kMessages = 4, kNumbers = 256, kOne = kNumbers * sizeof(double) + MPI_BSEND_OVERHEAD };

static double numbers[kNumbers];

static void send(int tag) {
    MPI_Bsend(numbers, kNumbers, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
}

static void receive(int tag) {
    MPI_Recv(numbers, kNumbers, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    static char space[kMessages * kOne];
    int bytes, answer = 0;
    void* buffer;
    const int rank = start(&argc, &argv);
    if (rank == 0) {
        MPI_Buffer_attach(space, sizeof space);
        for (int i = 0; i < kMessages; ++i)
            send(i);
        MPI_Buffer_detach(&buffer, &bytes);
        MPI_Buffer_attach(space, kOne);
        for (int i = 0; i < kMessages; ++i) {
            send(i);
            MPI_Recv(&answer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int i = 0; i < kMessages; ++i) {
            send(i);
            MPI_Buffer_detach(&buffer, &bytes);
            MPI_Buffer_attach(space, kOne);
        }
        MPI_Buffer_detach(&buffer, &bytes);
    } else {
        for (int i = kMessages - 1; i >= 0; --i)
            receive(i);
        for (int i = 0; i < kMessages; ++i) {
            receive(i);
            MPI_Send(&answer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
        for (int i = 0; i < kMessages; ++i)
            receive(i);
    }
    return finish();
}
