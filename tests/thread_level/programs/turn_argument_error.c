/* Threads wait for a turn that they hand to a function, for the wrong one, or for that of others.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static volatile int turn;
static volatile int other_turn;
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

static void wait_for_other(int mine) {
    while (other_turn != mine) {
    }
}

static void* same_number(void* argument) {
    wait_for(0);
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
    pass_to(1);
    return argument;
}

static void* too_late(void* argument) {
    wait_for(1);
    pass_to(0);
    MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return argument;
}

static void* of_other(void* argument) {
    wait_for_other(1);
    MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF); /* expect: mpi-thread-level */
    other_turn = 0;
    return argument;
}


int main(int argc, char** argv) {
    int provided;
    pthread_t threads[3];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&threads[0], 0, same_number, 0);
    wait_for(0);
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    pthread_join(threads[0], 0);
    pthread_create(&threads[1], 0, too_late, 0);
    pass_to(1);
    wait_for(0);
    MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    pthread_join(threads[1], 0);
    pthread_create(&threads[2], 0, of_other, 0);
    other_turn = 1;
    wait_for(0);
    MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    pthread_join(threads[2], 0);
    MPI_Finalize();
    return 0;
}
