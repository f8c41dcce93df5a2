/* Each thread that a loop starts is handed another request or communicator, or the one that they
   are all handed is used by one thread after the other.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3 };

struct context {
    int count;
    MPI_Comm comm;
    MPI_Request request;
    struct context* next;
};

static void* wait_for(void* request) {
    MPI_Wait(request, MPI_STATUS_IGNORE);
    return NULL;
}

static void* work(void* argument) {
    struct context* context = argument;
    MPI_Wait(&context->request, MPI_STATUS_IGNORE);
    MPI_Barrier(context->comm);
    return NULL;
}

static void* work_and_free(void* argument) {
    work(argument);
    free(argument);
    return NULL;
}

static void join(pthread_t* threads) {
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
}

static void start_each(pthread_t* threads, struct context* contexts) {
    int i;
    struct context* context = contexts;
    MPI_Request requests[THREADS] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Request* next = requests;
    for (i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, wait_for, &requests[i]);
    join(threads);
    for (i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, wait_for, next++);
    join(threads);
    for (i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, &contexts[i]);
    join(threads);
    for (i = 0; i < THREADS; ++i, context = context->next)
        pthread_create(&threads[i], NULL, work, context);
    join(threads);
}

int main(int argc, char** argv) {
    int provided, i;
    pthread_t threads[THREADS];
    pthread_t thread;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Request first = MPI_REQUEST_NULL;
    MPI_Request second = MPI_REQUEST_NULL;
    struct context contexts[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (i = 0; i < THREADS; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &contexts[i].comm);
        contexts[i].request = MPI_REQUEST_NULL;
        contexts[i].next = &contexts[(i + 1) % THREADS];
    }
    start_each(threads, contexts);

    for (i = 0; i < THREADS; ++i) {
        pthread_create(&thread, NULL, wait_for, &request);
        pthread_join(thread, NULL);
    }
    for (i = 0; i < THREADS; ++i) {
        MPI_Request mine = MPI_REQUEST_NULL;
        pthread_create(&thread, NULL, wait_for, &mine);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    }
    for (i = 0; i < THREADS; ++i) {
        struct context* context = malloc(sizeof *context);
        *context = contexts[i];
        pthread_create(&threads[i], NULL, work_and_free, context);
    }
    join(threads);
    for (i = 0; i < 2; ++i)
        pthread_create(&threads[i], NULL, wait_for, i == 0 ? &first : &second);
    for (i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    pthread_create(&threads[0], NULL, wait_for, &first);
    pthread_create(&threads[1], NULL, wait_for, &second);
    for (i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    pthread_create(&thread, NULL, wait_for, &first);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, wait_for, &first);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
