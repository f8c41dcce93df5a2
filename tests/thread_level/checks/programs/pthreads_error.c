/* without: OpenMP
   expect: overlapped a a
   expect: context a 2
   says: 1 ran at the same time.* MPI_THREAD_MULTIPLE */
#include "program.h"

static void* send(void* unused) {
    SEND("a");
    return unused;
}

int main(void) {
    mpi_work = meet;
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], NULL, send, NULL);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    return 0;
}
