/* Threads that write their number to a variable of their own in a function further down, which is
   handed the object that has it.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

#define WORKERS 4

struct job {
    double load;
    int number;
};

static __thread int my_number = -1;

static void synchronize(void) {
    if (my_number != 0) return;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void run(struct job *job) {
    my_number = job->number;
    job->load = 1;
    synchronize();
}

static void *work(void *given) {
    run(given);
    return NULL;
}

int main(int argc, char **argv) {
    int provided;
    pthread_t threads[WORKERS];
    struct job jobs[WORKERS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < WORKERS; i++) {
        jobs[i].number = i;
        pthread_create(&threads[i], NULL, work, &jobs[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
