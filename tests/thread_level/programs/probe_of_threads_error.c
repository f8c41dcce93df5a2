/* Started threads probe for messages, and let others in before they receive them.
   required: MPI_THREAD_SERIALIZED */
#include <pthread.h>

#include <mpi.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int look(MPI_Status* status) {
    int found;
    pthread_mutex_lock(&mutex);
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &found, status); /* expect: mpi-message-order */
    pthread_mutex_unlock(&mutex);
    return found;
}

static void* receive(void* unused) {
    MPI_Status status;
    int value = 0;
    while (value >= 0) {
        if (!look(&status)) continue;
        pthread_mutex_lock(&mutex);
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t first, second;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&first, NULL, receive, NULL);
    pthread_create(&second, NULL, receive, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    MPI_Finalize();
}
