/* What a thread asks for in a variable of its own is not its number: it is asked before it is
   written, or written on one way only; something else is written to it, too; threads are handed
   their numbers divided by two; what is asked is that it is another number.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

#define WORKERS 4

static __thread int my_number;
static __thread long my_slot;
static __thread int my_row;
static __thread int my_half;
static __thread int my_place;

static void synchronize(void) {
    if (my_number == 0)
        MPI_Send(&my_number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void *worker(void *given) {
    synchronize();
    my_number = *(int *)given;
    return NULL;
}

static void report(void) {
    if (my_slot == 0)
        MPI_Send(&my_slot, 1, MPI_LONG, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void *help(void *given) {
    const long number = (long)given;
    if (number > 1) my_slot = number;
    report();
    return NULL;
}

static void next_row(void) {
    my_row = my_row / 2;
}

static void *work(void *given) {
    my_row = *(int *)given;
    next_row();
    if (my_row == 0)
        MPI_Send(&my_row, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    return NULL;
}

static void *divide(void *given) {
    my_half = (int)(long)given;
    if (my_half == 1)
        MPI_Send(&my_half, 1, MPI_INT, 0, 4, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    return NULL;
}

static void pass_on(void) {
    if (my_place != 0)
        MPI_Send(&my_place, 1, MPI_INT, 0, 5, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void *visit(void *given) {
    my_place = (int)(long)given;
    pass_on();
    return NULL;
}

static void join_all(pthread_t *threads) {
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
    int provided;
    pthread_t threads[WORKERS];
    int numbers[WORKERS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, worker, &numbers[i]);
    }
    join_all(threads);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, help, (void *)i);
    join_all(threads);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    join_all(threads);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, divide, (void *)(i / 2));
    join_all(threads);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, visit, (void *)i);
    join_all(threads);
    MPI_Finalize();
    return 0;
}
