/* Another file hands a function that communicates to one that writes it to a pointer.
   required: MPI_THREAD_MULTIPLE
   verdict: not compliant */
/* file: hooks.h */
typedef void (*handler)(void);
void register_hook(handler function);
void set_error_handler(handler function);
void call_hooks(void);
/* file: hooks.c */
#include "hooks.h"

static struct {
    handler function;
    int active;
} hooks[16];

static handler on_error;

void register_hook(handler function) {
    for (int i = 0; i < 16; i++) {
        if (hooks[i].active) continue;
        hooks[i].function = function;
        hooks[i].active = 1;
        return;
    }
}

void set_error_handler(handler function) {
    on_error = function;
}

void call_hooks(void) {
    for (int i = 0; i < 16; i++)
        if (hooks[i].active) hooks[i].function();
    if (on_error) on_error();
}
/* file: main.c */
#include <mpi.h>
#include <stddef.h>

#include "hooks.h"

static int errors;

static void count_error(void) {
    errors++;
}

static void report(void) {
    MPI_Send(&errors, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static handler reports[1] = {report};

static void forward(handler function) {
    register_hook(function);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    set_error_handler(count_error);
    if (argc > 9) set_error_handler(report);
    forward(count_error);
#pragma omp parallel
    {
        call_hooks();
#pragma omp barrier
#pragma omp single
        reports[0]();
    }
    MPI_Finalize();
}
