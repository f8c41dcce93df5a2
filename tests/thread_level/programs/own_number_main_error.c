/* The threads that the main thread starts count from 0, too, or one of them is asked for.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

#define WORKERS 4

static __thread int my_number;
static __thread int my_row;

static void synchronize(void) {
    if (my_number == 0)
        MPI_Send(&my_number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void *work(void *given) {
    my_number = *(int *)given;
    synchronize();
    return NULL;
}

static void close_row(void) {
    if (my_row == 1)
        MPI_Send(&my_row, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void *help(void *given) {
    my_row = *(int *)given;
    close_row();
    return NULL;
}

int main(int argc, char **argv) {
    int provided;
    pthread_t threads[WORKERS];
    int numbers[WORKERS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    synchronize();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, help, &numbers[i]);
    for (int i = 1; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
