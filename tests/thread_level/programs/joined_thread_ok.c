/* A thread that communicates, and others that compute: all that communicate are joined before the
   main thread goes on, by the variable, the copy, the array or the member that they are known by.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#define THREADS 2

static double grid[100];
static pthread_t receiver;
static pthread_mutex_t sending = PTHREAD_MUTEX_INITIALIZER;

struct crew {
    pthread_t net;
    pthread_t* workers;
};

static void* compute(void* argument) {
    for (int i = 0; i < 100; ++i) grid[i] += i;
    return argument;
}

static void* send_one(void* argument) {
    pthread_mutex_lock(&sending);
    MPI_Send(grid, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    pthread_mutex_unlock(&sending);
    return argument;
}

#define SENDER(name) \
    static void* name(void* argument) { return send_one(argument); }
SENDER(send_apart)
SENDER(send_copied)
SENDER(send_kept)
SENDER(send_first)
SENDER(send_member)
SENDER(send_handed)
SENDER(send_static)
SENDER(send_heap)
SENDER(send_given)

static void apart(void) {
    pthread_t net;
    pthread_t workers[THREADS];
    pthread_create(&net, NULL, send_apart, NULL);
    for (int i = 0; i < THREADS; ++i) pthread_create(&workers[i], NULL, compute, NULL);
    for (int i = 0; i < THREADS; ++i) pthread_join(workers[i], NULL);
    pthread_join(net, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void copied(void) {
    pthread_t net;
    pthread_t all[THREADS + 1];
    int count = 0;
    pthread_create(&net, NULL, send_copied, NULL);
    all[count++] = net;
    for (int i = 0; i < THREADS; ++i) pthread_create(&all[count++], NULL, compute, NULL);
    for (int i = 0; i < count; ++i) pthread_join(all[i], NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void kept(void) {
    pthread_t net;
    pthread_create(&net, NULL, send_kept, NULL);
    pthread_t same = net;
    pthread_join(same, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void first(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, send_first, NULL);
    pthread_create(&threads[1], NULL, compute, NULL);
    pthread_join(threads[0], NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(threads[1], NULL);
}

static void member(struct crew* crew) {
    crew->workers = malloc(THREADS * sizeof *crew->workers);
    pthread_create(&crew->net, NULL, compute, NULL);
    for (int i = 0; i < THREADS; ++i) pthread_create(&crew->workers[i], NULL, send_member, NULL);
    for (int i = 0; i < THREADS; ++i) pthread_join(crew->workers[i], NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(crew->net, NULL);
    free(crew->workers);
}

static void start(pthread_t* thread, void* (*function)(void*)) {
    if (pthread_create(thread, NULL, function, NULL) != 0) abort();
}

static void finish(const pthread_t* threads, int count) {
    for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

static void handed(void) {
    pthread_t net;
    pthread_t workers[THREADS];
    start(&net, compute);
    for (int i = 0; i < THREADS; ++i) start(&workers[i], send_handed);
    finish(workers, THREADS);
    MPI_Barrier(MPI_COMM_WORLD);
    finish(&net, 1);
}

static void begin_static(void) { pthread_create(&receiver, NULL, send_static, NULL); }
static void end_static(void) { pthread_join(receiver, NULL); }

static void of_file(void) {
    pthread_t worker;
    begin_static();
    pthread_create(&worker, NULL, compute, NULL);
    end_static();
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(worker, NULL);
}

static void on_heap(void) {
    pthread_t worker;
    pthread_t* nets = malloc(THREADS * sizeof(pthread_t));
    pthread_create(&worker, NULL, compute, NULL);
    for (int i = 0; i < THREADS; ++i) pthread_create(&nets[i], NULL, send_heap, NULL);
    for (pthread_t* net = nets; net < nets + THREADS; ++net) pthread_join(*net, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(worker, NULL);
    free(nets);
}

static pthread_t begin_given(void) {
    pthread_t net;
    pthread_create(&net, NULL, send_given, NULL);
    return net;
}

static void given(void) {
    pthread_t net = begin_given();
    pthread_join(net, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided = 0;
    struct crew crew;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    apart();
    copied();
    kept();
    first();
    member(&crew);
    handed();
    of_file();
    on_heap();
    given();
    MPI_Finalize();
    return 0;
}
