/* Two threads take messages with matched probes, and others, one at a time, with probes and receives.
 *
 *   ranks: 2
 */
#include <pthread.h>

#include "tests/checked/checked.h"

enum { kMessages = 20 };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void* take(void* unused) {
    for (int i = 0; i < kMessages; ++i) {
        int number = 0;
        MPI_Status status;
        MPI_Message message;
        MPI_Mprobe(1, 0, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(&number, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        pthread_mutex_lock(&turn);
        MPI_Probe(1, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_mutex_unlock(&turn);
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
        for (int i = 0; i < 2 * kMessages; ++i) {
            MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Send(&i, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
    }
    return finish();
}
