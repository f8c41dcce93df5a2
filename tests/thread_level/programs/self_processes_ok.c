/* Threads that each work on their own hand over MPI_COMM_SELF, which has one process: what is for
   several is left out. The main thread, which hands over all processes, is alone then.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#define READERS 3

static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;

static void share_length(MPI_Comm group, long *length) {
    MPI_Bcast(length, 1, MPI_LONG, 0, group);
}

static long open_table(const char *name, MPI_Comm group) {
    long length = 100;
    int processes, is_shared;
    pthread_mutex_lock(&printing);
    MPI_Comm_size(group, &processes);
    printf("%s: %d\n", name, processes);
    pthread_mutex_unlock(&printing);
    is_shared = processes != 1;
    if (is_shared) share_length(group, &length);
    if (processes >= 2 && length > 0) MPI_Barrier(group);
    return length;
}

static void *read_table(void *name) {
    open_table(name, MPI_COMM_SELF);
    return NULL;
}

int main(int argc, char **argv) {
    int provided;
    pthread_t readers[READERS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    open_table("all", MPI_COMM_WORLD);
    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, read_table, "own");
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    MPI_Finalize();
    return 0;
}
