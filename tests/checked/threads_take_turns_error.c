/* Two threads take turns at an exchange that only one of them is allowed to make: what they send
 * comes in order all the same.
 *
 *   ranks: 2
 *   find: error | thread level | 0 1 | MPI_Irecv LINE(exchange)
 */
#include <pthread.h>

#include "tests/checked/checked.h"

enum { kMany = 50 };

static int rank;

static void* exchange(void* unused) {
    static int round = 0;
    int sent[kMany], received[kMany];
    MPI_Request requests[2];
    for (int i = 0; i < kMany; ++i)
        sent[i] = rank + i + ++round;
    MPI_Irecv(received, kMany, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);  // @exchange
    MPI_Isend(sent, kMany, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    return unused;
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 8; ++i) {
        pthread_t thread;
        exchange(NULL);
        pthread_create(&thread, NULL, exchange, NULL);
        pthread_join(thread, NULL);
    }
    return finish();
}
