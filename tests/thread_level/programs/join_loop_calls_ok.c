/* A loop that does something with MPI each time that it joins a thread: behind it, all threads are
   joined.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

enum { kMost = 16 };

static void* work(void* number) {
    MPI_Send(number, 1, MPI_INT, 0, *(int*)number, MPI_COMM_WORLD);
    return NULL;
}

static void* serve(void* number) {
    MPI_Recv(number, 1, MPI_INT, 0, 100 + *(int*)number, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

static pthread_t servers[kMost];

static void stop(int count) {
    for (int i = 0; i < count; ++i) {
        MPI_Send(&i, 1, MPI_INT, 0, 100 + i, MPI_COMM_WORLD);
        pthread_join(servers[i], NULL);
    }
}

int main(int argc, char** argv) {
    int provided = 0;
    int numbers[kMost];
    pthread_t threads[kMost];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < argc; ++i) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    for (int i = 0; i < argc; ++i) {
        int number = 0;
        pthread_join(threads[i], NULL);
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < argc; ++i)
        pthread_create(&servers[i], NULL, serve, &numbers[i]);
    stop(argc);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
