// Threads compare their identity with that of another one than the main thread, or of several.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <pthread.h>

static pthread_t main_thread;
static pthread_t last;
static pthread_t worker;
static pthread_t of_worker;

static void send(int value) {
    MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF);  // expect: mpi-thread-level
}

static int is_worker(void) { return pthread_equal(pthread_self(), worker); }

static void* work(void* argument) {
    const pthread_t self = pthread_self();
    if (argument != NULL) last = self;
    of_worker = self;
    if (pthread_equal(self, last)) send(1);
    if (self == of_worker) send(2);
    if (is_worker()) send(3);
    if (pthread_equal(self, main_thread)) return argument;
    send(4);
    return argument;
}

int main(int argc, char** argv) {
    int provided = 0;
    pthread_t other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    main_thread = last = pthread_self();
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&other, NULL, work, &other);
    pthread_join(worker, NULL);
    pthread_join(other, NULL);
    MPI_Finalize();
    return 0;
}
