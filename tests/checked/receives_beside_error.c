/* Two threads of rank 0 receive into the same variable at the same time.
 *
 *   ranks: 2
 *   find: error | overlapping | 0 | MPI_Recv LINE(receive)
 */
#include <pthread.h>
#include <stdint.h>

#include "tests/checked/checked.h"

static int value;

static void* receive(void* tag) {
    const int number = (int)(intptr_t)tag;
    MPI_Recv(&value, 1, MPI_INT, 1, number, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
    MPI_Send(NULL, 0, MPI_INT, 1, number, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (intptr_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, receive, (void*)i);
        for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    } else {
        usleep(100000);
        for (int i = 0; i < 2; ++i) MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        for (int i = 0; i < 2; ++i)
            MPI_Recv(NULL, 0, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
