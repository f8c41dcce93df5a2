/* Who starts threads hands out jobs and waits until none is left; then nobody else calls MPI.
 * required: MPI_THREAD_SERIALIZED
 */
#include <mpi.h>
#include <pthread.h>

enum { kThreads = 3, kJobs = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static int jobs[kJobs], queued, next, pending, is_over;
static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER;

static void work(int job) {
    pthread_mutex_lock(&library);
    MPI_Send(&job, 1, MPI_INT, 0, job, MPI_COMM_WORLD);
    pthread_mutex_unlock(&library);
}

static void* worker(void* unused) {
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (next == queued && !is_over)
            pthread_cond_wait(&more, &lock);
        if (next == queued) {
            pthread_mutex_unlock(&lock);
            return NULL;
        }
        const int job = jobs[next++];
        pthread_mutex_unlock(&lock);
        work(job);
        pthread_mutex_lock(&lock);
        if (--pending == 0) pthread_cond_signal(&done);
        pthread_mutex_unlock(&lock);
    }
}

static void submit(int job) {
    pthread_mutex_lock(&lock);
    pending++;
    jobs[queued++] = job;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

static void wait_for_all(void) {
    pthread_mutex_lock(&lock);
    while (pending > 0)
        pthread_cond_wait(&done, &lock);
    pthread_mutex_unlock(&lock);
}

int main(int argc, char** argv) {
    int provided, number = 0;
    pthread_t threads[kThreads];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < kThreads; ++i)
        pthread_create(&threads[i], NULL, worker, NULL);
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < kJobs; ++i)
        submit(i);
    wait_for_all();
    for (int i = 0; i < kJobs; ++i)
        MPI_Recv(&number, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_mutex_lock(&lock);
    is_over = 1;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < kThreads; ++i)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
