/* A second thread of rank 0 sends while the first waits for it, with MPI_THREAD_SERIALIZED.
 *
 *   ranks: 2
 */
#include <pthread.h>

#include "tests/checked/checked.h"

static void* send(void* value) {
    MPI_Send(value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char** argv) {
    int level = 0, rank = 0, value = 0, sent = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, send, &sent);
        pthread_join(thread, NULL);
    MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
