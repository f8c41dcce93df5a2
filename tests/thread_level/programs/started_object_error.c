/* All threads that a loop starts are handed one request, one communicator, or one object that has
   such: by its address.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

enum { THREADS = 3 };

struct context {
    int count;
    MPI_Comm comm;
    MPI_Request request;
};

static void* wait_for(void* request) {
    MPI_Wait(request, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
    return NULL;
}

static void* meet(void* comm) {
    MPI_Barrier(*(MPI_Comm*)comm); /* expect: mpi-concurrent-collectives */
    return NULL;
}

static void* work(void* argument) {
    struct context* context = argument;
    MPI_Wait(&context->request, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
    MPI_Barrier(context->comm);                     /* expect: mpi-concurrent-collectives */
    return NULL;
}

static void* test(void* argument) {
    int done;
    MPI_Test(argument, &done, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
    return NULL;
}

int main(int argc, char** argv) {
    int provided, i;
    pthread_t threads[THREADS];
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Comm comm;
    struct context context = {0, MPI_COMM_NULL, MPI_REQUEST_NULL};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &context.comm);

    for (i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, wait_for, &request);
    for (i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);

    for (i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, meet, &comm);
    for (i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);

    for (i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, &context);
    for (i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);

    for (i = 0; i < THREADS; ++i) {
        void* argument = &requests[1];
        pthread_create(&threads[i], NULL, test, argument);
    }
    for (i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);

    MPI_Comm_free(&context.comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
