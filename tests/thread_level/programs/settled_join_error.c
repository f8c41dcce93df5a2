/* The condition of the join is the opposite of that of the start.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static volatile int active;

static void* progress(void* unused) {
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* expect: mpi-finalize */
    return unused;
}

static void* serve(void* unused) {
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); /* expect: mpi-finalize */
    return unused;
}

static void* listen(void* unused) {
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); /* expect: mpi-finalize */
    return unused;
}

/* Each is a program of its own. */
static void by_level(int level) {
    pthread_t thread;
    if (level == MPI_THREAD_MULTIPLE) {
        active = 1;
        pthread_create(&thread, NULL, progress, NULL);
    }
    if (level != MPI_THREAD_MULTIPLE) pthread_join(thread, NULL);
    MPI_Finalize();
}

static void by_argument(int wants) {
    pthread_t thread;
    if (wants) pthread_create(&thread, NULL, serve, NULL);
    if (!wants) pthread_join(thread, NULL);
    MPI_Finalize();
}

static void opposite(int argc) {
    pthread_t thread;
    int wants = argc * 2;
    if (wants == 4) pthread_create(&thread, NULL, listen, NULL);
    if (wants != 4) pthread_join(thread, NULL);
    MPI_Finalize();
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    if (argc == 1) {
        by_level(provided);
    } else if (argc == 2) {
        by_argument(argc);
    } else {
        opposite(argc);
    }
    return 0;
}
