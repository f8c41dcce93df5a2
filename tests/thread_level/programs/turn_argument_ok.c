/* Threads wait for a turn that they hand to a function.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static volatile int turn;
static int value;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void wait_for(int mine) {
    pthread_mutex_lock(&mutex);
    while (turn != mine)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void pass_to(int next) {
    pthread_mutex_lock(&mutex);
    turn = next;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static void begin(int mine) { wait_for(mine); }

static void* work(void* argument) {
    for (int i = 0; i < 10; ++i) {
        wait_for(1);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        pass_to(0);
    }
    return argument;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&thread, 0, work, 0);
    for (int i = 0; i < 10; ++i) {
        begin(0);
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        pass_to(1);
    }
    pthread_join(thread, 0);
    MPI_Finalize();
    return 0;
}
