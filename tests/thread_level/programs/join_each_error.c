/* A function joins one thread, and a loop calls it before there are any.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static pthread_t threads[4];
static int count;

static void start(void* (*function)(void*)) {
    pthread_create(&threads[count++], NULL, function, NULL);
}

static void join(int number) {
    pthread_join(threads[number], NULL);
}

static void* work(void* unused) {
    int value;
    MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-finalize mpi-message-order */
    return unused;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < count; ++i)
        join(i);
    for (int i = 0; i < 4; ++i)
        start(work);
    MPI_Finalize();
    return 0;
}
