/* Threads that the program starts itself keep a number in a variable of their own, to which another
   file writes something else. */
/* required: MPI_THREAD_MULTIPLE */
/* file: own.h */
extern __thread int own_number;
void take_number(int number);
void synchronize(void);
void next_number(void);
/* file: own.c */
#include "own.h"
__thread int own_number;
void take_number(int number) {
    own_number = number;
}
/* file: next.c */
#include "own.h"
void next_number(void) {
    own_number = own_number % 2;
}
/* file: exchange.c */
#include <mpi.h>
#include "own.h"
void synchronize(void) {
    next_number();
    if (own_number == 0)
        MPI_Send(&own_number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
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
