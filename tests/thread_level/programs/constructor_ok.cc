// Constructors that are handed the level, and a lock that the destructor gives back.
// required: MPI_THREAD_SERIALIZED
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

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(int argc, char** argv) {
    World world(argc, argv, MPI_THREAD_SERIALIZED);
#pragma omp parallel
    {
        Guard guard(&mutex);
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
}
