/* Functions of one structure are cast to those of another one that they stand for: in a table, as
   an argument, by way of a pointer to any function, and where they are called.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

struct driver {
    int rank;
    const struct driver_operations* operations;
    void (*stop)(struct driver*);
    void (*reset)(struct driver*);
    void (*any)(void);
};
struct network {
    struct driver base;
    int tag;
};
struct driver_operations {
    void (*progress)(struct driver*);
};
typedef void (*any_function)(void);

static void progress_network(struct network* network) {
    int there;
    MPI_Iprobe(network->base.rank, network->tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
}

static void stop_network(struct network* network) {
    MPI_Send(0, 0, MPI_INT, network->base.rank, network->tag, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void reset_network(struct network* network) {
    MPI_Probe(network->base.rank, network->tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
}

static int count_network(struct network* network, long count) {
    return MPI_Send(0, 0, MPI_INT, network->base.rank, (int)count, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static const struct driver_operations of_network = {
    .progress = (void (*)(struct driver*))progress_network};
static struct network network = {.base = {.operations = &of_network}};

static any_function reset_of(int kind) {
    return kind == 0 ? (any_function)reset_network : 0;
}

static void prepare(struct driver* driver, void (*stop)(struct driver*)) {
    driver->stop = stop;
    driver->reset = (void (*)(struct driver*))reset_of(0);
    driver->any = (any_function)count_network;
}

static void* run(void* argument) {
    struct driver* driver = argument;
    driver->operations->progress(driver);
    driver->reset(driver);
    ((int (*)(struct driver*, long))driver->any)(driver, 1);
    driver->stop(driver);
    return 0;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    prepare(&network.base, (void (*)(struct driver*))stop_network);
    pthread_create(&thread, 0, run, &network);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, 0);
    MPI_Finalize();
}
