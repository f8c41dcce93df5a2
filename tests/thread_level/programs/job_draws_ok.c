/* Threads count what they have done, and who has started them waits for that.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

enum { kThreads = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done, threads = kThreads;

static void* once(void* number) {
    pthread_mutex_lock(&library);
    MPI_Send(number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    pthread_mutex_unlock(&library);
    pthread_mutex_lock(&lock);
    done++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char** argv) {
    int provided, number = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    done = 0;
    for (int i = 0; i < threads; ++i) {
        pthread_create(&thread, NULL, once, &number);
        pthread_detach(thread);
    }
    pthread_mutex_lock(&lock);
    while (done < threads)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
