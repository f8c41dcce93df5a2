/* Calls through a table hand over a function that communicates, or what can't be told.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

typedef void (*progress_function)(void* argument);
typedef double (*other_function)(void* argument);

typedef struct table {
    void (*wait)(progress_function progress, void* argument);
    void (*test)(other_function progress, void* argument);
} table_t;

static int value;

static void send(void* argument) {
    MPI_Send(argument, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void idle(void* argument) {
    (void)argument;
}

static double probe(void* argument) {
    (void)argument;
    return MPI_Probe(0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
}

static void advance(progress_function progress, void* argument) {
    progress(argument);
}

static void wait_for(progress_function progress, void* argument) {
    advance(progress, argument);
}

static void test_for(other_function progress, void* argument) {
    progress(argument);
}

static void run(const table_t* table, other_function* other) {
    table->wait(idle, &value);
    table->wait(send, &value);
    table->test(*other, &value);
}

int main(int argc, char** argv) {
    static table_t tables[2] = {{wait_for, test_for}, {wait_for, test_for}};
    other_function other = probe;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    run(&tables[argc > 1], &other);
    MPI_Finalize();
}
