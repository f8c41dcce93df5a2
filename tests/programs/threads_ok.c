/* One thread of rank 1 waits for a message of rank 0, the other computes and will
 * send what rank 0 waits for.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Recv LINE(receive)
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
        MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
        pthread_t thread;
        pthread_create(&thread, NULL, receive_in_thread, NULL);
        compute_until_released();
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        pthread_join(thread, NULL);
    }
    return finish();
}
