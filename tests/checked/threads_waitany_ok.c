/* Two threads wait for any of some requests, each of its own.
 *
 *   ranks: 2
 */
#include <pthread.h>
#include <unistd.h>

#include "tests/checked/checked.h"

enum { kMessages = 4 };

static MPI_Request requests[kMessages];

static void* wait_for_two(void* first) {
    int which = 0;
    MPI_Waitany(2, first, &which, MPI_STATUS_IGNORE);  // @wait
    return NULL;
}

int main(int argc, char** argv) {
    int provided = 0, rank = 0;
    int received[kMessages];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < kMessages; ++i)
        MPI_Irecv(&received[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, wait_for_two, &requests[0]);
    pthread_create(&threads[1], NULL, wait_for_two, &requests[2]);
    usleep(200000);
    const int sent = rank;
    MPI_Send(&sent, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Send(&sent, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    MPI_Send(&sent, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
    MPI_Send(&sent, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD);
    MPI_Waitall(kMessages, requests, MPI_STATUSES_IGNORE);
    return finish();
}
