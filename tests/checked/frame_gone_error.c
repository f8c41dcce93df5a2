/* A function sends a variable of its own, does not wait, and returns: other functions have its memory
 * then. What they do there says nothing of the error; that nobody waits is the cause.
 *
 *   ranks: 2
 *   find: error | unfinished send | 0 | MPI_Isend LINE(send)
 */
#include "tests/checked/checked.h"

volatile int sink;

__attribute__((noinline)) static void post(int value) {
    volatile int sent[2];
    MPI_Request request;
    sent[0] = sent[1] = value;
    MPI_Isend((void*)sent, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // @send
}

__attribute__((noinline)) static void count(void) {
    volatile int numbers[64];
    for (int i = 0; i < 64; ++i)
        numbers[i] = i;
    sink = numbers[63];
}

__attribute__((noinline)) static void count_down(void) {
    volatile int numbers[64];
    for (int i = 64; i-- > 0;)
        numbers[i] = i;
    sink = numbers[0];
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int received[2];
    for (int i = 0; i < 2; ++i) {
        if (rank == 0) {
            post(i);
            if (i == 0) count();
            if (i == 1) count_down();
        } else {
            MPI_Recv(received, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return finish();
}
