/* Each thread has an object of its own, with a communicator of its own.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

#define THREADS 3

struct agent {
    MPI_Comm made;
    MPI_Comm chosen;
    MPI_Comm handed;
    double value;
};

static void* sum(void* argument) {
    struct agent* agent = argument;
    double result;
    MPI_Allreduce(&agent->value, &result, 1, MPI_DOUBLE, MPI_SUM, agent->made);
    return NULL;
}

static void* wait(void* argument) {
    struct agent* agent = argument;
    MPI_Barrier(agent->chosen);
    return NULL;
}

static void* scan(void* argument) {
    struct agent* agent = argument;
    double result;
    MPI_Scan(&agent->value, &result, 1, MPI_DOUBLE, MPI_SUM, agent->handed);
    return NULL;
}

static void run(struct agent* agents, void* (*function)(void*)) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, function, &agents[i]);
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
}

static void make(MPI_Comm* communicator) { MPI_Comm_dup(MPI_COMM_WORLD, communicator); }

int main(int argc, char** argv) {
    int provided = 0;
    struct agent agents[THREADS];
    MPI_Comm lanes[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    for (int i = 0; i < THREADS; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &lanes[i]);
        agents[i].value = i;
        agents[i].made = MPI_COMM_WORLD;
        MPI_Comm_dup(MPI_COMM_WORLD, &agents[i].made);
        agents[i].chosen = lanes[i];
        agents[i].handed = MPI_COMM_NULL;
        make(&agents[i].handed);
    }
    run(agents, sum);
    run(agents, wait);
    run(agents, scan);
    MPI_Finalize();
    return 0;
}
