/* What a function is handed that writes it to a member, or to a static variable, is what its calls
   hand over: functions that do nothing, or none.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

typedef void (*hook_function)(void);

static struct {
    hook_function function;
    int active;
} hooks[16];

static hook_function on_error;
static hook_function on_idle;

int register_hook(hook_function function) {
    for (int i = 0; i < 16; i++) {
        if (hooks[i].active) continue;
        hooks[i].function = function;
        hooks[i].active = 1;
        return i;
    }
    return -1;
}

static void set_error_handler(hook_function handler) {
    on_error = handler;
}

static void set_handlers(hook_function error, hook_function idle) {
    if (error) set_error_handler(error);
    on_idle = idle;
}

static int errors;

static void count_error(void) {
    errors++;
}

static void send(void) {
    MPI_Send(&errors, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

static void* compute(void* argument) {
    (void)argument;
    for (int i = 0; i < 16; i++)
        if (hooks[i].active) hooks[i].function();
    if (on_error) on_error();
    if (on_idle) on_idle();
    return NULL;
}

static void* communicate(void* argument) {
    hook_function* function = argument;
    (*function)();
    return NULL;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t threads[2];
    hook_function sending = send;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    set_handlers(count_error, NULL);
    pthread_create(&threads[0], NULL, compute, NULL);
    pthread_create(&threads[1], NULL, communicate, &sending);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    MPI_Finalize();
}
