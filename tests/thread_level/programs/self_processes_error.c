/* The size of another communicator than that of the call, what is for one process, and threads that
   hand over all processes.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

#define READERS 3

static void open_table(MPI_Comm group, MPI_Comm readers) {
    long length = 100;
    int processes;
    MPI_Comm_size(group, &processes);
    if (processes > 1) MPI_Bcast(&length, 1, MPI_LONG, 0, readers); /* expect: mpi-concurrent-collectives */
}

static void close_table(MPI_Comm group) {
    int processes;
    MPI_Comm_size(group, &processes);
    if (processes == 1) MPI_Barrier(group); /* expect: mpi-concurrent-collectives */
}

static void *read_table(void *unused) {
    open_table(MPI_COMM_WORLD, MPI_COMM_SELF);
    return unused;
}

static void *leave_table(void *unused) {
    close_table(MPI_COMM_SELF);
    return unused;
}

int main(int argc, char **argv) {
    int provided;
    pthread_t readers[READERS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, read_table, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, leave_table, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    MPI_Finalize();
    return 0;
}
