/* The program loads from a buffer that it must leave alone, and sets a handler for SIGTRAP. It gets
 * the traps that are its own, and no others.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 1 | LINE(load)
 */
#include <signal.h>
#include <stdlib.h>

#include "tests/checked/checked.h"

enum { kMany = 1000 };
static volatile sig_atomic_t traps;
static volatile int sum;

static void count(int number) {
    (void)number;
    ++traps;
}

int main(int argc, char** argv) {
    static int numbers[kMany];
    const int rank = start(&argc, &argv);
    MPI_Request request;
    if (rank == 0) {
        MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(numbers, kMany, MPI_INT, 1, 0, MPI_COMM_WORLD);
        return finish();
    }
    MPI_Irecv(numbers, kMany, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    sum += numbers[kMany / 2];  // @load
    if (signal(SIGTRAP, count) != SIG_DFL) abort();
    for (int i = 0; i < 10; ++i)
        sum += i;
    raise(SIGTRAP);
    if (traps != 1) abort();
    if (signal(SIGTRAP, SIG_DFL) != count) abort();
    MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
