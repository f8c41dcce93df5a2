/* A function sends a variable of its own, and waits before it returns.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

volatile int sink;

__attribute__((noinline)) static void post(int value) {
    volatile int sent[2];
    MPI_Request request;
    sent[0] = sent[1] = value;
    MPI_Isend((void*)sent, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void count(void) {
    volatile int numbers[64];
    for (int i = 0; i < 64; ++i)
        numbers[i] = i;
    sink = numbers[63];
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int received[2];
    for (int i = 0; i < 2; ++i) {
        if (rank == 0) {
            post(i);
            count();
        } else {
            MPI_Recv(received, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return finish();
}
