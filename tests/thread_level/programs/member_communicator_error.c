/* Each thread has an object of its own, and a member of all of them is one and the same communicator,
   or a copy of one variable.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

#define THREADS 3

struct agent {
    MPI_Comm all;
    MPI_Comm copy;
    double value;
};

static void* sum(void* argument) {
    struct agent* agent = argument;
    double result;
    MPI_Allreduce(&agent->value, &result, 1, MPI_DOUBLE, MPI_SUM, agent->all); /* expect: mpi-concurrent-collectives */
    return NULL;
}

static void* wait(void* argument) {
    struct agent* agent = argument;
    MPI_Barrier(agent->copy); /* expect: mpi-concurrent-collectives */
    return NULL;
}

static void run(struct agent* agents, void* (*function)(void*)) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, function, &agents[i]);
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
    int provided = 0;
    struct agent agents[THREADS];
    MPI_Comm other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    for (int i = 0; i < THREADS; ++i) {
        agents[i].value = i;
        agents[i].all = MPI_COMM_WORLD;
        agents[i].copy = other;
    }
    run(agents, sum);
    run(agents, wait);
    MPI_Finalize();
    return 0;
}
