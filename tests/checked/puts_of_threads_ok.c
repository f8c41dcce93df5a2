/* Two threads put to one place, the second one behind the flush of the first.
 *
 *   ranks: 2
 */
#include <pthread.h>

#include "tests/checked/checked.h"

static MPI_Win window;
static const int numbers[2] = {1, 2};

static void* put(void* unused) {
    MPI_Put(&numbers[1], 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_flush(1, window);
    return unused;
}

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    int* memory = NULL;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        MPI_Put(&numbers[0], 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_flush(1, window);
        pthread_create(&thread, NULL, put, NULL);
        pthread_join(thread, NULL);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return finish();
}
