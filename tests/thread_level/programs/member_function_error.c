/* What a thread calls by a member of its object is one of two functions, or another one later on, or
   just that one which calls MPI.
   required: MPI_THREAD_MULTIPLE, ways: all */
#include <mpi.h>
#include <pthread.h>

struct job {
    void (*run)(double *);
    double *argument;
};
struct machine {
    void (*step)(struct machine *);
    int rounds;
};
struct choice {
    int (*choose)(int);
    int value;
};

static double sums[4];

static void add(double *sum) {
    for (int i = 0; i < 1000; ++i) *sum += i;
}

static void send(double *sum) {
    MPI_Send(sum, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void receive(struct machine *machine) {
    MPI_Recv(&machine->rounds, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
}

static void wait_first(struct machine *machine) {
    if (++machine->rounds > 10) machine->step = receive;
}

static int most(int value) {
    return value > 10 ? 10 : value;
}

static int most_of_all(int value) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return value;
}

static void *start(void *argument) {
    struct job *job = argument;
    job->run(job->argument);
    return 0;
}

static void *go(void *argument) {
    struct machine *machine = argument;
    for (int i = 0; i < 20; ++i) machine->step(machine);
    return 0;
}

static void *decide(void *argument) {
    struct choice *choice = argument;
    choice->value = choice->choose(choice->value);
    return 0;
}

int main(int argc, char **argv) {
    int provided;
    pthread_t first, second, third, fourth;
    struct job adding = {add, &sums[0]}, sending = {send, &sums[1]};
    struct machine machine = {.step = wait_first};
    struct choice choice = {most, 1};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    if (argc > 1) choice.choose = most_of_all;
    pthread_create(&first, 0, start, &adding);
    pthread_create(&second, 0, start, &sending);
    pthread_create(&third, 0, go, &machine);
    pthread_create(&fourth, 0, decide, &choice);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_join(third, 0);
    pthread_join(fourth, 0);
    MPI_Finalize();
    return 0;
}
