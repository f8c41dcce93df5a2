/* Both threads of rank 1 wait for messages of rank 0, which waits for rank 1.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Recv LINE(receive)
 * wait: 1 all 0 MPI_Recv LINE(main)
 */
#include <pthread.h>

#include "tests/programs/scenario.h"

static void* receive_in_thread(void* unused) {
    int value = 0;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &status);
    return unused;
}

int main(int argc, char** argv) {
    int provided = MPI_THREAD_SINGLE;
    int value = 0;
    MPI_Status status;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) {
        return EXIT_FAILURE;
    }
    if (world_rank() == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &status);  // @receive
    } else {
        pthread_t thread;
        pthread_create(&thread, NULL, receive_in_thread, NULL);
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);  // @main
        pthread_join(thread, NULL);
    }
    return finish();
}
