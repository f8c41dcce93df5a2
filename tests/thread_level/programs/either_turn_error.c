/* A variable that is one of three numbers may be either of the others where it is not the one.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int a, b, ready;

static void* work(void* unused) {
    for (int k = 0; k < 10; ++k) {
        pthread_mutex_lock(&lock);
        while (ready == 0)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        MPI_Send(&b, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        pthread_mutex_lock(&lock);
        ready = 2;
        pthread_cond_signal(&changed);
        ready = 0;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_create(&thread, NULL, work, NULL);
    for (int k = 0; k < 10; ++k) {
        MPI_Recv(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_mutex_lock(&lock);
        ready = 1;
        pthread_cond_signal(&changed);
        while (ready == 1)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
