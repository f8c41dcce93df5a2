/* Who starts a thread sets the flag itself that it then waits for, in several steps, under a lock,
   or by a function that the thread calls, too.
   required: MPI_THREAD_MULTIPLE */
#include <pthread.h>

#include <mpi.h>

enum { kNew, kAsked, kAnswered, kOver };

static volatile int phase;
static volatile int step;
static volatile int closed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void set_phase(int to) {
    pthread_mutex_lock(&mutex);
    if (phase != kOver) phase = to;
    pthread_mutex_unlock(&mutex);
}

static void* answer(void* argument) {
    int value;
    while (phase != kOver) {
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
        if (value == kAnswered) set_phase(kAnswered);
    }
    return argument;
}

static void* probe(void* argument) {
    int flag;
    while (step == 0)
        MPI_Iprobe(0, 2, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return argument;
}

static void close_it(int how) {
    pthread_mutex_lock(&mutex);
    closed = how;
    pthread_mutex_unlock(&mutex);
}

static void* look(void* argument) {
    int flag;
    while (!closed)
        MPI_Iprobe(0, 3, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); /* expect: mpi-finalize */
    return argument;
}

int main(int argc, char** argv) {
    pthread_t thread;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&thread, 0, answer, 0);
    while (phase != kOver) {
        if (phase == kNew)
            set_phase(kAsked);
        else if (phase == kAnswered)
            set_phase(kOver);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, 0);

    pthread_create(&thread, 0, probe, 0);
    while (step != 2) {
        if (step == 0)
            step = 1;
        else
            step = 2;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, 0);

    pthread_create(&thread, 0, look, 0);
    while (!closed)
        close_it(1);
    MPI_Finalize();
    pthread_join(thread, 0);
}
