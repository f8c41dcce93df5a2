/* Threads that the program starts itself keep their number in a variable of their own, which other
   files write and ask for. */
/* required: MPI_THREAD_SERIALIZED */
/* file: own.h */
extern __thread int own_number;
void take_number(int number);
void synchronize(void);
/* file: own.c */
#include "own.h"
__thread int own_number;
void take_number(int number) {
    own_number = number;
}
/* file: exchange.c */
#include <mpi.h>
#include "own.h"
void synchronize(void) {
    if (own_number == 0) MPI_Barrier(MPI_COMM_WORLD);
}
/* file: main.c */
#include <mpi.h>
#include <pthread.h>
#include "own.h"
static void *work(void *given) {
    take_number((int)(long)given);
    synchronize();
    return NULL;
}
int main(int argc, char **argv) {
    int provided = 0;
    pthread_t threads[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
