/* Both threads call MPI: what one receives into, the other one loads too early.
 *
 *   ranks: 2
 *   watchpoints
 *   find: error | pending buffer access | 0 | LINE(load)
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "tests/checked/checked.h"

static int numbers[4];

static atomic_int step;

static void wait_for(int wanted) {
    while (atomic_load(&step) < wanted)
        sched_yield();
}

static void* receive(void* unused) {
    MPI_Request request;
    MPI_Irecv(numbers, 4, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    atomic_store(&step, 1);
    wait_for(2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return unused;
}

static int both(void) {
    int sum = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, receive, NULL);
    MPI_Recv(&sum, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    wait_for(1);
    sum += numbers[0];  // @load
    atomic_store(&step, 2);
    pthread_join(thread, NULL);
    return sum;
}

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        if (both() < 0) puts("never");
    } else {
        MPI_Send(numbers, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        usleep(100000);
        MPI_Send(numbers, 4, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    return finish();
}
