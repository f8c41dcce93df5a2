/* An object on the heap, and one in another object.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
struct part { pthread_mutex_t mutex; int peer; };
struct whole { struct part part; int more; };
static void send(struct part* p, int tag) {
    pthread_mutex_lock(&p->mutex);
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF); /* expect: mpi-conditional-lock */
    pthread_mutex_unlock(&p->mutex);
}
int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    struct part* first = malloc(sizeof *first);
    struct whole* second = malloc(sizeof *second);
    pthread_mutex_init(&first->mutex, 0);
    pthread_mutex_init(&second->part.mutex, 0);
#pragma omp parallel sections
    {
#pragma omp section
        send(first, 1);
#pragma omp section
        send(&second->part, 2);
    }
    MPI_Finalize();
    return 0;
}
