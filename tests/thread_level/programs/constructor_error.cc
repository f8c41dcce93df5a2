// Constructors that are handed the level, and a lock that each thread has for itself.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <pthread.h>

struct World {
    World(int& argc, char**& argv, int level) {
        int provided;
        MPI_Init_thread(&argc, &argv, level, &provided);
        if (provided < level) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    ~World() { MPI_Finalize(); }
};

struct Guard {
    pthread_mutex_t* held;
    explicit Guard(pthread_mutex_t* mutex) : held(mutex) { pthread_mutex_lock(mutex); }
    ~Guard() { pthread_mutex_unlock(held); }
};

int main(int argc, char** argv) {
    World world(argc, argv, MPI_THREAD_SERIALIZED);
#pragma omp parallel
    {
        pthread_mutex_t own;
        pthread_mutex_init(&own, nullptr);
        Guard guard(&own);
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank); // expect: mpi-thread-level
    }
}
