/* A loop starts one thread of a kind in its first round, the others in the next ones.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#define THREADS 4

static pthread_t threads[THREADS];
static double sums[THREADS];

static void *receive(void *sum) {
    MPI_Recv(sum, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

static void *work(void *sum) {
    *(double *)sum += 1.0;
    return NULL;
}

static void join(void) {
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
}

static void start_by_branch(void) {
    for (int i = 0; i < THREADS; ++i) {
        if (i == 0) {
            if (pthread_create(&threads[i], NULL, receive, &sums[i]) != 0) exit(1);
        } else {
            if (pthread_create(&threads[i], NULL, work, &sums[i]) != 0) exit(1);
        }
    }
}

static void start_by_choice(int count) {
    int i;
    for (i = 0; i < count; ++i)
        pthread_create(&threads[i], NULL, i == 0 ? receive : work, &sums[i]);
    for (i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

static void start_by_pointer(void) {
    for (int i = 1; i <= THREADS; ++i) {
        void *(*function)(void *) = work;
        if (i < 2) function = receive;
        if (pthread_create(&threads[i - 1], NULL, function, &sums[i - 1]) != 0) exit(1);
    }
}

static void start_one(int is_receiver) {
    pthread_create(&threads[0], NULL, is_receiver ? receive : work, &sums[0]);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int round = 0; round < 3; ++round) {
        start_by_branch();
        join();
        start_by_choice(THREADS);
        start_by_pointer();
        join();
    }
    start_one(argc);
    pthread_join(threads[0], NULL);
    MPI_Finalize();
    return 0;
}
