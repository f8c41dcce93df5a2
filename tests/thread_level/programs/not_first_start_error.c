/* The main thread has the number of a thread that has been started, too: the branch lets the number
   pass, is about something else, or the number changes behind it.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

#define THREADS 4

static pthread_t threads[THREADS];
static int ids[THREADS];

static void *work_all(void *argument) {
    const int id = *(int *)argument;
    if (id == 0) MPI_Send(argument, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return NULL;
}

static void *work_second(void *argument) {
    const int id = *(int *)argument;
    if (id == 1) MPI_Send(argument, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return NULL;
}

static void *work_other(void *argument) {
    const int id = *(int *)argument;
    if (id == 0) MPI_Send(argument, 1, MPI_INT, 0, 3, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return NULL;
}

static void *work_changed(void *argument) {
    const int id = *(int *)argument;
    if (id == 0) MPI_Send(argument, 1, MPI_INT, 0, 4, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return NULL;
}

static void *work_either(void *argument) {
    const int id = *(int *)argument;
    if (id == 0) MPI_Send(argument, 1, MPI_INT, 0, 5, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return NULL;
}

static void join(void) {
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < THREADS; ++i) {
        ids[i] = i;
        if (i >= 0) pthread_create(&threads[i], NULL, work_all, &ids[i]);
    }
    work_all(&ids[0]);
    join();
    for (int i = 0; i < THREADS; ++i) {
        ids[i] = i;
        if (i != 0) pthread_create(&threads[i], NULL, work_second, &ids[i]);
    }
    work_second(&ids[1]);
    join();
    for (int i = 0; i < THREADS; ++i) {
        ids[i] = i;
        if (argc != 0) pthread_create(&threads[i], NULL, work_other, &ids[i]);
    }
    work_other(&ids[0]);
    join();
    for (int i = 0; i < THREADS; ++i) {
        ids[i] = i;
        if (i > 0) {
            if (i == 3) i = 0;
            pthread_create(&threads[i], NULL, work_changed, &ids[i]);
            if (i == 0) break;
        }
    }
    work_changed(&ids[0]);
    join();
    for (int i = 0; i < THREADS; ++i) {
        ids[i] = i;
        if (i > 0 || argc > 1) pthread_create(&threads[i], NULL, work_either, &ids[i]);
    }
    work_either(&ids[0]);
    join();
    MPI_Finalize();
    return 0;
}
