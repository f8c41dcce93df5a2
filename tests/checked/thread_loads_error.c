/* A thread that never calls MPI loads from the buffer of a pending receive of the main thread.
 *
 *   ranks: 2
 *   watchpoints
 *   find: error | pending buffer access | 0 | LINE(load)
 */
#include <pthread.h>
#include <stdatomic.h>

#include "tests/checked/checked.h"

static int numbers[4];

static atomic_int step;

static void wait_for(int wanted) {
    while (atomic_load(&step) < wanted)
        sched_yield();
}

static void* use(void* sum) {
    wait_for(1);
    *(int*)sum += numbers[0];  // @load
    atomic_store(&step, 2);
    return NULL;
}

static void receive(int* sum) {
    pthread_t thread;
    MPI_Request request;
    pthread_create(&thread, NULL, use, sum);
    MPI_Irecv(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    atomic_store(&step, 1);
    wait_for(2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    int sum = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        receive(&sum);
    } else {
        MPI_Send(numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (sum < 0) puts("never");
    return finish();
}
