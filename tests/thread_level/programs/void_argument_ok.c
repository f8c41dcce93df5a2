/* A function of a named structure has to be cast to be called by a pointer to functions of `void *`:
   casts of pointers to data, or to functions of other types, say nothing of it.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int remote;
};

typedef int (*probe_function)(const struct node*);
typedef int (*hook_function)(void*);

struct worker {
    probe_function probe;
    struct node node;
};

extern void* symbol_of(const char* name);

static int probe(const struct node* node) {
    int flag;
    MPI_Iprobe(node->remote, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return flag;
}

static int count(void* number) {
    return ++*(int*)number;
}

static void call_hook(hook_function* hooks, void* argument) {
    hooks[0](argument);
}

static void* work(void* argument) {
    hook_function hooks[] = {(hook_function)symbol_of("hook")};
    hook_function counting[] = {count};
    int number = 0;
    (void)argument;
    call_hook(counting, &number);
    if (hooks[0]) call_hook(hooks, &number);
    return NULL;
}

static void* communicate(void* argument) {
    struct worker* worker = argument;
    worker->probe(&worker->node);
    return NULL;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    struct worker* worker = malloc(sizeof *worker);
    worker->probe = probe;
    worker->node.remote = 0;
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, communicate, worker);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    free(worker);
    MPI_Finalize();
}
