/* Functions that communicate are handed to those that write them to a member, or to a static
   variable: at once, by way of another function, or by a pointer to the function that writes.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <stdlib.h>

typedef void (*hook_function)(void);
typedef double (*number_function)(void);
typedef float (*small_function)(void);

static struct {
    hook_function function;
    int active;
} hooks[16];

static number_function on_error;
static small_function on_idle;

static int value;

static void send(void) {
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static double report(void) {
    return MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static float probe(void) {
    return MPI_Probe(0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
}

void register_hook(hook_function function) {
    hooks[0].function = function;
    hooks[0].active = 1;
}

static void set_error_handler(number_function handler) {
    on_error = handler;
}

static void set_handler(number_function error) {
    set_error_handler(error);
}

static void set_idle(small_function idle) {
    on_idle = idle;
}

static struct {
    void (*set)(small_function);
} table = {set_idle};

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    register_hook(send);
    set_handler(argc > 1 ? report : NULL);
    table.set(probe);
#pragma omp parallel
    if (hooks[0].active) hooks[0].function();
#pragma omp parallel
    if (on_error) on_error();
#pragma omp parallel
    if (on_idle) on_idle();
    MPI_Finalize();
}
