/* A function of another file is started as a thread by a third. */
/* required: MPI_THREAD_SERIALIZED */
/* file: spawn.c */
#include <pthread.h>
static pthread_t thread;
void spawn(void *(*work)(void *)) {
    pthread_create(&thread, 0, work, 0);
}
void reap(void) {
    pthread_join(thread, 0);
}
/* file: tell.c */
#include <mpi.h>
void *tell(void *data) {
    int i = 1;
    MPI_Send(&i, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    return data;
}
/* file: main.c */
#include <mpi.h>
void spawn(void *(*work)(void *));
void reap(void);
void *tell(void *data);
int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    spawn(tell);
    reap();
    MPI_Finalize();
    return 0;
}
