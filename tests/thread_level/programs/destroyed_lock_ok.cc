// A static object with a lock, whose destructor the program registers; guards refer to it.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <omp.h>
#include <pthread.h>

class Mutex {
public:
    Mutex() { pthread_mutex_init(&mutex_, nullptr); }
    ~Mutex() { pthread_mutex_destroy(&mutex_); }
    void lock() { pthread_mutex_lock(&mutex_); }
    void unlock() { pthread_mutex_unlock(&mutex_); }

private:
    pthread_mutex_t mutex_;
};

class Lock {
public:
    Lock() { omp_init_lock(&lock_); }
    ~Lock() { omp_destroy_lock(&lock_); }
    void set() { omp_set_lock(&lock_); }
    void unset() { omp_unset_lock(&lock_); }

private:
    omp_lock_t lock_;
};

class MutexGuard {
public:
    explicit MutexGuard(Mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
    ~MutexGuard() { mutex_.unlock(); }

private:
    Mutex& mutex_;
};

class LockGuard {
public:
    explicit LockGuard(Lock& lock) : lock_(lock) { lock_.set(); }
    ~LockGuard() { lock_.unset(); }

private:
    Lock& lock_;
};

static Mutex mpi_mutex;
static Lock mpi_lock;

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int value = 0;
        MutexGuard hold(mpi_mutex);
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    }
#pragma omp parallel
    {
        int value = 0;
        LockGuard hold(mpi_lock);
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
