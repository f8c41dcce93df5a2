/* The loop changes its index; begins again before the threads are joined; starts what calls MPI in
   all rounds but the first one; or what is asked is not its index.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#define THREADS 4

static pthread_t threads[2 * THREADS];
static double sums[THREADS];

static void *receive_changed(void *sum) {
    MPI_Recv(sum, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return NULL;
}

static void *receive_again(void *sum) {
    MPI_Recv(sum, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return NULL;
}

static void *receive_later(void *sum) {
    MPI_Recv(sum, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return NULL;
}

static void *receive_other(void *sum) {
    MPI_Recv(sum, 1, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return NULL;
}

static void *receive_both(void *sum) {
    MPI_Recv(sum, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return NULL;
}

static void *work(void *sum) {
    *(double *)sum += 1.0;
    return NULL;
}

static void join(void) {
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
}

static void start_changed(int more) {
    int started = 0;
    for (int i = 0; i < THREADS; ++i) {
        pthread_create(&threads[started++], NULL, i == 0 ? receive_changed : work, &sums[i]);
        if (--more > 0) i = -1;
    }
}

static void start_again(void) {
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < THREADS; ++i) {
            if (i == 0) {
                pthread_create(&threads[round * THREADS], NULL, receive_again, &sums[i]);
            } else {
                pthread_create(&threads[round * THREADS + i], NULL, work, &sums[i]);
            }
        }
    }
    for (int i = 0; i < 2 * THREADS; ++i) pthread_join(threads[i], NULL);
}

static void start_later(void) {
    for (int i = 0; i < THREADS; ++i)
        pthread_create(&threads[i], NULL, i == 0 ? work : receive_later, &sums[i]);
}

static void start_other(int kind) {
    for (int i = 0; i < THREADS; ++i)
        pthread_create(&threads[i], NULL, kind == 0 ? receive_other : work, &sums[i]);
}

static void start_both(void) {
    for (int i = 0; i < THREADS; ++i) {
        void *(*function)(void *) = work;
        if (i < 2) function = receive_both;
        if (pthread_create(&threads[i], NULL, function, &sums[i]) != 0) exit(1);
    }
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    start_changed(argc);
    join();
    start_again();
    start_later();
    join();
    start_other(argc);
    join();
    start_both();
    join();
    MPI_Finalize();
    return 0;
}
