/* Threads that the program starts itself keep their number in a variable of their own: who asks for
   that in what they call is one thread, be the number what they are handed, what that points to, a
   member of it, or written by a function that is handed it.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

#define WORKERS 4

struct job {
    double load;
    int number;
};

static __thread int my_number;
static __thread int my_job = -1;
static __thread long my_slot;
static __thread int my_place;

static void synchronize(void) {
    if (my_number == 0) MPI_Barrier(MPI_COMM_WORLD);
}

static void *worker(void *given) {
    my_number = *(int *)given;
    for (int step = 0; step < 3; step++)
        synchronize();
    return NULL;
}

static void finish(struct job *job) {
    if (my_job != 2) return;
    MPI_Allreduce(MPI_IN_PLACE, &job->load, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void *work(void *given) {
    struct job *job = given;
    job->load = 1;
    my_job = job->number;
    if (my_job == 1) job->load = 2;
    finish(job);
    return NULL;
}

static void *help(void *given) {
    my_slot = (long)given;
    if (my_slot == 2) MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

static void take_place(int number) {
    my_place = number;
}

static void *visit(void *given) {
    take_place((int)(long)given);
    if (my_place == 1) MPI_Barrier(MPI_COMM_WORLD);
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
    struct job jobs[WORKERS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, worker, &numbers[i]);
    }
    join_all(threads);
    for (int i = 0; i < WORKERS; i++) {
        jobs[i].number = i;
        pthread_create(&threads[i], NULL, work, &jobs[i]);
    }
    join_all(threads);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, help, (void *)i);
    join_all(threads);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, visit, (void *)i);
    join_all(threads);
    MPI_Finalize();
    return 0;
}
