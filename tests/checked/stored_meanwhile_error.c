/* A thread stores to the buffer that another one waits for in MPI_Recv.
 *
 *   ranks: 2
 *   watchpoints
 *   find: error | pending buffer access | 0 | LINE(store)
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "tests/checked/checked.h"

static int numbers[8];
static atomic_int waits;

static void* store(void* unused) {
    while (atomic_load(&waits) == 0)
        sched_yield();
    usleep(100000);
    numbers[0] = 1;  // @store
    return unused;
}

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, store, NULL);
        atomic_store(&waits, 1);
        MPI_Recv(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    } else {
        usleep(300000);
        MPI_Send(numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
