/* Two threads probe for messages and receive them, and may take each other's.
 *
 *   ranks: 2
 *   find: warning | message race | 0 | MPI_Probe LINE(probe)
 */
#include <pthread.h>

#include "tests/checked/checked.h"

enum { kMessages = 20 };

static pthread_barrier_t both;

static void* take(void* unused) {
    for (int i = 0; i < kMessages; ++i) {
        int number = 0;
        MPI_Status status;
        pthread_barrier_wait(&both);  // on a busy machine one would be done in front of the other
        MPI_Probe(1, 0, MPI_COMM_WORLD, &status);  // @probe
        MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return unused;
}

int main(int argc, char** argv) {
    int provided = 0, rank = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t thread;
        pthread_barrier_init(&both, NULL, 2);
        pthread_create(&thread, NULL, take, NULL);
        take(NULL);
        pthread_join(thread, NULL);
    } else {
        for (int i = 0; i < 2 * kMessages; ++i)
            MPI_Ssend(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
