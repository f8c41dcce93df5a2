/* One thread alone receives; threads keep the lock until they have received; threads have tags of
   their own.
   required: MPI_THREAD_SERIALIZED */
#include <pthread.h>

#include <mpi.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int look(int tag, MPI_Status* status) {
    int found;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &found, status);
    return found;
}

static void receive_from(int source, int tag, int* value) {
    MPI_Recv(value, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void* receive_alone(void* unused) {
    MPI_Status status;
    int value = 0;
    while (value >= 0) {
        pthread_mutex_lock(&mutex);
        const int found = look(1, &status);
        pthread_mutex_unlock(&mutex);
        if (!found) continue;
        pthread_mutex_lock(&mutex);
        receive_from(status.MPI_SOURCE, 1, &value);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void* send(void* unused) {
    int value = 0;
    pthread_mutex_lock(&mutex);
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void* receive_at_once(void* unused) {
    MPI_Status status;
    int value = 0;
    while (value >= 0) {
        pthread_mutex_lock(&mutex);
        if (look(2, &status)) receive_from(status.MPI_SOURCE, 2, &value);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void* receive_own(void* tag) {
    MPI_Status status;
    int value = 0;
    while (value >= 0) {
        pthread_mutex_lock(&mutex);
        const int found = look(*(int*)tag, &status);
        pthread_mutex_unlock(&mutex);
        if (!found) continue;
        pthread_mutex_lock(&mutex);
        receive_from(status.MPI_SOURCE, *(int*)tag, &value);
        pthread_mutex_unlock(&mutex);
    }
    return tag;
}

static int receive_one(int* value) {
    MPI_Status status;
    if (!look(5, &status)) return 0;
    receive_from(status.MPI_SOURCE, 5, value);
    return 1;
}

static void* receive_under_lock(void* unused) {
    int value = 0;
    while (value >= 0) {
        if (pthread_mutex_trylock(&mutex) != 0) continue;
        while (receive_one(&value)) value--;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t threads[8];
    int tags[2] = {3, 4};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&threads[0], NULL, receive_alone, NULL);
    pthread_create(&threads[1], NULL, send, NULL);
    for (int i = 2; i < 4; ++i) pthread_create(&threads[i], NULL, receive_at_once, NULL);
    for (int i = 4; i < 6; ++i) pthread_create(&threads[i], NULL, receive_own, &tags[i - 4]);
    for (int i = 6; i < 8; ++i) pthread_create(&threads[i], NULL, receive_under_lock, NULL);
    for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
    MPI_Finalize();
}
