// Only the thread whose identity the main one has kept calls MPI.
// required: MPI_THREAD_SINGLE
#include <mpi.h>
#include <pthread.h>

static pthread_t main_thread;
static pthread_t initializer;

static int is_main(void) { return pthread_equal(pthread_self(), main_thread); }

static void send(int value) { MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF); }

static void* work(void* argument) {
    const pthread_t self = pthread_self();
    if (is_main()) send(1);
    if (pthread_equal(initializer, self) != 0) send(2);
    if (self == main_thread) send(3);
    if (main_thread != self) return argument;
    send(4);
    return argument;
}

static void initialize(int* argc, char*** argv) {
    int provided = 0;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    initializer = pthread_self();
}

int main(int argc, char** argv) {
    pthread_t threads[2];
    main_thread = pthread_self();
    initialize(&argc, &argv);
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], NULL, work, NULL);
    work(NULL);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
