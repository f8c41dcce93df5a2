/* A thread that starts while a receive is pending stores to its buffer.
 *
 *   ranks: 2
 *   watchpoints
 *   find: error | pending buffer access | 0 | LINE(store)
 */
#include <pthread.h>

#include "tests/checked/checked.h"

static int numbers[8];

static void* store(void* unused) {
    numbers[0] = 1;  // @store
    return unused;
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI_Request request;
    pthread_t thread;
    if (rank == 0) {
        MPI_Irecv(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        pthread_create(&thread, NULL, store, NULL);
        pthread_join(thread, NULL);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
