/* Two threads send with the same envelope: whose message is received first, nobody knows before.
 *
 *   ranks: 2
 */
#include <pthread.h>

#include "tests/checked/checked.h"

enum { kMessages = 50 };

static void* give(void* first) {
    for (int i = 0; i < kMessages; ++i) {
        const int number = *(int*)first + i;
        MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    return first;
}

int main(int argc, char** argv) {
    int provided = 0, rank = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int low = 0, high = 1000;
        pthread_t thread;
        pthread_create(&thread, NULL, give, &high);
        give(&low);
        pthread_join(thread, NULL);
    } else {
        for (int i = 0; i < 2 * kMessages; ++i) {
            int number = 0;
            MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return finish();
}
