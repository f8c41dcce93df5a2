/* Two threads receive with the same envelope, as something else than was sent.
 *
 *   ranks: 2
 *   find: error | wrong data type | 0 1 | MPI_Recv LINE(receive)
 */
#include <pthread.h>

#include "tests/checked/checked.h"

enum { kMessages = 50 };

static void* take(void* unused) {
    for (int i = 0; i < kMessages; ++i) {
        float number = 0;
        MPI_Recv(&number, 1, MPI_FLOAT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
    }
    return unused;
}

int main(int argc, char** argv) {
    int provided = 0, rank = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, take, NULL);
        take(NULL);
        pthread_join(thread, NULL);
    } else {
        for (int i = 0; i < 2 * kMessages; ++i)
            MPI_Ssend(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
