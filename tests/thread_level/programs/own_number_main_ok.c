/* The main thread has number 0 in a variable of its own, the threads that it starts have the others:
   what 0 is asked for is the main thread's.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <pthread.h>

#define WORKERS 4

static __thread int my_number;

static void synchronize(void) {
    if (my_number == 0) MPI_Barrier(MPI_COMM_WORLD);
}

static void *work(void *given) {
    my_number = *(int *)given;
    for (int step = 0; step < 3; step++)
        synchronize();
    return NULL;
}

int main(int argc, char **argv) {
    int provided;
    pthread_t threads[WORKERS];
    int numbers[WORKERS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    numbers[0] = 0;
    for (int i = 1; i < WORKERS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    work(&numbers[0]);
    for (int i = 1; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
