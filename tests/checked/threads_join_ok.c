/* Two threads exchange messages and compute sums, each on a communicator and in a window of its
 * own; the main thread joins them before it frees these and ends.
 *
 *   ranks: 2
 */
#include <pthread.h>

#include "tests/checked/checked.h"

enum { kThreads = 2, kRounds = 5 };

static MPI_Comm communicators[kThreads];
static MPI_Win windows[kThreads];
static int other;

static void* work(void* number) {
    const long at = (long)number;
    for (int round = 0; round < kRounds; ++round) {
        int value = round, received = 0, sum = 0;
        MPI_Sendrecv(&value, 1, MPI_INT, other, round, &received, 1, MPI_INT, other, round,
                     communicators[at], MPI_STATUS_IGNORE);
        MPI_Allreduce(&received, &sum, 1, MPI_INT, MPI_SUM, communicators[at]);
        MPI_Win_fence(0, windows[at]);
    }
    return NULL;
}

int main(int argc, char** argv) {
    int provided = 0, rank = 0, memory[kThreads] = {0};
    pthread_t threads[kThreads];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return finish();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    for (long at = 0; at < kThreads; ++at) {
        MPI_Comm_dup(MPI_COMM_WORLD, &communicators[at]);
        MPI_Win_create(&memory[at], sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                       &windows[at]);
    }
    for (long at = 0; at < kThreads; ++at)
        pthread_create(&threads[at], NULL, work, (void*)at);
    for (int at = 0; at < kThreads; ++at)
        pthread_join(threads[at], NULL);
    for (int at = 0; at < kThreads; ++at) {
        MPI_Win_free(&windows[at]);
        MPI_Comm_free(&communicators[at]);
    }
    return finish();
}
