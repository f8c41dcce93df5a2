/* Tables of functions for two structures: the thread cleans a cache, which no function of a driver
   does, whatever their types have in common.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

struct driver;
typedef struct {
    atomic_int used;
    const struct cache_operations* operations;
} cache;
typedef const cache fixed_cache;
typedef cache store;

struct driver_operations {
    int (*open)(struct driver*, int rank);
    void (*progress)(struct driver*);
};
struct cache_operations {
    int (*size)(fixed_cache*);
    void (*clean)(store*);
};
struct driver {
    int rank;
    const struct driver_operations* operations;
};

static int open_network(struct driver* network, int rank) {
    network->rank = rank;
    return MPI_Barrier(MPI_COMM_WORLD);
}

static void progress_network(struct driver* network) {
    int there;
    MPI_Iprobe(network->rank, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
}

static int size_of(fixed_cache* of) {
    return of->used;
}

static void clean(cache* to_clean) {
    to_clean->used = 0;
}

static const struct driver_operations of_network = {open_network, progress_network};
static const struct cache_operations of_cache = {.size = size_of, .clean = clean};
static cache blocks = {0, &of_cache};
static struct driver network = {0, &of_network};

static void* keep_clean(void* argument) {
    cache* cleaned = argument;
    for (int i = 0; i < 100; ++i)
        if (cleaned->operations->size(cleaned) > 10) cleaned->operations->clean(cleaned);
    return 0;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t cleaner;
    struct driver* driver = &network;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_create(&cleaner, 0, keep_clean, &blocks);
    driver->operations->open(driver, 0);
    for (int i = 0; i < 100; ++i) {
        driver->operations->progress(driver);
        blocks.used++;
    }
    pthread_join(cleaner, 0);
    MPI_Finalize();
}
