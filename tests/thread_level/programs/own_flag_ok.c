/* A flag with more than two values that both sides set, each when it has the turn.
   required: MPI_THREAD_SERIALIZED */
#include <pthread.h>

#include <mpi.h>

enum { kIdle, kRequest, kReply, kOver };

static volatile int state;
static volatile int last;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double part[8];

static void set(int to) {
    pthread_mutex_lock(&mutex);
    state = to;
    pthread_mutex_unlock(&mutex);
}

static void* serve(void* argument) {
    for (;;) {
        while (state == kIdle || state == kReply) {
        }
        if (state == kOver) return argument;
        MPI_Send(part, 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
        set(kReply);
    }
}

static void* finish(void* argument) {
    while (last != 1) {
    }
    MPI_Send(part, 4, MPI_DOUBLE, 0, 2, MPI_COMM_SELF);
    last = 2;
    return argument;
}

int main(int argc, char** argv) {
    pthread_t thread;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&thread, 0, serve, 0);
    set(kRequest);
    while (state != kReply) {
    }
    MPI_Barrier(MPI_COMM_WORLD);
    set(kOver);
    pthread_join(thread, 0);

    pthread_create(&thread, 0, finish, 0);
    last = 1;
    while (last != 2) {
    }
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, 0);
    MPI_Finalize();
}
