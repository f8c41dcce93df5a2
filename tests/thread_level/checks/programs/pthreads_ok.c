/* without: OpenMP
   expect: context a 2
   expect: context b 0
   Many threads, one after the other or behind a lock; one ends within a call. */
#include "program.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* send(void* unused) {
    pthread_mutex_lock(&mutex);
    SEND("a");
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void* end(void* unused) {
    mpi_thread_level_call(SITE("a", "-", "i", "MPI_Send"), 1);
    pthread_exit(unused);
}

int main(void) {
    pthread_t threads[10];
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < 10; ++i)
            pthread_create(&threads[i], NULL, send, NULL);
        for (int i = 0; i < 10; ++i)
            pthread_join(threads[i], NULL);
        pthread_create(&threads[0], NULL, end, NULL);
        pthread_join(threads[0], NULL);
        SEND("b");
    }
    return 0;
}
