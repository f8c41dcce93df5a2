/* Threads start with an object that says what they call: of each one it is known what that is. Only
   the main thread's own jobs call MPI.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <pthread.h>

struct job {
    void (*run)(void *);
    void (*finish)(struct job *);
    void *argument;
};

static double sums[4];

static void add(void *argument) {
    double *sum = argument;
    for (int i = 0; i < 1000; ++i) *sum += i;
}

static void halve(void *argument) {
    *(double *)argument /= 2;
}

static void send(void *argument) {
    MPI_Send(argument, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
}

static void forget(struct job *job) {
    job->argument = 0;
}

static void tell(struct job *job) {
    MPI_Bcast(job->argument, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void execute(struct job *job) {
    job->run(job->argument);
    job->finish(job);
}

static void *start(void *argument) {
    struct job *job = argument;
    job->run(job->argument);
    return 0;
}

static void *start_all(void *argument) {
    execute(argument);
    return 0;
}

static void *start_copy(void *argument) {
    struct job job = *(struct job *)argument;
    job.run(job.argument);
    return 0;
}

int main(int argc, char **argv) {
    static struct job kept = {halve, forget, &sums[2]};
    int provided;
    pthread_t first, second, third, rest[3];
    struct job jobs[3];
    struct job adding = {.run = add, .finish = forget, .argument = &sums[0]};
    struct job halving, sending = {send, tell, &sums[3]};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    halving.run = halve;
    halving.finish = forget;
    halving.argument = &sums[1];
    pthread_create(&first, 0, start, &adding);
    pthread_create(&second, 0, start_all, &halving);
    pthread_create(&third, 0, start_copy, &kept);
    for (int i = 0; i < 3; ++i) {
        jobs[i].run = add;
        jobs[i].argument = &sums[i];
        pthread_create(&rest[i], 0, start, &jobs[i]);
    }
    execute(&sending);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_join(third, 0);
    for (int i = 0; i < 3; ++i) pthread_join(rest[i], 0);
    MPI_Finalize();
    return 0;
}
